"""What an intervention may take for granted of an expression: proven by the source, shown by every call, or not known.

`ask` only looks; `rely` also notes what is not proven, so that it stands in `Rewritten.assumes`. Code that no call
reached, and a rewrite without calls, have nothing to assume: there the answer is what the source proves.
What it does not do: run anything (`rewrite.evidence.gather`), or decide what to write where nothing is known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal, Protocol

import libcst as cst

from rewrite.analysis.exact_types import TYPES, kind
from rewrite.analysis.scopes import Scope
from rewrite.evidence.assumptions import PLAIN, Assumption, Seen, exactly, length, longer
from rewrite.evidence.gather import Evidence, Place
from rewrite.evidence.given import Spot
from rewrite.syntax.source_map import Printed
from rewrite.syntax.tree import code, one_line

__all__ = [
    *("NOTHING_KNOWN", "NOT_PROVEN", "PLAIN", "Answer", "Assumption", "Chosen", "Known", "Shown", "Stance"),
    *("ask", "at_least", "exactly", "length", "longer", "may_guard", "rely", "stance"),
]


NOT_PROVEN = "nothing proves, and no call shows, that it is a text; no type test was asked for"
Stance = Literal["rely", "guard", "leave", "skip"]


class Asking(Protocol):
    """What asks: the engine's `Lowering` of a scope."""

    scope: Scope
    shown: Shown | None
    unproven: str


class Answer(Enum):
    """PROVEN: the source says so. ASSUMED: every call that came here showed it. UNKNOWN: neither."""

    PROVEN = "proven"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


class Shown:
    """What the calls showed of the expressions of one module, and which of it its rewrite has come to rest on."""

    def __init__(self, old: Printed, evidence: Evidence) -> None:
        self._old = old
        self._seen = evidence.seen
        self._lines = old.text.split("\n")
        self._noted: dict[tuple[int, str], tuple[cst.BaseExpression, str]] = {}

    def of(self, node: cst.BaseExpression) -> Seen | None:
        """What was seen of a node of the original; None where no call came, or the rewrite made the node."""
        place = self._place(node)
        return self._seen.get(place) if place is not None else None

    def note(self, node: cst.BaseExpression, what: str) -> None:
        """The rewrite rests on this fact of a node of the original."""
        self._noted[id(node), what] = (node, what)

    def assumptions(self) -> tuple[Assumption, ...]:
        """What the rewrite rests on, in the order of the original."""
        found = {self._assumption(node, what) for node, what in self._noted.values()}
        return tuple(sorted(one for one in found if one is not None))

    def _assumption(self, node: cst.BaseExpression, what: str) -> Assumption | None:
        span = self._span(node)
        if span is None:
            return None
        line, column = self._old.line_and_column(span[0])
        text = self._old.text[slice(*span)]
        if "\n" in text:
            plain = node if isinstance(node, (cst.Tuple, cst.GeneratorExp)) else node.with_changes(lpar=(), rpar=())
            text = code(one_line(plain))
        return Assumption(line, column + 1, text, what)

    def _place(self, node: cst.BaseExpression) -> Place | None:
        span = self._span(node)
        return None if span is None else (*self._at(span[0]), *self._at(span[1]))

    def _span(self, node: cst.BaseExpression) -> tuple[int, int] | None:
        """Where `ast` says that a node stands: without its brackets, but for those of tuples and generators."""
        span = self._old.span(node)
        if span is None:
            return None
        around = 1 if isinstance(node, (cst.Tuple, cst.GeneratorExp)) else 0
        opening = "".join(map(code, node.lpar[: len(node.lpar) - around]))
        closing = "".join(map(code, node.rpar[around:]))
        return span[0] + len(opening), span[1] - len(closing)

    def _at(self, offset: int) -> tuple[int, int]:
        line, column = self._old.line_and_column(offset)
        return line, len(self._lines[line - 1][:column].encode("utf-8", "surrogatepass"))


