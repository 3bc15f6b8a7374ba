"""Whether two Outcomes show the same behaviour, and if not, in which respect they first differ.

Works on the text that the sandbox wrote down; no foreign object ever comes here, so nothing foreign can lie.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from corpora.program import Outcome

FINISHED = ("ok", "raised")

_CAPPED = '["capped"'


def _exception(outcome: Outcome) -> object:
    return outcome.exception


ASPECTS: tuple[tuple[str, Callable[[Outcome], object]], ...] = (
    ("ending", lambda outcome: outcome.status),
    ("exception", _exception),
    ("value", lambda outcome: outcome.value),
    ("standard output", lambda outcome: outcome.stdout),
    ("arguments after the call", lambda outcome: outcome.arguments),
    ("globals", lambda outcome: outcome.globals),
    ("structure (types, order, aliasing or state)", lambda outcome: outcome.snapshot),
)


def undecided(before: Outcome, after: Outcome) -> str:
    """Why two outcomes cannot be compared, or "" if they can.

    A run that was stopped from outside (time, memory, output, a refused act) shows only that it was stopped: had it
    gone on, the two might have parted or met. The same holds for a value too large to be described whole.
    """
    for name, outcome in (("the original", before), ("the rewritten program", after)):
        if outcome.status not in FINISHED:
            return f"{name} ended with {outcome.status!r}" + (f" ({outcome.detail})" if outcome.detail else "")
    if difference(before, after) == "" and _CAPPED in before.snapshot:
        return "the result is too large to be compared whole"
    return ""


def difference(before: Outcome, after: Outcome) -> str:
    """The first aspect in which two finished runs differ, or "" if they do not.

    >>> difference(Outcome("ok", value="1"), Outcome("ok", value="True"))
    'value'
    """
    return next((name for name, look in ASPECTS if look(before) != look(after)), "")


@dataclass(frozen=True)
class Counterexample:
    """A call on which the programs differ, and in which respect; `str` of it can be pasted into a Python file."""

    call: str
    aspect: str
    before: Outcome
    after: Outcome

    def __str__(self) -> str:
        lines = [f"{self.call}  # differs in: {self.aspect}"]
        for name, outcome in (("before", self.before), ("after", self.after)):
            lines += [f"#   {name + ':':7} {line}" for line in _shown(outcome, self)]
        return "\n".join(lines)


def _shown(outcome: Outcome, example: Counterexample) -> list[str]:
    """How a run ended, and the aspect in question if that does not tell it."""
    ended = {"ok": f"-> {outcome.value}", "raised": f"raises {': '.join(outcome.exception or ())}"}
    lines = [ended.get(outcome.status, f"ended with {outcome.status} {outcome.detail}".rstrip())]
    if outcome.stdout or example.aspect == "standard output":
        lines.append(f"prints {outcome.stdout!r}")
    if example.before.arguments != example.after.arguments:
        lines.append(f"arguments afterwards: {', '.join(outcome.arguments)}")
    if example.before.globals != example.after.globals:
        lines.append(f"globals: {outcome.globals}")
    if example.aspect.startswith("structure"):
        lines.append(f"in detail: {outcome.snapshot}")
    return lines
