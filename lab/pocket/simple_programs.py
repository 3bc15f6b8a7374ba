"""Simple generated programs: compositions of the zoo, permutations, short functions, and drills of one operation.

A stream of programs depends on its seed only. No program is a benchmark's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

from corpora.benchmarks import permutations, zoo
from corpora.program import Case
from lab.short_functions import drills, kinds

Kind = tuple[str, str | int]
"""Generator, and its category or n."""


def _by_kind(**families: Mapping[Any, int]) -> dict[Kind, int]:
    return {(family, name): weight for family, weights in families.items() for name, weight in weights.items()}


WEIGHTS = _by_kind(
    composition={"boolean": 2, "bitwise": 16, "math": 8, "character": 6, "list": 9, "set": 5, "dictionary": 5},
    permutations={3: 1, 4: 2, 5: 4},
    functions=dict.fromkeys(kinds.KINDS, 8)
    | {"straight line": 24, "branch": 28, "string method": 32, "two functions": 5, "counting loop": 5},
    drills={"arithmetic": 40, "conditions": 36, "text": 28, "spelling": 20, "chain": 5}
    | {"characters": 6, "lookups": 6, "letters": 4, "bits": 18},
)
"""Relative frequency of each kind."""
DEPTHS = (1, 2, 2, 3, 3, 4, 5)
# Each key adds frames of a comprehension; a depth of 3 already gives the longest traces.
DICTIONARY_DEPTHS = (1, 2, 2, 3)
LENGTHS = (1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8)
# The numbers of the zoo are large and learnt late; some of the programs have smaller ones.
SMALL = {"bitwise": (0, 15), "math": (-12, 12)}
SMALL_SHARE = 0.3


def cases(seed: str) -> Iterator[Case]:
    """An endless stream of programs in the proportions of `WEIGHTS`."""
    rng = Random(seed)
    for number in count():
        yield replace(simple_program(rng), id=f"simple-{seed}-{number}")


def simple_program(rng: Random) -> Case:
    """A program of a random kind. The caller fills in its id."""
    return draw(rng, *rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0])


def draw(rng: Random, family: str, name: str | int) -> Case:
    """A random program of a kind. The caller fills in its id."""
    if family == "functions":
        return kinds.short_function(rng, str(name))
    if family == "drills":
        return drills.drill(rng, str(name))
    if family == "permutations":
        return permutations.case(int(name), rng.choice(LENGTHS), rng, "")
    depth = rng.choice(DICTIONARY_DEPTHS if name == "dictionary" else DEPTHS)
    case = zoo.case(str(name), depth, rng, "", expected=False)
    if name in SMALL and rng.random() < SMALL_SHARE:
        case = replace(case, call=f"main_solution({rng.randint(*SMALL[str(name)])})")
    return case
