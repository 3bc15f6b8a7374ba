"""The settings of one rewrite beyond its recipe and options: evidence, mode for unproven types, excluded sites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from corpora.calls import check_calls
from corpora.errors import InputError

if TYPE_CHECKING:
    from rewrite.evidence.gather import Evidence


class InterventionSite(NamedTuple):
    """A place where an intervention applies.

    Attributes:
        start: offset of the first character in the original.
        end: offset after the last character.
        intervention: the name of the intervention; "" for all of them.
    """

    start: int
    end: int
    intervention: str = ""

    def covers(self, span: tuple[int, int], intervention: str) -> bool:
        """Whether the site covers an intervention at an expression.

        A site with an intervention covers exactly its expression, and every intervention of the same kind: other forms
        of a loop over characters cost no less. A site without one covers every expression within it.
        """
        if self.intervention:
            return span == self[:2] and intervention_kind(intervention) == intervention_kind(self.intervention)
        return self.start <= span[0] and span[1] <= self.end


_KINDS = {"": "expressions"}


def register_kind(intervention: str, kind: str) -> None:
    """Register the recipe whose job an intervention does."""
    _KINDS[intervention] = kind


def intervention_kind(intervention: str) -> str:
    """Return the recipe whose job an intervention does: `expressions`, `idioms`, `elements`, `methods` or `letters`."""
    return _KINDS.get(intervention, "methods")


@dataclass(frozen=True)
class RewriteContext:
    """The settings of one rewrite.

    Attributes:
        unproven: what to do with unproven types, one of `UNPROVEN_MODES`.
        evidence: what the calls showed, None without calls.
        excluded: sites that are left alone, each with the reason.
        outlined: loops over characters that become functions of their own.
        calls: all known calls, for passes that must know how functions are called.
        condensed: whether a condition stays one expression where none of its operands needs a step of its own, since
            the branch taken shows its value, and a tuple or list of variables and constants stays where it is used.
    """

    unproven: str = "guard"
    evidence: Evidence | None = None
    excluded: Mapping[InterventionSite, str] = field(default_factory=dict)
    outlined: frozenset[InterventionSite] = frozenset()
    calls: tuple[str, ...] = ()
    condensed: bool = False


DEFAULT_CONTEXT = RewriteContext()
UNPROVEN_MODES = ("assume", "guard", "leave")
"""What to do where the source does not prove a type: assume what the calls showed, test the type, or change nothing."""


def check_source(source: object) -> None:
    """Check that a program is given as a string.

    Raises:
        InputError: if it is something else, such as None from a row without a program.
    """
    if not isinstance(source, str):
        raise InputError(f"the program must be a string, not {type(source).__name__}")


def list_calls(calls: str | Iterable[str]) -> tuple[str, ...]:
    """Return calls given as one string or as several.

    Raises:
        InputError: if a call, or `calls` itself, is neither a string nor several.

    Example:
        >>> list_calls("f('banana')")
        ("f('banana')",)
    """
    if not isinstance(calls, Iterable):
        raise InputError(f"calls must be a string or several, not {calls!r}")
    found = (calls,) if isinstance(calls, str) else tuple(calls)
    for call in found:
        if not isinstance(call, str):
            raise InputError(f"a call must be a string such as 'f(1)', not {call!r}")
    return found


def read_calls(source: str, calls: str | Iterable[str]) -> tuple[str, ...]:
    """Return the calls of a program, stripped and without duplicates.

    Raises:
        InputError: if a call is not a Python expression, does not call the program, or uses a name that it does not
            define.
    """
    found = tuple(dict.fromkeys(call.strip() for call in list_calls(calls)))
    check_calls(source, {call: call for call in found})
    return found


def read_mode(unproven: str | None, calls: Sequence[str]) -> str:
    """Return the mode for unproven types; None selects "assume" with calls and "guard" without.

    Raises:
        InputError: for an unknown mode, and for "assume" without calls.
    """
    if unproven is None:
        return "assume" if calls else "guard"
    if unproven not in UNPROVEN_MODES:
        raise InputError(f"unproven must be {', '.join(UNPROVEN_MODES)} or None, not {unproven!r}")
    if unproven == "assume" and not calls:
        raise InputError("unproven='assume' needs calls: only calls show what to assume")
    return unproven


def read_cost(cost: float | str | None, usual: float | None) -> float | None:
    """Return the limit of a rewrite's cost, as a multiple of the original's trace tokens; None means no limit.

    Args:
        cost: a number, None for no limit, or "usual".
        usual: the recipe's usual limit.

    Raises:
        InputError: if the cost is not a number from 1 on.
    """
    if cost == "usual":
        return usual
    if cost is not None and (isinstance(cost, str | bool) or not cost >= 1):
        raise InputError(f"cost must be a number >= 1 or None, not {cost!r}")
    return cost
