"""Typed random programs in the style in which people test output prediction.

A program has one to three functions over strings, numbers and collections; the last is called with literals. Every
operation stands in many contexts: assignment, condition, loop head, argument, return value. Programs may raise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from string import ascii_lowercase

from corpora.program import Case
from lab.pocket.inputs import SEPARATORS, VALUES, word
from lab.pocket.productions import (
    ATTEMPTS,
    CHANGES,
    CONVERSIONS,
    EXPRESSIONS,
    GUARDS,
    LOOPS,
    STARTS,
    UPDATES,
    WHILE_LOOPS,
)
from lab.pocket.words import Naming

_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")
_RANGE = re.compile(r"(\d+)\.\.(\d+)")
_BOUND = frozenset("xykv")
_PARAMETERS = "sssssssiiiiLLLSSSDDbfEMPGTZ"
_ASSIGNED = "ssssssiiiiLLLLSSSSDDbbfEMPGZT"
_RETURNED = "sssssiiiLLLSSSDDbbfEMPGT"
_HOLE_TYPE = re.compile(r"\{([A-Zsibf])[.!|}]")


class _MissingVariableError(Exception):
    """A form needs a variable of a type that the program does not have."""


def typed_program(rng: Random) -> Case:
    """A random program with one call, without id. It may raise, and its trace may be long."""
    return _Program(rng).case()


class _Program:
    """One program while it is drawn."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._naming = Naming(rng)
        self._functions: list[tuple[str, str, str]] = []  # name, types of the parameters, type of the result
        self._scope: list[tuple[str, str]] = []  # variables and other expressions without effect, with their types
        self._lines: list[str] = []
        self._sample = ""  # characters of the arguments, from which literals are drawn
        self._single = rng.random() < 0.9  # whether bound names are short

    def case(self) -> Case:
        sources = [self._function(main=False) for _ in range(self._rng.choices((0, 1, 2), (75, 20, 5))[0])]
        types = self._rng.choices(_PARAMETERS, k=self._rng.choice((1, 1, 1, 2, 2, 3)))
        values = [VALUES[kind](self._rng) for kind in types]
        self._sample = "".join(char for char in repr(values) if char.isalnum() or char in " ,.-_")
        sources.append(self._function(main=True, types="".join(types)))
        arguments = ", ".join(map(repr, values))
        return Case("", "\n\n".join(sources), f"{self._functions[-1][0]}({arguments})", kind="typed")

    def _function(self, *, main: bool, types: str = "") -> str:
        types = types or "".join(self._rng.choices("sssiiLSD", k=self._rng.choice((1, 1, 2))))
        self._scope = [(self._naming.variable(), kind) for kind in types]
        parameters = ", ".join(name for name, _ in self._scope)
        self._lines = []
        size = self._rng.choice((0, 1, 2, 2, 3, 3, 4, 5)) if main else self._rng.choice((0, 0, 1, 2))
        self._statements(1, size)
        result = self._return(main=main)
        name = self._naming.function()
        self._functions.append((name, types, result))
        return f"def {name}({parameters}):\n" + "\n".join(self._lines)

    def _return(self, *, main: bool) -> str:
        names = [(name, kind) for name, kind in self._scope if name.isidentifier()]
        chance = self._rng.random()
        name, kind = self._rng.choice(names[-3:] if self._rng.random() < 0.7 else names)
        if chance < 0.4 and len(names) > 1:
            self._put(1, f"return {name}")
        elif chance < 0.47 and main:
            self._put(1, f"return {name}, {self._rng.choice(names)[0]}")
            kind = "?"
        else:
            kind = self._rng.choice(_RETURNED)
            self._put(1, f"return {self._expression(kind, 2)}")
        return kind

    def _put(self, depth: int, text: str) -> None:
        self._lines += ["    " * depth + line for line in text.split("\n")]

    # Statements

    def _statements(self, depth: int, count: int, *, in_loop: bool = False) -> None:
        """At least one line if `count` is positive."""
        before = len(self._lines)
        for _ in range(count):
            try:
                self._statement(depth, in_loop=in_loop)
            except _MissingVariableError:
                continue
        if count and len(self._lines) == before:
            self._assignment(depth)

    def _statement(self, depth: int, *, in_loop: bool) -> None:
        chance = self._rng.random()
        if chance < 0.36:
            self._assignment(depth)
        elif chance < 0.55:
            kinds = [kind for name, kind in self._scope if kind in CHANGES and name.isidentifier()]
            self._put(depth, self._one_of(CHANGES[self._rng.choice(kinds or ["i"])]))
        elif chance < 0.7 and depth < 4:
            self._branch(depth, in_loop=in_loop)
        elif chance < 0.75:
            self._guard(depth, in_loop=in_loop)
        elif chance < 0.79:
            self._attempt(depth)
        elif chance < 0.81:
            self._unpack(depth)
        elif chance < 0.85 and depth < 3:
            self._while(depth)
        elif depth < 3:
            self._for(depth)

    def _assignment(self, depth: int) -> None:
        kind = self._rng.choice(_ASSIGNED)
        value = self._expression(kind, 2 if self._rng.random() < 0.75 else 3)
        same = [name for name, known in self._scope if known == kind and name.isidentifier() and name != value]
        name = self._rng.choice(same) if same and self._rng.random() < 0.45 else self._naming.variable()
        self._put(depth, f"{name} = {value}")
        self._know(name, kind)

    def _know(self, name: str, kind: str) -> None:
        self._scope = [*((other, known) for other, known in self._scope if other != name), (name, kind)]

    @contextmanager
    def _block(self) -> Iterator[None]:
        """Variables that are assigned inside may not exist after the block."""
        before = self._scope
        yield
        self._scope = before

    def _branch(self, depth: int, *, in_loop: bool) -> None:
        self._put(depth, f"if {self._expression('b', 1)}:")
        with self._block():
            if in_loop and self._rng.random() < 0.25:
                self._put(depth + 1, self._rng.choice(("continue", "break")))
            else:
                self._statements(depth + 1, self._rng.choice((1, 1, 2)), in_loop=in_loop)
        for head in ("elif", "else"):
            if self._rng.random() < (0.15 if head == "elif" else 0.4):
                self._put(depth, f"elif {self._expression('b', 1)}:" if head == "elif" else "else:")
                with self._block():
                    self._statements(depth + 1, 1, in_loop=in_loop)

    def _guard(self, depth: int, *, in_loop: bool) -> None:
        form = self._rng.choice(GUARDS[:3] if in_loop else GUARDS)
        result = self._expression(self._rng.choice("siLSb"), 1)
        self._put(depth, self._fill(form, 1, {"R": result}))

    def _attempt(self, depth: int) -> None:
        kind, value, error, fallback = self._rng.choice(ATTEMPTS)
        value, fallback, name = self._fill(value, 1), self._fill(fallback, 1), self._naming.variable()
        caught = self._rng.choices((error, "Exception", f"({error}, TypeError)", "KeyError"), (8, 2, 1, 1))[0]
        self._put(depth, f"try:\n    {name} = {value}\nexcept {caught}:\n    {name} = {fallback}")
        if self._rng.random() < 0.15:
            self._put(depth, f"finally:\n    {self._naming.variable()} = {self._expression('i', 0)}")
        self._know(name, kind)

    def _unpack(self, depth: int) -> None:
        kinds = self._rng.choice(("ii", "ss", "si", "iL"))
        values = [self._expression(kind, 1) for kind in kinds]
        names = [self._naming.variable() for _ in kinds]
        self._put(depth, f"{', '.join(names)} = {', '.join(values)}")
        for name, kind in zip(names, kinds, strict=True):
            self._know(name, kind)

    def _while(self, depth: int) -> None:
        kind, head, step = self._rng.choice(WHILE_LOOPS)
        start, name = self._expression(kind, 1), self._naming.variable()
        part = repr(self._part())
        variable = {f"{kind}!": name, "part": part, "char": repr(self._char())}
        self._put(depth, f"{name} = {start}")
        accumulator = self._accumulator(depth)
        self._put(depth, self._fill(head, 1, variable))
        element = (f"{name}[-1]" if kind != "i" else name, "i" if kind in "iL" else "s")
        with self._block():
            self._scope = [*self._scope, element]
            self._loop_body(depth + 1, accumulator, element)
            self._put(depth + 1, self._fill(step, 1, variable))
        self._know(name, kind)

    def _for(self, depth: int) -> None:
        head, names = self._rng.choice(LOOPS)
        bound: dict[str, str] = {}
        text = self._fill(head, 1, bound)
        accumulator = self._accumulator(depth)
        self._put(depth, text)
        with self._block():
            elements = []
            for part in names.split(","):
                name, kind = part.rsplit(":", 1)
                elements.append((self._fill(bound.get(name, name), 1, bound), kind))
            self._scope = [*self._scope, *elements]
            self._loop_body(depth + 1, accumulator, self._rng.choice(elements))
        if self._rng.random() < 0.04:
            self._put(depth, "else:")
            with self._block():
                self._statements(depth + 1, 1)

    def _accumulator(self, depth: int) -> tuple[str, str] | None:
        if self._rng.random() < 0.25:
            return None
        name, kind = self._naming.variable(), self._rng.choice("ssiiLLSSD")
        self._put(depth, f"{name} = {STARTS[kind]}")
        self._know(name, kind)
        return name, kind

    def _loop_body(self, depth: int, accumulator: tuple[str, str] | None, element: tuple[str, str]) -> None:
        if accumulator and self._rng.random() < 0.85:
            update = self._update(accumulator, element)
            if self._rng.random() < 0.45:
                self._put(depth, f"if {self._expression('b', 1)}:")
                self._put(depth + 1, update)
                if self._rng.random() < 0.25:
                    self._put(depth, f"else:\n    {self._update(accumulator, element)}")
            else:
                self._put(depth, update)
            if self._rng.random() < 0.7:
                return
        self._statements(depth, 1, in_loop=True)

    def _update(self, accumulator: tuple[str, str], element: tuple[str, str]) -> str:
        name, kind = accumulator
        value, known = element
        number = value if known == "i" else f"len({value})"
        return self._fill(
            self._rng.choice(UPDATES[kind]),
            1,
            {"A": name, "e": value if known == "s" else f"str({value})", "n": number},
        )

    # Expressions

    def _expression(self, kind: str, depth: int) -> str:
        """An expression of a type; deeper ones have more operations."""
        if depth <= 0 or self._rng.random() < 0.22:
            return self._atom(kind)
        calls = [function for function in self._functions if function[2] == kind]
        if calls and self._rng.random() < 0.5:
            name, types, _ = self._rng.choice(calls)
            return f"{name}({', '.join(self._expression(one, depth - 1) for one in types)})"
        for _ in range(6):
            try:
                return self._fill(self._form(EXPRESSIONS[kind]), depth - 1)
            except _MissingVariableError:
                continue
        return self._literal(kind)

    def _form(self, forms: tuple[str, ...]) -> str:
        """A form, most often one that can use a variable."""
        known = {kind for _, kind in self._scope}
        drawn = self._rng.choices(forms, k=4)
        return next((form for form in drawn if known.intersection(_HOLE_TYPE.findall(form))), drawn[0])

    def _atom(self, kind: str) -> str:
        known = [name for name, one in self._scope if one == kind]
        if known and self._rng.random() < 0.93:
            return self._rng.choice(known[-4:])
        others = [(name, one) for name, one in self._scope if (one, kind) in CONVERSIONS]
        if others and self._rng.random() < 0.75:
            name, one = self._rng.choice(others[-3:])
            return self._rng.choice(CONVERSIONS[one, kind]).replace("{}", name)
        return self._literal(kind)

    def _literal(self, kind: str) -> str:
        return repr(VALUES[kind](self._rng))

    def _one_of(self, forms: tuple[str, ...]) -> str:
        return self._fill(self._rng.choice(forms), 1)

    def _fill(self, form: str, depth: int, bound: dict[str, str] | None = None) -> str:
        """A form with its holes filled. `bound` gets the names that are drawn for bound names."""
        bound = {} if bound is None else bound

        def filled(match: re.Match[str]) -> str:
            if match[1] is None:
                return match[0][0]
            sides = form[match.start() - 1 : match.start()], form[match.end() : match.end() + 1]
            return self._hole(match[1], depth, bound, sides)

        return _HOLE.sub(filled, form)

    def _hole(self, hole: str, depth: int, bound: dict[str, str], sides: tuple[str, str]) -> str:
        if hole in bound:
            return bound[hole]
        if hole in _BOUND:
            return bound.setdefault(hole, self._bound_name())
        if hole[0] == "?":
            return self._rng.choice(hole[1:].split("?"))
        if limits := _RANGE.fullmatch(hole):
            return str(self._rng.randint(int(limits[1]), int(limits[2])))
        if hole in _LITERALS:
            return repr(_LITERALS[hole](self))
        kind, suffix = hole[0], hole[1:]
        if suffix == "!":
            return bound.setdefault(hole, self._variable(kind))
        if suffix == ".":
            return self._atom(kind)
        text = self._operand(kind, depth, dict(part.split(":") for part in suffix[1:].split(",") if part), bound)
        return f"({text})" if _needs_parentheses(text, *sides) else text

    def _operand(self, kind: str, depth: int, names: dict[str, str], bound: dict[str, str]) -> str:
        with self._block():
            known = [(bound.setdefault(name, self._bound_name()), one) for name, one in names.items()]
            self._scope = [*self._scope, *known]
            if names and depth <= 0 and self._rng.random() < 0.8:
                depth = 1
            return self._expression(kind, depth)

    def _variable(self, kind: str) -> str:
        known = [name for name, one in self._scope if one == kind and name.isidentifier()]
        if not known:
            raise _MissingVariableError(kind)
        return self._rng.choice(known)

    def _bound_name(self) -> str:
        taken = {name for name, _ in self._scope}
        if self._single:
            free = [name for name in "xcivkwnyje" if name not in taken]
            if free and self._rng.random() < 0.6:
                return self._rng.choice(free)
        return self._naming.variable()

    # Literals

    def _char(self) -> str:
        if self._sample and self._rng.random() < 0.7:
            return self._rng.choice(self._sample)
        return self._rng.choice(ascii_lowercase)

    def _part(self) -> str:
        if len(self._sample) > 3 and self._rng.random() < 0.5:
            start = self._rng.randrange(len(self._sample) - 2)
            return self._sample[start : start + self._rng.choice((1, 1, 2, 3))]
        return self._char() if self._rng.random() < 0.6 else word(self._rng)[:3]

    def _separator(self) -> str:
        return self._rng.choice(SEPARATORS)

    def _word(self) -> str:
        return word(self._rng)

    def _filler(self) -> str:
        return self._rng.choice("*-0. #=_")


def _needs_parentheses(text: str, before: str, after: str) -> bool:
    """Whether an operand needs parentheses between these characters; some that need none get them."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.IfExp | ast.Lambda | ast.BoolOp):
        return before not in ("", "(", "[")
    return isinstance(node, ast.BinOp | ast.Compare | ast.UnaryOp) and after not in ("", ")", ",", "]", ":")


_LITERALS = {
    "char": _Program._char,
    "part": _Program._part,
    "sep": _Program._separator,
    "word": _Program._word,
    "fill": _Program._filler,
}
