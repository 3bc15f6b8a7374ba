"""Find out whether a call gives the same Outcome every time, and if not, what it depends on.

Two runs decide: one, and one with another hash seed, clock, chance, process number and memory. Only where they differ
is one thing after another varied by itself. What stays unknown: a dependence that no variation happens to show.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from corpora.execute import MEGABYTES, SECONDS, run_in_world
from corpora.program import Outcome

Dependence = Literal["random", "time", "identity", "threads", "hash order", "unexplained"]

_USUAL = {"start": 1_700_000_000.0, "tick": 0.001, "chance": 0.0, "pid": 1000.0, "padding": 0.0}
_LATER = {"start": 1_735_123_456.7, "tick": 0.0017}
_CHANCE = {"chance": 1.0}
_ELSEWHERE = {"pid": 2000.0, "padding": 4321.0}
_REPEATS = 3


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

    def run(world: Mapping[str, float] = _USUAL, hash_seed: int = 0, replica: int = 0) -> Outcome:
        return run_in_world(
            source, call, world, hash_seed=hash_seed, replica=replica, seconds=seconds, megabytes=megabytes
        )

    usual = run()
    if usual == run({**_LATER, **_CHANCE, **_ELSEWHERE}, hash_seed=1):
        return ()
    return _explained(run, usual) or ("unexplained",)


def _explained(run: Callable[..., Outcome], usual: Outcome) -> tuple[Dependence, ...]:
    if any(run() != usual for _ in range(_REPEATS)):
        return ("threads",)
    found: list[Dependence] = []
    if run({**_USUAL, **_CHANCE}) != usual:
        found.append("random")
    if run({**_USUAL, **_LATER}) != usual:
        found.append("time")
    if run({**_USUAL, **_ELSEWHERE}, replica=1) != usual:
        found.append("identity")
    elif run(hash_seed=1) != usual:
        found.append("hash order")
    return tuple(found)
