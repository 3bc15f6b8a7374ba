"""Draws small programs: the registry of forms, and the assembly of a program with its calls."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from corpora.literals import compile_quietly
from corpora.source_block import source_block
from rewrite.program_grammar.generated_program import Program

Drawn = TypeVar("Drawn", str, list[str])
NAMES = ("a", "b", "c")
MOST_LINES = 14
ARGUMENTS: dict[str, tuple[str, ...]] = {
    "a": ("0", "1", "2", "-1", "3", "5", "True", "1.5", "float('nan')", "''", "'ab'", "[]", "[1, 2]", "[3, 1]", "None"),
    "b": ("1", "0", "2", "-2", "4", "'a'", "'ba'", "[1]", "[0, 1, 1]", "[[1], [2]]", "(1, 2)", "{'k': 1}", "2.0"),
    "c": ("[1, 2, 3]", "[]", "[2, 2]", "'abca'", "{'k': 2, 'm': 0}", "(0, 1)", "[1, True, 1.0]", "{1, 2}", "3", "''"),
}
_NUMBERS, _LISTS = ("0", "1", "2", "-1", "3", "1.5", "True"), ("[]", "[1]", "[1, 2]", "[3, 1]", "[0, 0, 2]")
_STRINGS = ("''", "'a'", "'ba'", "'b,a'", "'aba'")
_ITEMS = ("[3, 1, 2]", "[1, 1]", "(2, 0)", "[0]", "[]", "[1, True, 2]")
SIMILAR: tuple[dict[str, tuple[str, ...]], ...] = (
    {"a": _NUMBERS, "b": _NUMBERS, "c": _ITEMS},
    {"a": _NUMBERS, "b": _NUMBERS, "c": _NUMBERS},
    {"a": _LISTS, "b": _LISTS, "c": _LISTS},
    {"a": _STRINGS, "b": _STRINGS, "c": _STRINGS},
    {"a": _NUMBERS, "b": _LISTS, "c": _LISTS},
    {"a": _NUMBERS, "b": _NUMBERS, "c": ("{'k': 1}", "{'k': 0, 'm': 2}", "{}")},
)
HELPERS: dict[str, str] = {
    "note": """
        def note(value):
            print('note', value)
            return value
    """,
    "fail": """
        def fail(value):
            print('fail', value)
            raise ValueError(value)
    """,
    "Item": """
        class Item:
            def __init__(self, n):
                self.n = n
            def __bool__(self):
                print('bool', self.n)
                return self.n > 0
            def __eq__(self, other):
                print('eq', self.n)
                return self.n == getattr(other, 'n', other)
            def __lt__(self, other):
                print('lt', self.n)
                return self.n < getattr(other, 'n', other)
            def __gt__(self, other):
                print('gt', self.n)
                return self.n > getattr(other, 'n', other)
            def __add__(self, other):
                print('add', self.n)
                return Item(self.n + 1)
            def __iadd__(self, other):
                print('iadd', self.n)
                self.n += 2
                return self
            def __len__(self):
                print('len', self.n)
                return abs(self.n)
            def __getitem__(self, key):
                print('item', key)
                return (self.n, key)[key]
            def __contains__(self, key):
                print('contains', self.n)
                return self.n
            def __ne__(self, other):
                print('ne', self.n)
                return self.n != getattr(other, 'n', other)
            def __repr__(self):
                return f'Item({self.n})'
            def __str__(self):
                print('str', self.n)
                return f'item {self.n}'
            def __format__(self, spec):
                print('format', self.n, spec)
                return f'{self.n} formatted'
            def __hash__(self):
                return self.n
    """,
    "Manager": """
        class Manager:
            def __init__(self, quiet=False):
                self.quiet = quiet
            def __enter__(self):
                print('enter')
                return self
            def __exit__(self, *error):
                print('exit', error[0])
                return self.quiet
    """,
    "numbers": """
        def numbers(n):
            for k in range(n):
                print('yield', k)
                yield k
            print('end')
    """,
}


class Generator:
    """Draws the parts of one program.

    Attributes:
        draw: the source of randomness.
        focus: the form that the program is about; it is preferred wherever it is allowed.
        depth: how many levels may still nest.
        loop: whether `break` and `continue` are allowed.
        count: the number of fresh names given so far.
    """

    def __init__(self, draw: random.Random, focus: str) -> None:
        self.draw, self.focus = draw, focus
        self.depth = 2
        self.loop = False
        self.count = 0

    def one_of(self, *options: str) -> str:
        """Return one of some sources."""
        return self.draw.choice(options)

    def chance(self, share: float) -> bool:
        """Return True in a share of the cases."""
        return self.draw.random() < share

    def fresh(self, word: str) -> str:
        """Return a name that nothing else has."""
        self.count += 1
        return f"{word}{self.count}"

    def name(self) -> str:
        """Return a variable."""
        return self.draw.choice(NAMES)

    def expression(self) -> str:
        """Return an expression in parentheses or an atom; some are logged when they are evaluated."""
        return self._drawn(EXPRESSIONS, "name" if self.depth <= 0 else "")

    def condition(self) -> str:
        """Return an expression whose truth is tested."""
        is_compared = self.chance(0.45) and self.depth > 0
        return self._called("comparison", EXPRESSIONS) if is_compared else self.expression()

    def statement(self) -> list[str]:
        """Return the lines of a statement."""
        return self._drawn(STATEMENTS, "assignment" if self.depth <= 0 else "")

    def block(self, size: int = 2) -> list[str]:
        """Return one to `size` statements, indented."""
        self.depth -= 1
        lines = [line for _ in range(self.draw.randint(1, size)) for line in self.statement()]
        self.depth += 1
        return [f"    {line}" for line in lines]

    def inside(self, *, loop: bool) -> list[str]:
        """Return a block in which `break` and `continue` are allowed, or not."""
        before, self.loop = self.loop, loop
        lines = self.block()
        self.loop = before
        return lines

    def _drawn(self, forms: Mapping[str, Callable[[Generator], Drawn]], only: str) -> Drawn:
        if not only:
            focused = self.focus in forms and self.chance(0.5)
            only = self.focus if focused else self.draw.choice(list(forms))
        return self._called(only, forms)

    def _called(self, feature: str, forms: Mapping[str, Callable[[Generator], Drawn]]) -> Drawn:
        self.depth -= 1
        text = forms[feature](self)
        self.depth += 1
        return text


EXPRESSIONS: dict[str, Callable[[Generator], str]] = {}
STATEMENTS: dict[str, Callable[[Generator], list[str]]] = {}


def expression_form(feature: str) -> Callable[[Callable[[Generator], str]], Callable[[Generator], str]]:
    """Register a form of expression under the name of its feature."""
    return lambda form: EXPRESSIONS.setdefault(feature, form)


def statement_form(feature: str) -> Callable[[Callable[[Generator], list[str]]], Callable[[Generator], list[str]]]:
    """Register a form of statement under the name of its feature."""
    return lambda form: STATEMENTS.setdefault(feature, form)


class _Features(Sequence[str]):
    """The names of all forms, once the modules have registered them."""

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        return sorted((*EXPRESSIONS, *STATEMENTS))[index]

    def __len__(self) -> int:
        return len(EXPRESSIONS) + len(STATEMENTS)


FEATURES: Sequence[str] = _Features()


def draw_small_program(draw: random.Random, focus: str = "") -> Program:
    """Draw a program.

    Args:
        draw: the source of randomness.
        focus: the feature that the program is about (default: any).
    """
    while True:
        generator = Generator(draw, focus)
        body = [line for _ in range(draw.randint(1, 3)) for line in generator.statement()]
        if focus in EXPRESSIONS and draw.random() < 0.6:
            body.append(f"{generator.name()} = {EXPRESSIONS[focus](generator)}")
        elif focus in STATEMENTS and draw.random() < 0.6:
            body += STATEMENTS[focus](generator)
        program = _assembled(body, draw)
        if len(body) <= MOST_LINES and compiles(program.source):
            return program


def compiles(source: str) -> bool:
    """Whether a program compiles: some forms in forms are no Python, such as `1.real` or nested quotes."""
    try:
        compile_quietly(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _assembled(body: list[str], draw: random.Random) -> Program:
    text = "\n".join(f"    {line}" for line in body)
    used = [name for name in NAMES if re.search(rf"\b{name}\b", text)] or ["a"]
    ending = f"return {', '.join(used)}" + ("," if len(used) == 1 else "")
    helpers = "".join(f"{source_block(code)}\n" for name, code in HELPERS.items() if re.search(rf"\b{name}\b", text))
    shared = "shared = []\n\n" if "shared" in text else ""
    comment = "    # first\n" if draw.random() < 0.2 else ""
    source = f"{helpers}{shared}def f({', '.join(used)}):\n{comment}{text}\n    {ending}\n"
    return Program(source, tuple(dict.fromkeys(_call(used, draw) for _ in range(5))))


def _call(names: list[str], draw: random.Random) -> str:
    """A call with arguments of any types, or of similar ones, with which fewer operations raise."""
    values = draw.choice(SIMILAR) if draw.random() < 0.6 else ARGUMENTS
    return f"f({', '.join(draw.choice(values[name]) for name in names)})"
