"""Run the calls of a program once in the sandbox and collect facts about its expressions.

A call that raises is evidence too. A call that does not end, or whose outcome is nondeterministic, is not, and is
reported. Not in scope: what to assume (`rewrite.evidence.facts`).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from corpora.execute import SECONDS, run_observed
from corpora.library_modification import may_modify_library
from corpora.nondeterminism import find_dependences, start_workers
from corpora.program import Outcome
from rewrite.evidence.assumptions import ValueSummary

OBSERVER = "rewrite.evidence.value_observer:ValueObserver"
BATCH = 25
SourceRange = tuple[int, int, int, int]
"""Line and column where an expression begins and ends, as `ast` counts: lines from 1, columns in bytes from 0."""


@dataclass(frozen=True)
class Evidence:
    """What calls showed of the expressions of a source.

    Attributes:
        calls: the calls that are evidence.
        seen: a summary of the values of each expression, by its position.
        unobserved: the calls that are not evidence, each with the reason.
    """

    calls: tuple[str, ...] = ()
    seen: Mapping[SourceRange, ValueSummary] = field(default_factory=dict)
    unobserved: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CallObservation:
    """What one call showed.

    Attributes:
        call: the call.
        status: "ok", "raised", or why the call is not evidence.
        seen: a summary of the values of each expression, by its position.
    """

    call: str
    status: str
    seen: Mapping[SourceRange, ValueSummary]


def gather_evidence(source: str, calls: Sequence[str], *, seconds: float = SECONDS) -> Evidence:
    """Run all calls and merge what they show.

    Args:
        source: the program.
        calls: Python expressions that call it.
        seconds: time limit for each batch of calls.

    Example:
        >>> found = gather_evidence("def f(x):\\n    return x.strip()", ["f('a')", "f('')"])
        >>> found.seen[2, 11, 2, 12].types, found.seen[2, 11, 2, 12].lengths
        (frozenset({'str'}), (0, 1))
    """
    calls = list(dict.fromkeys(calls))
    if calls:
        start_workers()
    nondeterministic = find_dependences(source, calls, seconds=seconds)
    none = {call: f"nondeterministic: depends on {' and '.join(names)}" for call, names in nondeterministic.items()}
    seen: dict[SourceRange, ValueSummary] = {}
    for watched in observe_calls(source, [call for call in calls if call not in none], seconds=seconds):
        if watched.status not in ("ok", "raised"):
            none[watched.call] = watched.status
            continue
        for place, shown in watched.seen.items():
            seen[place] = seen[place] | shown if place in seen else shown
    used = tuple(call for call in calls if call not in none)
    return Evidence(used, seen, tuple((call, none[call]) for call in calls if call in none))


def observe_calls(
    source: str, calls: Sequence[str], *, seconds: float = SECONDS, places: Collection[SourceRange] = ()
) -> Iterator[CallObservation]:
    """Yield what each call shows, in order.

    Calls share a process if the program is proven not to need one for each. If one ends it, the calls after it run in a
    new process.

    Args:
        source: the program.
        calls: Python expressions that call it.
        seconds: time limit for each batch of calls.
        places: positions of the expressions to observe (default: all).
    """
    left = list(calls)
    size = most = 1 if may_modify_library(source, calls) else BATCH
    while left:
        batch = left[:size]
        outcome, lines = run_observed(source, OBSERVER, {"calls": batch, "places": list(places)}, seconds=seconds)
        found = list(_read(batch, lines))
        yield from found
        left = left[len(found) :]
        if len(found) == len(batch):
            size = most
        elif len(batch) > 1:
            size = 1  # the next call gets the whole time limit
        else:
            left = left[1:]
            yield CallObservation(batch[0], _why(outcome, seconds), {})


def _read(calls: Sequence[str], lines: Sequence[str]) -> Iterator[CallObservation]:
    for number, line in enumerate(lines[: len(calls)]):
        try:
            record = json.loads(line)
            seen = {_place(entry): _seen(entry) for entry in record["seen"]}
            status = str(record["status"])
            if record["call"] != number:
                return
        except (ValueError, LookupError, TypeError, RecursionError):
            return  # the program wrote this line itself
        yield CallObservation(calls[number], status, seen)


def _place(entry: Sequence[int]) -> SourceRange:
    line, column, last, end = entry[:4]
    return line, column, last, end


def _seen(entry: Sequence[object]) -> ValueSummary:
    kinds, least, most, low, high, plain, holds = entry[4:]
    lengths = (least, most) if isinstance(least, int) and isinstance(most, int) else None
    numbers = (low, high) if isinstance(low, int) and isinstance(high, int) else None
    assert isinstance(kinds, list) and isinstance(holds, list)
    return ValueSummary(
        frozenset(kinds), lengths, numbers, plain if isinstance(plain, bool) else None, frozenset(holds)
    )


def _why(outcome: Outcome, seconds: float) -> str:
    if outcome.status == "timeout":
        return f"it did not end within {seconds:g} seconds"
    if outcome.has_ended:
        return f"could not be observed: {outcome.detail or outcome.status}"
    return outcome.status
