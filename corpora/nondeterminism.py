"""Find out whether calls give the same Outcome every time, and if not, what it depends on.

Two runs decide: one, and one with another hash seed, clock, chance, process number and memory. Only where they differ
is one thing after another varied by itself. What stays unknown: a dependence that no variation happens to show.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from corpora.execute import MEGABYTES, SECONDS, run_simulated
from corpora.program import Outcome

Dependence = Literal["random", "time", "identity", "threads", "hash order", "unexplained"]

_USUAL = {"start": 1_700_000_000.0, "tick": 0.001, "chance": 0.0, "pid": 1000.0, "padding": 0.0}
_LATER = {"start": 1_735_123_456.7, "tick": 0.0017}
_CHANCE = {"chance": 1.0}
_ELSEWHERE = {"pid": 2000.0, "padding": 4321.0}
_OTHER = {**_LATER, **_CHANCE, **_ELSEWHERE}
_REPEATS = 3
_ENDED = ("ok", "raised")


def dependences(
    source: str, call: str, *, seconds: float = SECONDS, megabytes: int = MEGABYTES
) -> tuple[Dependence, ...]:
    """What the Outcome of a call depends on besides the program: empty for a deterministic one.

    "random": a seed or the system's randomness; "time": a clock; "identity": memory addresses or process numbers;
    "threads": differs from run to run by itself (threads, or a clock that is not replaced); "hash order": the order of
    sets of strings (where identity matters, not told apart from it); "unexplained": no single variation shows why.

    >>> dependences("import random\\ndef f(): return random.random()", "f()")
    ('random',)
    """
    return find_dependences(source, [call], seconds=seconds, megabytes=megabytes).get(call, ())


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
    """Those of many calls whose Outcomes depend on something besides the program, with what they depend on.

    known: Outcomes of usual runs that the caller has; where they hold in another world too, a call is not run again.
    sequences: as for `run_calls`. same: whether two Outcomes are one, for callers to whom not everything that an
    Outcome shows matters. A call that does not end by itself (timeout, memory, output) is not judged.

    >>> find_dependences("import time\\ndef f(x): return x and time.time()", ["f(0)", "f(1)"])
    {'f(1)': ('time',)}
    """

    def run(
        calls: Sequence[str], environment: Mapping[str, float] = _USUAL, hash_seed: int = 0, replica: int = 0
    ) -> list[Outcome]:
        return run_simulated(
            source,
            calls,
            environment,
            hash_seed=hash_seed,
            replica=replica,
            sequences=sequences,
            seconds=seconds,
            megabytes=megabytes,
        )

    def changed(calls: Sequence[str], usual: Mapping[str, Outcome], **variation: Any) -> set[str]:
        outcomes = zip(calls, run(calls, **variation), strict=True)
        return {call for call, other in outcomes if other.status in _ENDED and not same(usual[call], other)}

    def usual(calls: Sequence[str]) -> dict[str, Outcome]:
        return {call: outcome for call, outcome in zip(calls, run(calls), strict=True) if outcome.status in _ENDED}

    def varied(calls: Sequence[str], **variation: Any) -> set[str]:
        """Calls that a variation changes, or that change by themselves if there is none.

        A worker that is renewed between two runs has other memory addresses. Differences are therefore looked at
        once more, unless a usual run after them agrees with the one before.
        """
        for _ in range(2):
            before = usual(calls)
            runs = 1 if variation else _REPEATS
            found = set().union(*(changed([*before], before, **variation) for _ in range(runs)))
            if not found or (variation and not changed([*found], before)):
                break
        return found

    if known:
        others = run(calls, _OTHER, hash_seed=1)
        calls = [call for call, other in zip(calls, others, strict=True) if not same(known[call], other)]
    ended = usual(calls)
    found = changed([*ended], ended, environment=_OTHER, hash_seed=1) if ended else set()
    differing = [call for call in ended if call in found]
    return _explain(varied, differing) if differing else {}


def _explain(varied: Callable[..., set[str]], calls: list[str]) -> dict[str, tuple[Dependence, ...]]:
    """One thing after another varied by itself."""
    restless = varied(calls)
    variations: dict[Dependence, set[str]] = {
        "threads": restless,
        "random": varied(calls, environment={**_USUAL, **_CHANCE}) - restless,
        "time": varied(calls, environment={**_USUAL, **_LATER}) - restless,
        "identity": varied(calls, environment={**_USUAL, **_ELSEWHERE}, replica=1) - restless,
    }
    variations["hash order"] = varied(calls, hash_seed=1) - restless - variations["identity"]
    named: dict[str, tuple[Dependence, ...]] = {
        call: tuple(name for name, found in variations.items() if call in found) for call in calls
    }
    return {call: names or ("unexplained",) for call, names in named.items()}
