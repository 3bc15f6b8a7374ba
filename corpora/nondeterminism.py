"""Finds nondeterministic calls, and what their outcomes depend on: randomness, time, identity, threads, hash order.

Each call runs twice, the second time with another hash seed, clock, random seed, process number and memory layout. Only
if the outcomes differ, each source is varied alone. A dependence that no variation reveals stays unknown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from corpora.execute import MEGABYTES, SECONDS, run_simulated
from corpora.program import Outcome
from corpora.sandbox.workers import pool

Dependence = Literal["random", "time", "identity", "threads", "hash order", "unexplained"]

_BASELINE = {"start": 1_700_000_000.0, "tick": 0.001, "chance": 0.0, "pid": 1000.0, "padding": 0.0}
_OTHER_CLOCK = {"start": 1_735_123_456.7, "tick": 0.0017}
_OTHER_SEED = {"chance": 1.0}
_OTHER_IDENTITY = {"pid": 2000.0, "padding": 4321.0}
OTHER_ENVIRONMENT: Mapping[str, float] = MappingProxyType({**_OTHER_CLOCK, **_OTHER_SEED, **_OTHER_IDENTITY})
"""A simulated environment in which everything differs that an ordinary run does not control."""
OTHER_HASH_SEED = 1
_REPEATS = 3


def dependences(
    source: str, call: str, *, seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> tuple[Dependence, ...]:
    r"""What the outcome of a call depends on besides the program.

    Args:
        source: The program.
        call: An expression.
        seconds: Limit on the wall time.
        megabytes: Limit on the address space beyond the interpreter's own.

    Returns:
        Empty for a deterministic call. "random": a seed, or randomness of the operating system; "time": a clock;
        "identity": memory addresses or process numbers; "threads": the outcome differs between equal runs (threads, or
        a clock that is not simulated); "hash order": the iteration order of sets of strings (not distinguished from
        "identity" where that matters too); "unexplained": no single variation shows the cause.

    Example:
        >>> dependences("import random\ndef f(): return random.random()", "f()")
        ('random',)
    """
    return find_dependences(source, [call], seconds=seconds, megabytes=megabytes).get(call, ())


def start_workers(observers: Sequence[str] = ()) -> None:
    """Start what `find_dependences` needs, at once and without waiting, in a caller that has other work before.

    Args:
        observers: Observers that will be needed.

    Raises:
        UnavailableError: No isolation level is available and allowed.
    """
    pool.start_workers((0, OTHER_HASH_SEED), observers)


def find_dependences(
    source: str,
    calls: Sequence[str],
    *,
    known: Mapping[str, Outcome] = MappingProxyType({}),
    same: Callable[[Outcome, Outcome], bool] = operator.eq,
    sequences: bool = False,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
) -> dict[str, tuple[Dependence, ...]]:
    r"""The nondeterministic calls among many, with what their outcomes depend on.

    A call that does not end by itself (timeout, memory, output) is not judged.

    Args:
        source: The program.
        calls: Expressions.
        known: Outcomes of ordinary runs, if the caller has them. If they recur in another environment, the call does
            not run again.
        same: Whether two outcomes are equal for the caller.
        sequences: As for `run_calls`.
        seconds: Limit on the wall time of each call.
        megabytes: Limit on the address space beyond the interpreter's own.

    Returns:
        As `dependences`, by call; deterministic calls are left out.

    Example:
        >>> find_dependences("import time\ndef f(x): return x and time.time()", ["f(0)", "f(1)"])
        {'f(1)': ('time',)}
    """

    def run(calls: Sequence[str], environment: Mapping[str, float] = _BASELINE, **variation: Any) -> list[Outcome]:
        return run_simulated(
            source, calls, environment, sequences=sequences, seconds=seconds, megabytes=megabytes, **variation
        )

    def changed(calls: Sequence[str], usual: Mapping[str, Outcome], **variation: Any) -> set[str]:
        outcomes = zip(calls, run(calls, **variation), strict=True)
        return {call for call, other in outcomes if other.has_ended and not same(usual[call], other)}

    def usual(calls: Sequence[str]) -> dict[str, Outcome]:
        return {call: outcome for call, outcome in zip(calls, run(calls), strict=True) if outcome.has_ended}

    def varied(calls: Sequence[str], **variation: Any) -> set[str]:
        """Calls that a variation changes, or that change between equal runs if there is none.

        A worker that is renewed between two runs has other memory addresses. Differences are therefore checked once
        more, unless an ordinary run after them agrees with the one before.
        """
        for _ in range(2):
            before = usual(calls)
            runs = 1 if variation else _REPEATS
            found = set().union(*(changed([*before], before, **variation) for _ in range(runs)))
            if not found or (variation and not changed([*found], before)):
                break
        return found

    if known:
        others = run(calls, OTHER_ENVIRONMENT, hash_seed=OTHER_HASH_SEED)
        calls = [call for call, other in zip(calls, others, strict=True) if not same(known[call], other)]
    ended = usual(calls)
    found = changed([*ended], ended, environment=OTHER_ENVIRONMENT, hash_seed=OTHER_HASH_SEED) if ended else set()
    differing = [call for call in ended if call in found]
    return _explain(varied, differing) if differing else {}


def _explain(varied: Callable[..., set[str]], calls: list[str]) -> dict[str, tuple[Dependence, ...]]:
    """Vary one source of nondeterminism at a time."""
    unstable = varied(calls)
    variations: dict[Dependence, set[str]] = {
        "threads": unstable,
        "random": varied(calls, environment={**_BASELINE, **_OTHER_SEED}) - unstable,
        "time": varied(calls, environment={**_BASELINE, **_OTHER_CLOCK}) - unstable,
        "identity": varied(calls, environment={**_BASELINE, **_OTHER_IDENTITY}, replica=1) - unstable,
    }
    variations["hash order"] = varied(calls, hash_seed=1) - unstable - variations["identity"]
    named: dict[str, tuple[Dependence, ...]] = {
        call: tuple(name for name, found in variations.items() if call in found) for call in calls
    }
    return {call: names or ("unexplained",) for call, names in named.items()}
