"""Every kind of short function by name, and `short_function`, which draws one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from corpora.program import Case
from lab.short_functions import arithmetic, calls_and_exceptions, strings
from lab.short_functions.function_body import FunctionBody, build_case

KINDS: dict[str, Callable[[Random], FunctionBody]] = {
    "straight line": arithmetic.straight_line,
    "branch": arithmetic.branch,
    "counting loop": arithmetic.counting_loop,
    "list loop": arithmetic.list_loop,
    "text loop": arithmetic.text_loop,
    "string method": strings.string_methods,
    "character list": strings.character_list,
    "two functions": calls_and_exceptions.two_functions,
    "caught exception": calls_and_exceptions.caught_exception,
}


def short_function(rng: Random, kind: str) -> Case:
    """A random program `f` with one call.

    Args:
        rng: The only source of randomness: the same state gives the same program.
        kind: A key of `KINDS`.

    Returns:
        A case with an empty id, which the caller fills in. The case has no expected result.
    """
    return build_case(KINDS[kind](rng), kind)
