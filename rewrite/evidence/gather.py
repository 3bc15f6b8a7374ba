"""Runs calls of a program once in the sandbox, and keeps what they show of its expressions.

A call that raises is evidence too. One that does not end, or whose outcome depends on more than the program, is none,
and is named. What it does not do: say what is worth assuming (`rewrite.evidence.asking`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from corpora.determinism import find_dependences
from corpora.execute import MEGABYTES, SECONDS, run_observed
from corpora.program import Outcome
from rewrite.evidence.assumptions import Seen

OBSERVER = "rewrite.evidence.watching:Expressions"
BATCH = 25
Place = tuple[int, int, int, int]
"""Line and column where an expression begins and ends, as `ast` counts them: lines from 1, columns in bytes from 0."""


@dataclass(frozen=True)
class Evidence:
    """What calls showed of the expressions of a source, by place, and the calls that showed nothing, with why."""

    calls: tuple[str, ...] = ()
    seen: Mapping[Place, Seen] = field(default_factory=dict)
    none: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Watched:
    """What one call showed: `status` is "ok" or "raised", or what kept it from being evidence."""

    call: str
    status: str
    seen: Mapping[Place, Seen]


def gather(source: str, calls: Sequence[str], *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> Evidence:
    """What all of the calls show of the program.

    >>> found = gather("def f(x):\\n    return x.strip()", ["f('a')", "f('')"])
    >>> found.seen[2, 11, 2, 12]
    Seen(types=frozenset({'str'}), lengths=(0, 1), numbers=None, plain=None, holds=frozenset({'is ASCII only'}))
    """
    calls = list(dict.fromkeys(calls))
    restless = find_dependences(source, calls, seconds=seconds, megabytes=megabytes)
    none = {call: f"nondeterministic: depends on {' and '.join(names)}" for call, names in restless.items()}
    seen: dict[Place, Seen] = {}
    for watched in watch(source, [call for call in calls if call not in none], seconds=seconds, megabytes=megabytes):
        if watched.status not in ("ok", "raised"):
            none[watched.call] = watched.status
            continue
        for place, shown in watched.seen.items():
            seen[place] = seen[place] | shown if place in seen else shown
    used = tuple(call for call in calls if call not in none)
    return Evidence(used, seen, tuple((call, none[call]) for call in calls if call in none))


def watch(
    source: str, calls: Sequence[str], *, seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> Iterator[Watched]:
    """What each call shows, in order; several run in one process, and one that ends it costs no other its place."""
    left = list(calls)
    size = BATCH
    while left:
        batch = left[:size]
        outcome, lines = run_observed(source, OBSERVER, {"calls": batch}, seconds=seconds, megabytes=megabytes)
        found = list(_read(batch, lines))
        yield from found
        left = left[len(found) :]
        if len(found) == len(batch):
            size = BATCH
        elif len(batch) > 1:
            size = 1  # it has all the time for itself
        else:
            left = left[1:]
            yield Watched(batch[0], _why(outcome), {})


def _read(calls: Sequence[str], lines: Sequence[str]) -> Iterator[Watched]:
    for number, line in enumerate(lines[: len(calls)]):
        try:
            record = json.loads(line)
            seen = {_place(entry): _seen(entry) for entry in record["seen"]}
            status = str(record["status"])
            if record["call"] != number:
                return
        except (ValueError, LookupError, TypeError, RecursionError):
            return  # the program wrote it
        yield Watched(calls[number], status, seen)


def _place(entry: Sequence[int]) -> Place:
    line, column, last, end = entry[:4]
    return line, column, last, end


def _seen(entry: Sequence[object]) -> Seen:
    kinds, least, most, low, high, plain, holds = entry[4:]
    lengths = (least, most) if isinstance(least, int) and isinstance(most, int) else None
    numbers = (low, high) if isinstance(low, int) and isinstance(high, int) else None
    assert isinstance(kinds, list) and isinstance(holds, list)
    return Seen(frozenset(kinds), lengths, numbers, plain if isinstance(plain, bool) else None, frozenset(holds))


def _why(outcome: Outcome) -> str:
    if outcome.status in ("ok", "raised"):
        return f"it could not be observed: {outcome.detail or outcome.status}"
    return outcome.status
