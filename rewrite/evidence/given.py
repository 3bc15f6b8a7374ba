"""What a rewrite is told beside recipe and options: how it deals with what is not proven, and what is too dear."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from corpora.errors import InputError
from rewrite.evidence.gather import Evidence


class Spot(NamedTuple):
    """A part of the original by the places of its characters, and the intervention that is meant, or "" for all."""

    start: int
    end: int
    intervention: str = ""

    def covers(self, span: tuple[int, int], intervention: str) -> bool:
        """Whether an intervention at an expression is meant: at the very one, or, of all, at what is in it.

        What leaves out one form of a loop over characters leaves out the others, too: they are no cheaper.
        """
        if self.intervention:
            return span == self[:2] and kind_of(intervention) == kind_of(self.intervention)
        return self.start <= span[0] and span[1] <= self.end


_KINDS = {"temporaries": "expressions", "": "expressions", "letters": "letters", "characters": "letters"}


def kind_of(intervention: str) -> str:
    """What an intervention does, by the recipe that does it: name nested values, show characters, or walk them."""
    return _KINDS.get(intervention, "methods")


@dataclass(frozen=True)
class Given:
    """What one rewrite goes by.

    unproven: one of MODES; left_out: what is not to be spelled out, and why; apart: which loops over characters are to
    stand in functions of their own; calls: for what needs to know who is called, and how.
    """

    unproven: str = "guard"
    evidence: Evidence | None = None
    left_out: Mapping[Spot, str] = field(default_factory=dict)
    apart: frozenset[Spot] = frozenset()
    calls: tuple[str, ...] = ()


USUAL = Given()
MODES = ("assume", "guard", "leave")
"""What is done where the source proves nothing: rely on what the calls showed, test the type, or leave it alone."""
COSTS: Mapping[str, float] = {"decompose": 4.0, "expressions": 4.0, "strings": 4.0, "letters": 4.0}
"""How many times the tokens of the original a recipe may take, if nothing else is said; any other, any number."""


def listed_calls(calls: str | Iterable[str]) -> tuple[str, ...]:
    """Calls as they may be given: some, or a single one as a string. Raises InputError for anything else.

    >>> listed_calls("f('banana')")
    ("f('banana')",)
    """
    found = (calls,) if isinstance(calls, str) else tuple(calls)
    for call in found:
        if not isinstance(call, str):
            raise InputError(f"a call must be a string such as 'f(1)', not {call!r}")
    return found


def read_calls(calls: str | Iterable[str]) -> tuple[str, ...]:
    """The calls, each once. Raises InputError for one that is no expression of Python."""
    found = tuple(dict.fromkeys(call.strip() for call in listed_calls(calls)))
    for call in found:
        try:
            ast.parse(call, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise InputError(f"no call that Python can read: {getattr(error, 'msg', error)}", where=call) from None
    return found


def read_mode(unproven: str | None, calls: Sequence[str]) -> str:
    """The mode that is meant, with these calls or without any. Raises InputError for one that there is not."""
    if unproven is None:
        return "assume" if calls else "guard"
    if unproven not in MODES:
        raise InputError(f"unproven must be {', '.join(MODES)} or None, not {unproven!r}")
    if unproven == "assume" and not calls:
        raise InputError("unproven='assume' needs calls that show what is to be assumed")
    return unproven


def read_cost(cost: float | str | None, recipe: str) -> float | None:
    """The limit that is meant for a recipe. Raises InputError for what is no number from 1 on."""
    if cost == "usual":
        return COSTS.get(recipe)
    if cost is not None and (isinstance(cost, str | bool) or not cost >= 1):
        raise InputError(f"cost must be a number from 1 on, or None, not {cost!r}")
    return cost
