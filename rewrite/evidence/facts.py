"""What is known about an expression: a fact is proven by the source, assumed because every call showed it, or unknown.

`is_known` only looks. `assume` also records a fact that is not proven, so that it appears in `Rewritten.assumes`.
Code that no call reached, and a rewrite without calls, have nothing to assume. Not in scope: running calls
(`rewrite.evidence.gather`) and what to write where nothing is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

import libcst as cst

from rewrite.analysis.exact_types import TYPES, exact_type
from rewrite.analysis.scopes import Scope
from rewrite.evidence.assumptions import PLAIN_LOOKUP, Assumption, ValueSummary, exactly
from rewrite.evidence.context import InterventionSite
from rewrite.syntax.source_map import PrintedModule
from rewrite.syntax.tree import code, one_line

if TYPE_CHECKING:
    from rewrite.evidence.gather import Evidence, SourceRange

NOT_PROVEN = "not proven to be a str, not shown by a call, and no type test requested"
TypeStrategy = Literal["rely", "guard", "leave", "skip"]


class FactContext(Protocol):
    """Where a question about facts is asked: the lowering of a scope."""

    scope: Scope
    shown: ObservedFacts | None
    unproven: str


class ObservedFacts:
    """What the calls showed of one module, and the facts that its rewrite assumes so far."""

    def __init__(self, old: PrintedModule, evidence: Evidence) -> None:
        self._old = old
        self._seen = evidence.seen
        self._lines = old.text.split("\n")
        self._noted: dict[tuple[int, str], tuple[cst.BaseExpression, str]] = {}

    def of(self, node: cst.BaseExpression) -> ValueSummary | None:
        """Return what was observed of a node; None if no call reached it or if the rewrite created it."""
        place = self._place(node)
        return self._seen.get(place) if place is not None else None

    def note(self, node: cst.BaseExpression, what: str) -> None:
        """Record that the rewrite assumes a fact about a node of the original."""
        self._noted[id(node), what] = (node, what)

    def assumptions(self) -> tuple[Assumption, ...]:
        """Return the recorded assumptions in the order of the original."""
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

    def _place(self, node: cst.BaseExpression) -> SourceRange | None:
        span = self._span(node)
        return None if span is None else (*self._at(span[0]), *self._at(span[1]))

    def _span(self, node: cst.BaseExpression) -> tuple[int, int] | None:
        """The offsets that `ast` reports for a node: without its brackets, except those of tuples and generators."""
        span = self._old.span_of(node)
        if span is None:
            return None
        if not node.lpar:
            return span
        around = 1 if isinstance(node, (cst.Tuple, cst.GeneratorExp)) else 0
        opening = "".join(map(code, node.lpar[: len(node.lpar) - around]))
        closing = "".join(map(code, node.rpar[around:]))
        return span[0] + len(opening), span[1] - len(closing)

    def _at(self, offset: int) -> tuple[int, int]:
        line, column = self._old.line_and_column(offset)
        return line, len(self._lines[line - 1][:column].encode("utf-8", "surrogatepass"))


class SiteSelection:
    """A set of sites of one module, such as those excluded for their cost."""

    def __init__(self, old: PrintedModule | None = None, spots: Collection[InterventionSite] = ()) -> None:
        self._old = old
        self._spots = spots

    def holds(self, node: cst.CSTNode, intervention: str) -> bool:
        """Whether a site covers an intervention at this node."""
        span = self._old.span_of(node) if self._old is not None and self._spots else None
        return span is not None and any(spot.covers(span, intervention) for spot in self._spots)


@dataclass(frozen=True)
class PriorKnowledge:
    """A `RewriteContext` prepared for one module."""

    unproven: str = "guard"
    shown: ObservedFacts | None = None
    excluded: SiteSelection = field(default_factory=SiteSelection)
    outlined: SiteSelection = field(default_factory=SiteSelection)
    condensed: bool = False


NO_KNOWLEDGE = PriorKnowledge()


def is_known(node: cst.BaseExpression, what: str, steps: FactContext) -> bool:
    """Whether a fact of a node is proven or may be assumed; nothing is recorded.

    Args:
        node: an expression of the original; for an expression that the rewrite created, a fact can only be proven. For
            `PLAIN_LOOKUP`, the attribute.
        what: a fact, such as `exactly("str")`, `has_length(1)` or `PLAIN_LOOKUP`.
        steps: the lowering of the scope.
    """
    return _is_proven(node, what, steps.scope) or _is_shown(node, what, steps)


def is_any_known(node: cst.BaseExpression, facts: Iterable[str], steps: FactContext) -> bool:
    """Whether one of some facts of a node is proven or may be assumed; nothing is recorded."""
    return any(is_known(node, what, steps) for what in facts)


def assume_any(node: cst.BaseExpression, facts: Iterable[str], steps: FactContext) -> bool:
    """Whether one of some facts is proven or assumed; the first that holds is recorded if it is an assumption."""
    return any(assume(node, what, steps) for what in facts)


def assume(node: cst.BaseExpression, what: str, steps: FactContext) -> bool:
    """Whether a fact is proven or assumed; an assumption is recorded, since the rewrite depends on it from here on."""
    if _is_proven(node, what, steps.scope):
        return True
    if steps.shown is None or not _is_shown(node, what, steps):
        return False
    steps.shown.note(node, what)
    return True


def _is_shown(node: cst.BaseExpression, what: str, steps: FactContext) -> bool:
    seen = steps.shown.of(node) if steps.shown is not None else None
    return seen is not None and seen.supports(what)


def choose_strategy(node: cst.BaseExpression, kind: str, steps: FactContext) -> TypeStrategy:
    """Choose how to treat a node that must have exactly one type.

    With calls, a node that the calls showed and that never had the type is skipped, and one that sometimes had it is
    guarded. A node that no call reached is left alone, since nothing suggests that a guard would pay.

    Returns:
        "rely" (proven or assumed), "guard" (write a type test), "leave" (report it) or "skip" (ignore it).
    """
    if is_known(node, exactly(kind), steps):
        return "rely"
    if steps.unproven != "assume":
        return "guard" if steps.unproven == "guard" else "leave"
    seen = steps.shown.of(node) if steps.shown is not None else None
    if seen is None:
        return "leave"
    return "guard" if kind in seen.types else "skip"


def may_guard(node: cst.BaseExpression, steps: FactContext) -> bool:
    """Whether a type test of the value may be written: not in mode "leave", and with calls only where a call came."""
    if steps.unproven == "assume":
        return steps.shown is not None and steps.shown.of(node) is not None
    return steps.unproven == "guard"


def _is_proven(node: cst.BaseExpression, what: str, scope: Scope) -> bool:
    if what == PLAIN_LOOKUP:
        if not isinstance(node, cst.Attribute):
            return False
        itself = isinstance(node.value, cst.Name) and scope.is_builtin(node.value.value)
        known = TYPES.get(node.value.value if itself else exact_type(node.value, scope) or "")  # type: ignore[attr-defined]
        return known is not None and hasattr(known, node.attr.value)
    return _shown_by_source(node, scope).supports(what)


def _shown_by_source(node: cst.BaseExpression, scope: Scope) -> ValueSummary:
    """What the source proves of a value: its type, and the length or number of a literal."""
    found = exact_type(node, scope)
    types = frozenset() if found is None else frozenset({"str" if found == "char" else found})
    if isinstance(node, cst.SimpleString):
        return ValueSummary(types, _twice(len(node.evaluated_value)))
    if isinstance(node, cst.Integer):
        return ValueSummary(types, None, _twice(int(node.value.replace("_", ""), 0)))
    return ValueSummary(types, _twice(1) if found == "char" else None)


def _twice(number: int) -> tuple[int, int]:
    return number, number
