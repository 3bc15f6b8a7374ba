"""Compose one-argument expressions: `f(g(h(x)))` over functions of a pool, as `def main_solution(x)`.

Shared by the Composition Zoo and the string compositions, which differ in their functions and inputs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Step:
    """One application: the function's name, its source, and its arguments after the first, as text."""

    name: str
    source: str
    rest: tuple[str, ...] = ()

    def around(self, inner: str) -> str:
        """The call of this step on an expression.

        >>> Step("f", "", ("'-'",)).around("x")
        "f(x, '-')"
        """
        return f"{self.name}({', '.join((inner, *self.rest))})"


def program(steps: Sequence[Step]) -> str:
    """The functions that are used, once each, in order of their names in the source, then `main_solution`.

    The last step is the outermost call. Two blank lines never occur: the paper separates functions by one.
    """
    used = {step.name: step.source for step in steps}
    expression = "x"
    for step in steps:
        expression = step.around(expression)
    functions = "\n\n".join(used[name].strip("\n") for name in sorted(used, key=_natural))
    return f"{functions}\n\ndef main_solution(x):\n    return {expression}\n"


def _natural(name: str) -> tuple[str, int]:
    """func_2 before func_12."""
    head, _, tail = name.rpartition("_")
    return (head, int(tail)) if tail.isdigit() else (name, 0)


def word(chance: random.Random, shortest: int, longest: int, letters: str = "abcdefghijklmnopqrstuvwxyz") -> str:
    """A random word of `shortest` to `longest` letters."""
    return "".join(chance.choices(letters, k=chance.randint(shortest, longest)))
