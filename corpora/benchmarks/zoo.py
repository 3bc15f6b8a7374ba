"""The Composition Zoo of "Debugging Code World Models", Appendix B.3: seven categories of five one-argument functions.

The functions are verbatim from the paper. A program contains the functions that it uses and `def main_solution(x)` with
`depth` nested calls, drawn uniformly with repetition. The paper does not print the inputs; `_INPUTS` defines the ones
drawn here. The expected values are computed by calling these functions, which are trusted code of this module.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from corpora.errors import InputError, did_you_mean
from corpora.generators.compose import FunctionApplication, compose_program, define_functions, split_functions
from corpora.program import Case

SUMMARY = "Composition Zoo: seven non-string categories, calls nested DEPTH deep (paper, Appendix B.3)"

SOURCES: dict[str, str] = {
    "boolean": """
def bool_and_true(x):
    return x and True

def bool_or_false(x):
    return x or False

def bool_not(x):
    return not x

def bool_identity(x):
    return x

def bool_xor_true(x):
    return x != True
""",
    "bitwise": """
def bit_and_15(x):
    return x & 15

def bit_or_8(x):
    return x | 8

def bit_xor_7(x):
    return x ^ 7

def bit_shift_left_1(x):
    return x << 1

def bit_shift_right_1(x):
    return x >> 1
""",
    "math": """
def math_abs(x):
    return abs(x)

def math_negate(x):
    return -x

def math_double(x):
    return x * 2

def math_halve(x):
    return x // 2

def math_mod_10(x):
    return x % 10
""",
    "character": """
def char_next(c):
    return chr((ord(c) - ord('a') + 1) % 26 + ord('a'))

def char_prev(c):
    return chr((ord(c) - ord('a') - 1) % 26 + ord('a'))

def char_shift_3(c):
    return chr((ord(c) - ord('a') + 3) % 26 + ord('a'))

def char_shift_5(c):
    return chr((ord(c) - ord('a') + 5) % 26 + ord('a'))

def char_identity(c):
    return c
""",
    "list": """
def list_append_0(lst):
    return lst + [0]

def list_prepend_1(lst):
    return [1] + lst

def list_reverse(lst):
    return lst[::-1]

def list_drop_first(lst):
    return lst[1:] if len(lst) > 1 else lst

def list_drop_last(lst):
    return lst[:-1] if len(lst) > 1 else lst
""",
    "set": """
def set_add_1(s):
    return s | {1}

def set_add_2(s):
    return s | {2}

def set_remove_1(s):
    return s - {1}

def set_remove_2(s):
    return s - {2}

def set_intersect_123(s):
    return s & {1, 2, 3}
""",
    "dictionary": """
def dict_set_a_1(d):
    return {**d, 'a': 1}

def dict_set_b_2(d):
    return {**d, 'b': 2}

def dict_remove_a(d):
    return {k: v for k, v in d.items() if k != 'a'}

def dict_remove_b(d):
    return {k: v for k, v in d.items() if k != 'b'}

def dict_inc_a(d):
    return {**d, 'a': d.get('a', 0) + 1}
""",
}

_INPUTS: dict[str, Callable[[random.Random], object]] = {
    "boolean": lambda chance: chance.random() < 0.5,
    "bitwise": lambda chance: chance.randint(0, 255),
    "math": lambda chance: chance.randint(-100, 100),
    "character": lambda chance: chance.choice("abcdefghijklmnopqrstuvwxyz"),
    "list": lambda chance: [chance.randint(0, 9) for _ in range(chance.randint(1, 5))],
    "set": lambda chance: {chance.randint(0, 9) for _ in range(chance.randint(1, 5))},
    "dictionary": lambda chance: {key: chance.randint(0, 9) for key in sorted(chance.sample("abcd", 2))},
}


_FUNCTIONS = {kind: split_functions(sources) for kind, sources in SOURCES.items()}
_NAMESPACES = {kind: define_functions(sources) for kind, sources in SOURCES.items()}


def cases(
    size: int = 10, seed: int = 0, depth: int = 5, kinds: str | Sequence[str] = (), expected: bool = True
) -> Iterator[Case]:
    """`size` programs of each category.

    Args:
        size: Number of programs per category.
        seed: Random seed.
        depth: Number of nested calls.
        kinds: Names of categories, or one string "boolean,list"; default: all seven.
        expected: Whether to compute the expected values (slower).

    Raises:
        InputError: An unknown category, a depth below 1 or a negative size.
    """
    chosen = [kind.strip() for kind in kinds.split(",")] if isinstance(kinds, str) else list(kinds)
    chosen = [kind for kind in chosen if kind] or list(SOURCES)
    unknown = next((kind for kind in chosen if kind not in SOURCES), None)
    if unknown is not None:
        raise InputError(f"unknown kind {unknown!r}{did_you_mean(unknown, SOURCES)}; known are {', '.join(SOURCES)}")
    if depth < 1 or size < 0:
        raise InputError(f"the zoo needs a depth of at least 1 and no negative size; not {depth=}, {size=}")
    for kind in chosen:
        for number in range(size):
            chance = random.Random(f"zoo {kind} {seed} {depth} {number}")
            yield case(kind, depth, chance, f"{seed}-{number}", expected=expected)


def case(kind: str, depth: int, chance: random.Random, name: str, *, expected: bool = True) -> Case:
    """One random program; `chance` is the only source of randomness."""
    pool = _FUNCTIONS[kind]
    steps = [FunctionApplication(function, pool[function]) for function in chance.choices(list(pool), k=depth)]
    value = _INPUTS[kind](chance)
    call = f"main_solution({value!r})"
    result = value
    for step in steps if expected else ():
        result = _NAMESPACES[kind][step.name](result)
    answer = repr(result) if expected else None
    return Case(f"zoo-{kind}-{depth}-{name}", compose_program(steps), call, answer, "zoo", f"{kind}, depth {depth}")
