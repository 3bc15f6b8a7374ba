"""String compositions: `func_12(func_12(func_14(x, '-')))` over the string functions of Yuan et al. (2025).

The program has the form of Appendix B.1 of "Debugging Code World Models": the functions that are used, named func_0 …
func_24, then `main_solution(x)`. The paper composes the 15 functions that CWM gets right on their own (`pool="paper"`).
`pool="all"` composes all 25; a list of names ("reverse_words,add_suffix") composes those that another model gets right.
The benchmark `atomic` tests each function on its own. The paper prints three of its numbers (func_1, func_12, func_14),
which are kept; the others are ours. Inputs are 4 to 8 lower-case letters.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from corpora.errors import InputError
from corpora.generators.compose import (
    FunctionApplication,
    compose_program,
    define_functions,
    random_word,
    split_functions,
)
from corpora.generators.yuan_functions import PAPER_FUNCTIONS, PARAMETERS, RECONSTRUCTED_FUNCTIONS
from corpora.program import Case

SUMMARY = "string compositions: calls nested DEPTH deep over 15 (or all 25) string functions (paper, Appendix B.1)"
MAX_TOKENS = 4096

POOLS = ("paper", "all")
_PAPER_NUMBERS = {"add_prefix": 1, "alternate_case": 12, "insert_separator": 14}
_SOURCES = {**split_functions(PAPER_FUNCTIONS), **split_functions(RECONSTRUCTED_FUNCTIONS)}

_DRAW: dict[str, Callable[[random.Random], object]] = {
    "letters": lambda chance: random_word(chance, 2, 4),
    "separator": lambda chance: chance.choice("-_|"),
    "count": lambda chance: chance.randint(2, 4),
    "rotation": lambda chance: chance.randint(1, 3),
    "shift": lambda chance: chance.randint(1, 5),
    "depth": lambda chance: chance.randint(1, 3),
}

_free = iter(sorted(set(range(len(_SOURCES))) - set(_PAPER_NUMBERS.values())))
NAMES = {name: f"func_{_PAPER_NUMBERS[name] if name in _PAPER_NUMBERS else next(_free)}" for name in _SOURCES}
_NAMESPACE = define_functions(PAPER_FUNCTIONS + RECONSTRUCTED_FUNCTIONS)


def cases(size: int = 100, seed: int = 0, depth: int = 3, pool: str = "paper", expected: bool = True) -> Iterator[Case]:
    """`size` programs, each a composition of `depth` functions drawn uniformly with repetition.

    Args:
        size: Number of programs.
        seed: Random seed.
        depth: Number of nested calls.
        pool: "paper", "all", or function names separated by commas.
        expected: Whether to compute the expected values.

    Raises:
        InputError: A depth below 1, a negative size or an unknown pool.
    """
    if depth < 1 or size < 0:
        raise InputError(f"compositions need depth >= 1 and size >= 0, not {depth=}, {size=}")
    pool_functions(pool)
    for number in range(size):
        chance = random.Random(f"composition {pool} {seed} {depth} {number}")
        yield case(depth, chance, f"{seed}-{number}", pool, expected=expected)


def case(depth: int, chance: random.Random, name: str, pool: str = "paper", *, expected: bool = True) -> Case:
    """One random program; `chance` is the only source of randomness."""
    chosen = chance.choices(pool_functions(pool), k=depth)
    return _case(chosen, chance, f"composition-{depth}-{name}", "composition", f"string, depth {depth}", expected)


def single_call(function: str, chance: random.Random, name: str, *, expected: bool = True) -> Case:
    """One random call of a single function."""
    return _case([function], chance, f"atomic-{function}-{name}", "atomic", function, expected)


def _case(functions: list[str], chance: random.Random, name: str, benchmark: str, kind: str, expected: bool) -> Case:
    arguments = [(_DRAW[PARAMETERS[one]](chance),) if one in PARAMETERS else () for one in functions]
    value = random_word(chance, 4, 8)
    steps = []
    result: object = value
    for function, more in zip(functions, arguments, strict=True):
        steps.append(FunctionApplication(NAMES[function], numbered_source(function), tuple(map(repr, more))))
        if expected:
            result = _NAMESPACE[function](result, *more)
    answer = repr(result) if expected else None
    return Case(name, compose_program(steps), f'main_solution("{value}")', answer, benchmark, kind)


def pool_functions(pool: str) -> list[str]:
    """The functions of a pool. Raises InputError for a name that is neither a pool nor a function."""
    if pool in POOLS:
        return list(split_functions(PAPER_FUNCTIONS)) if pool == "paper" else list(_SOURCES)
    names = [name.strip() for name in pool.split(",")]
    unknown = [name for name in names if name not in _SOURCES]
    if unknown:
        known = f"{' or '.join(POOLS)}, or of {', '.join(_SOURCES)}"
        raise InputError(f"the pool of compositions is {known}; not {', '.join(map(repr, unknown))}")
    return names


def called_functions(source: str) -> list[str]:
    """The functions that a composed program calls, once per call.

    >>> called_functions(next(cases(size=1, depth=2)).source)
    ['backchain_add_digit', 'rotate_str']
    """
    names = {number: name for name, number in NAMES.items()}
    return [names[number] for number in re.findall(r"\bfunc_\d+(?=\()", source.rpartition("def main_solution")[2])]


def numbered_source(function: str) -> str:
    """The source of a function, renamed to its number."""
    return re.sub(rf"\b{function}\b", NAMES[function], _SOURCES[function])
