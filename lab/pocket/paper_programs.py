"""Held-out programs of the paper's kinds for the gate: compositions of the zoo, and permutations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from random import Random

from corpora.benchmarks import permutations, zoo
from corpora.program import Case
from lab.pocket.hold_out import is_case_held_out
from lab.pocket.simple_programs import draw

BENCHMARK = "paper-kinds"


@dataclass(frozen=True)
class PaperKind:
    """A kind of programs.

    Attributes:
        name: its name.
        draw: draws a random program.
        count: number of programs.
    """

    name: str
    draw: Callable[[Random], Case]
    count: int = 20


KINDS = (
    *(PaperKind(category, partial(draw, family="composition", name=category)) for category in zoo.SOURCES),
    *(PaperKind(f"S{n}", partial(draw, family="permutations", name=n)) for n in (3, 4, 5)),
    PaperKind("zoo three deep", lambda rng: zoo.case(rng.choice(list(zoo.SOURCES)), 3, rng, "", expected=False), 60),
    PaperKind("S5 8 steps", lambda rng: permutations.case(5, 8, rng, ""), 30),
)


def cases() -> Iterator[Case]:
    """The held-out programs of all kinds, which are always the same.

    The kinds alternate, so that the first N programs have similar numbers of each kind.
    """
    turns = zip_longest(*map(_cases, KINDS))
    yield from (case for turn in turns for case in turn if case)


def _cases(kind: PaperKind) -> list[Case]:
    rng = Random(f"{BENCHMARK} {kind.name}")
    found: dict[str, Case] = {}
    while len(found) < kind.count:
        case = kind.draw(rng)
        if is_case_held_out(case):
            found.setdefault(case.context, case)
    return [
        replace(case, id=f"{kind.name}-{number}", benchmark=BENCHMARK, kind=kind.name)
        for number, case in enumerate(found.values())
    ]
