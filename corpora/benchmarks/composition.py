"""String compositions: `func_12(func_12(func_14(x, '-')))` over the string functions of Yuan et al. (2025).

The program is written as "Debugging Code World Models" prints it in Appendix B.1: the functions that are used, under
the names func_0 … func_24, then `main_solution(x)`. The paper composes the 15 functions that CWM gets right alone
(`pool="paper"`); `pool="all"` composes all 25, and names ("reverse_words,add_suffix") those that another model gets
right. Each function alone is the benchmark `atomic`. The paper shows three of its
numbers (func_1, func_12, func_14), which are kept; the rest are numbered here. Inputs are 4 to 8 lower-case letters.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from corpora.errors import InputError
from corpora.generators.compose import Step, program, word
from corpora.generators.yuan_functions import BY_MEANING, PARAMETERS, PRINTED, named
from corpora.program import Case

SUMMARY = "string compositions: calls nested DEPTH deep over 15 (or all 25) string functions (paper, Appendix B.1)"
MAX_TOKENS = 4096

POOLS = ("paper", "all")
_SHOWN = {"add_prefix": 1, "alternate_case": 12, "insert_separator": 14}
_SOURCES = {**named(PRINTED), **named(BY_MEANING)}

_DRAW: dict[str, Callable[[random.Random], object]] = {
    "letters": lambda chance: word(chance, 2, 4),
    "separator": lambda chance: chance.choice("-_|"),
    "count": lambda chance: chance.randint(2, 4),
    "rotation": lambda chance: chance.randint(1, 3),
    "shift": lambda chance: chance.randint(1, 5),
    "depth": lambda chance: chance.randint(1, 3),
}


def _numbers() -> dict[str, str]:
    free = iter(sorted(set(range(len(_SOURCES))) - set(_SHOWN.values())))
    return {name: f"func_{_SHOWN[name] if name in _SHOWN else next(free)}" for name in _SOURCES}


NAMES = _numbers()


def cases(size: int = 100, seed: int = 0, depth: int = 3, pool: str = "paper", expected: bool = True) -> Iterator[Case]:
    """`size` programs, each a nest of `depth` functions drawn uniformly with repetition.

    pool: "paper", "all", or names of functions with commas between them. `expected=False` leaves the expected values
    out. Raises InputError for a depth below 1 or an unknown pool.
    """
    if depth < 1 or size < 0:
        raise InputError(f"compositions have depth >= 1 and size >= 0, not {depth=}, {size=}")
    pool_of(pool)
    for number in range(size):
        chance = random.Random(f"composition {pool} {seed} {depth} {number}")
        yield case(depth, chance, f"{seed}-{number}", pool, expected=expected)


def case(depth: int, chance: random.Random, name: str, pool: str = "paper", *, expected: bool = True) -> Case:
    """One program drawn from `chance`."""
    functions = pool_of(pool)
    chosen = [(function, _rest(function, chance)) for function in chance.choices(functions, k=depth)]
    value = word(chance, 4, 8)
    steps = [Step(NAMES[function], renamed(function), tuple(map(repr, rest))) for function, rest in chosen]
    answer = repr(_applied(chosen, value)) if expected else None
    call = f'main_solution("{value}")'
    return Case(f"composition-{depth}-{name}", program(steps), call, answer, "composition", f"string, depth {depth}")


def alone(function: str, chance: random.Random, name: str, *, expected: bool = True) -> Case:
    """One call of a single function, drawn from `chance`."""
    rest, value = _rest(function, chance), word(chance, 4, 8)
    source = program([Step(NAMES[function], renamed(function), tuple(map(repr, rest)))])
    answer = repr(_applied([(function, rest)], value)) if expected else None
    return Case(f"atomic-{function}-{name}", source, f'main_solution("{value}")', answer, "atomic", function)


def pool_of(pool: str) -> list[str]:
    """The functions of a pool. Raises InputError for a name that is neither a pool nor a function."""
    if pool in POOLS:
        return list(named(PRINTED)) if pool == "paper" else list(_SOURCES)
    names = [name.strip() for name in pool.split(",")]
    unknown = [name for name in names if name not in _SOURCES]
    if unknown:
        known = f"{' or '.join(POOLS)}, or of {', '.join(_SOURCES)}"
        raise InputError(f"compositions have pool {known}; not {', '.join(map(repr, unknown))}")
    return names


def composed(source: str) -> list[str]:
    """The functions that the program of a composition calls, once for each call.

    >>> composed(next(cases(size=1, depth=2)).source)
    ['backchain_add_digit', 'rotate_str']
    """
    names = {number: name for name, number in NAMES.items()}
    return [names[number] for number in re.findall(r"\bfunc_\d+(?=\()", source.rpartition("def main_solution")[2])]


def renamed(function: str) -> str:
    """The source of a function under its number."""
    return re.sub(rf"\b{function}\b", NAMES[function], _SOURCES[function])


def _rest(function: str, chance: random.Random) -> tuple[object, ...]:
    return (_DRAW[PARAMETERS[function]](chance),) if function in PARAMETERS else ()


def _applied(chosen: list[tuple[str, tuple[object, ...]]], value: str) -> object:
    held: object = value
    for function, rest in chosen:
        held = _NAMESPACE[function](held, *rest)
    return held


def _namespace() -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(PRINTED + BY_MEANING, namespace)  # this project's own functions, no foreign code
    return namespace


_NAMESPACE = _namespace()
