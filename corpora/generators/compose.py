"""Composes functions of one argument: `f(g(h(x)))`, as `def main_solution(x)`.

The Composition Zoo and the string compositions share it; they differ in functions and inputs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any


@dataclass(frozen=True)
class FunctionApplication:
    """One application of a function.

    Attributes:
        name: Name of the function.
        source: Source of the function.
        arguments: Its arguments after the first, as source.
    """

    name: str
    source: str
    arguments: tuple[str, ...] = ()

    def apply_to(self, inner: str) -> str:
        """The call of this function on an expression.

        >>> FunctionApplication("f", "", ("'-'",)).apply_to("x")
        "f(x, '-')"
        """
        return f"{self.name}({', '.join((inner, *self.arguments))})"


def compose_program(steps: Sequence[FunctionApplication]) -> str:
    """The functions that are used, sorted by the number in their names, then `main_solution`.

    The last application is the outermost call. As in the paper, one blank line separates functions.
    """
    used = {step.name: step.source for step in steps}
    expression = "x"
    for step in steps:
        expression = step.apply_to(expression)
    functions = "\n\n".join(used[name].strip("\n") for name in sorted(used, key=_natural))
    return f"{functions}\n\ndef main_solution(x):\n    return {expression}\n"


def _natural(name: str) -> tuple[str, int]:
    """Sort key that puts func_2 before func_12."""
    head, _, tail = name.rpartition("_")
    return (head, int(tail)) if tail.isdigit() else (name, 0)


def split_functions(sources: str) -> dict[str, str]:
    """The source of each top-level function of a module by name, without the blank line after it."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in sources.strip("\n").splitlines():
        if line.startswith("def "):
            name = line.removeprefix("def ").partition("(")[0]
            found[name] = []
        found[name].append(line)
    return {name: "\n".join(lines).rstrip("\n") for name, lines in found.items()}


def define_functions(sources: str) -> dict[str, Any]:
    """What these sources define. They are executed here: only for functions of this project."""
    namespace: dict[str, Any] = {}
    exec(sources, namespace)
    return namespace


def random_word(chance: random.Random, shortest: int, longest: int) -> str:
    """A random word of `shortest` to `longest` letters."""
    return "".join(chance.choices(ascii_lowercase, k=chance.randint(shortest, longest)))
