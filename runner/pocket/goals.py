"""The accuracy goals of `pocket`, and the held-out programs that measure them: a fixed number per kind.

`spellout run pocket-goals` asks about them, `runner.pocket.results` prints the table. Does not import torch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from random import Random

from corpora.benchmarks import permutations, zoo
from corpora.program import Case
from runner.pocket.data import WEIGHTS, Kind, draw, held_out

# Name of the benchmark.
NAME = "pocket-goals"
# Goals other than 80 %; 0: no goal.
SHARES = {"S4": 0.9, "string method": 0.6, "character list": 0.0, "two functions": 0.0, "caught exception": 0.0}


@dataclass(frozen=True)
class Goal:
    """The goal for one kind of programs.

    Attributes:
        name: name of the kind.
        draw: draws a random program.
        share: the accuracy to reach (0: no goal).
        count: number of programs.
    """

    name: str
    draw: Callable[[Random], Case]
    share: float
    count: int = 20

    @property
    def kind(self) -> str:
        """The kind of its cases, without a comma, so that reports do not group it with its family."""
        return self.name.replace(",", "")


def _of_kind(kind: Kind) -> Goal:
    name = f"S{kind[1]}" if kind[0] == "permutations" else str(kind[1])
    return Goal(name, partial(draw, family=kind[0], name=kind[1]), SHARES.get(name, 0.8))


GOALS = (
    *map(_of_kind, WEIGHTS),
    Goal("zoo, three deep", lambda rng: zoo.case(rng.choice(list(zoo.SOURCES)), 3, rng, "", expected=False), 0.95, 60),
    Goal("S5, 8 steps", lambda rng: permutations.case(5, 8, rng, ""), 0.6, 30),
)


def cases() -> Iterator[Case]:
    """The held-out programs of all goals, which are always the same.

    The kinds alternate, so that the first N programs have similar numbers of each kind.
    """
    turns = zip_longest(*map(_cases, GOALS))
    yield from (case for turn in turns for case in turn if case)


def _cases(goal: Goal) -> list[Case]:
    rng = Random(f"goals {goal.name}")
    found: dict[str, Case] = {}
    while len(found) < goal.count:
        case = goal.draw(rng)
        if held_out(case):
            found.setdefault(case.context, case)
    return [
        replace(case, id=f"{goal.kind}-{number}", benchmark=NAME, kind=goal.kind)
        for number, case in enumerate(found.values())
    ]