class Chosen:
    """Some parts of one module: those that are not to be spelled out, as they are too dear, for instance."""

    def __init__(self, old: Printed | None = None, spots: Collection[Spot] = ()) -> None:
        self._old = old
        self._spots = spots

    def holds(self, node: cst.BaseExpression, intervention: str) -> bool:
        """Whether this node is one of them, for an intervention."""
        span = self._old.span(node) if self._old is not None and self._spots else None
        return span is not None and any(spot.covers(span, intervention) for spot in self._spots)


@dataclass(frozen=True)
class Known:
    """What a rewrite is told beside its recipe, ready for one module."""

    unproven: str = "guard"
    shown: Shown | None = None
    left_out: Chosen = field(default_factory=Chosen)
    apart: Chosen = field(default_factory=Chosen)


NOTHING_KNOWN = Known()


def ask(node: cst.BaseExpression, what: str, steps: Asking) -> Answer:
    """What is known of a fact (`exactly("str")`, `length(1)`, `longer(1)`, `at_least(0)`, `PLAIN`) of a node.

    The node is one of the original: what a rewrite made itself is only proven. Of `PLAIN`, it is the attribute.
    """
    if _is_proven(node, what, steps.scope):
        return Answer.PROVEN
    seen = steps.shown.of(node) if steps.shown is not None else None
    return Answer.ASSUMED if seen is not None and seen.shows(what) else Answer.UNKNOWN


def rely(node: cst.BaseExpression, what: str, steps: Asking) -> bool:
    """Whether the fact is proven or assumed; what is assumed is noted, as the rewrite rests on it from here on."""
    answer = ask(node, what, steps)
    if answer is Answer.ASSUMED:
        assert steps.shown is not None
        steps.shown.note(node, what)
    return answer is not Answer.UNKNOWN


def stance(node: cst.BaseExpression, kind: str, steps: Asking) -> Stance:
    """What to do with a node that has to be exactly of a type: rely on it, guard it, leave it (reported), or skip it.

    With calls, skipped is what they showed, and never of the type; guarded, what was of the type only at times. Where
    no call came nothing is known that is worth a test: it is left alone.
    """
    if ask(node, exactly(kind), steps) is not Answer.UNKNOWN:
        return "rely"
    if steps.unproven != "assume":
        return "guard" if steps.unproven == "guard" else "leave"
    seen = steps.shown.of(node) if steps.shown is not None else None
    if seen is None:
        return "leave"
    return "guard" if kind in seen.types else "skip"


def may_guard(node: cst.BaseExpression, steps: Asking) -> bool:
    """Whether a test of a value may be written: not where it is to be left alone, or no call came."""
    if steps.unproven == "assume":
        return steps.shown is not None and steps.shown.of(node) is not None
    return steps.unproven == "guard"


def _is_proven(node: cst.BaseExpression, what: str, scope: Scope) -> bool:
    if what == PLAIN:
        if not isinstance(node, cst.Attribute):
            return False
        itself = isinstance(node.value, cst.Name) and scope.is_builtin(node.value.value)
        known = TYPES.get(node.value.value if itself else kind(node.value, scope) or "")  # type: ignore[attr-defined]
        return known is not None and hasattr(known, node.attr.value)
    found = kind(node, scope)
    text = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    number = int(node.value.replace("_", ""), 0) if isinstance(node, cst.Integer) else None
    checks: dict[str, Callable[[], bool]] = {
        exactly("str"): lambda: found in ("str", "char"),
        exactly(found or ""): lambda: found is not None,
        length(1): lambda: found == "char",
        longer(1): lambda: found == "char",
    }
    if what in checks and checks[what]():
        return True
    size = len(text) if text is not None else 1 if found == "char" else None
    return Seen(frozenset({"int"} if number is not None else ()), _twice(size), _twice(number)).shows(what)


def _twice(number: int | None) -> tuple[int, int] | None:
    return None if number is None else (number, number)
