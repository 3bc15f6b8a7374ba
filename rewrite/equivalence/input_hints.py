"""Input hints: values that an argument, or a part of it, may need for execution to reach some branch.

`InputHints.of` collects constants, solves comparisons for their variables, and folds constant expressions. No program
is run.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Any

from analyze.operations.constant_folding import folded, single_assignment_constants
from rewrite.equivalence.call_templates import items_of, last_name, source_of_value
from rewrite.equivalence.comparison_solving import RequiredLength, solve
from rewrite.equivalence.special_values import special_numbers, special_strings, strings_special_to_pattern


@dataclass(frozen=True)
class InputHints:
    """Values that the source of a program suggests for its inputs, without duplicates, in source order.

    Attributes:
        values: Constants, and solutions of comparisons with constants.
        lengths: Lengths that collections or strings are compared with.
        types: Names of types that are tested for.
        patterns: Regular expressions.
        strings: Strings that operations of the program treat specially, alone or inside another string.
        numbers: Numbers that operations of the program treat specially.
    """

    values: tuple[Any, ...] = ()
    lengths: tuple[int, ...] = ()
    types: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()

    @staticmethod
    def of(tree: ast.AST, *others: ast.AST) -> InputHints:
        """Collect the hints of a program.

        Args:
            tree: The program.
            others: Programs that are run on the same inputs.
        """
        known = single_assignment_constants(tree)
        found, skipped = _HintCollector(known), _expression_statements(tree)
        for node in ast.walk(tree):
            if id(node) not in skipped:
                found.visit(node)
        numbers = special_numbers(tree, *others)
        groups = found.values, found.lengths, found.types, found.patterns, found.strings, numbers
        return InputHints(*map(_unique, groups))

    def without(self, other: InputHints) -> InputHints:
        """The hints that `other` does not contain."""
        return InputHints(*map(_excluding, vars(self).values(), vars(other).values()))

    def union(self, other: InputHints) -> InputHints:
        """The hints of both, these first."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return InputHints(*(_unique([*own, *theirs]) for own, theirs in pairs))


def _unique(values: list[Any]) -> tuple[Any, ...]:
    return tuple({source_of_value(value): value for value in values}.values())


def _excluding(values: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Any, ...]:
    known = set(map(source_of_value, others))
    return tuple(value for value in values if source_of_value(value) not in known)


class _HintCollector:
    """Collects the hints of one program, node by node."""

    def __init__(self, constants: dict[str, Any]) -> None:
        self.known = constants
        self.values: list[Any] = []
        self.lengths: list[int] = []
        self.types: list[str] = []
        self.patterns: list[str] = []
        self.strings: list[str] = []

    def visit(self, node: ast.AST) -> None:
        match node:
            case ast.Compare(left=left, comparators=others):
                for one, other in zip([left, *others], others, strict=False):
                    self._compared(one, other)
                    self._compared(other, one)
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                self._kinds(kinds)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re" | "regex"), attr=_), args=[ast.expr() as first, *_]
            ):
                self._pattern(first)
            case ast.Call(
                func=ast.Attribute(value=value, attr="startswith" | "endswith" | "get" | "count"), args=[of, *_]
            ):
                self._solved(value, of)
            case ast.MatchClass(cls=kind):
                self._kinds(kind)
            case ast.MatchMapping(keys=keys):
                self._add({known: 1 for key in keys for known in folded(key, self.known)})
            case ast.MatchSequence(patterns=parts):
                self.lengths += [len(parts), len(parts) - 1]
        if isinstance(node, ast.expr):
            self.strings += special_strings(node)
            for value in folded(node, self.known):
                self._add(value)

    def _add(self, value: Any) -> None:
        if not isinstance(value, bool | type(None) | type(...)) and value not in ("", b"", (), [], {}):
            self.values.append(value)

    def _compared(self, node: ast.expr, other: ast.expr) -> None:
        self._solved(node, other)
        match node:
            case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
                self._kinds(other)

    def _solved(self, node: ast.expr, other: ast.expr) -> None:
        for value in folded(other, self.known):
            members = items_of(value) if isinstance(value, list | tuple | set | frozenset | dict) else []
            for wanted in (value, *members[:12]):
                for solution in solve(node, wanted, self.known):
                    if isinstance(solution, RequiredLength):
                        self.lengths += [solution.size, solution.size + 1, solution.size - 1]
                    else:
                        self._add(solution)

    def _kinds(self, node: ast.expr) -> None:
        self.types += filter(None, map(last_name, ast.walk(node)))

    def _pattern(self, node: ast.expr) -> None:
        for value in folded(node, self.known):
            if isinstance(value, str):
                try:
                    re.compile(value)
                except (re.error, RecursionError, OverflowError):
                    continue
                self.patterns.append(value)
                self.strings += strings_special_to_pattern(value)


def _expression_statements(tree: ast.AST) -> set[int]:
    """Ids of the values of expression statements, docstrings among them."""
    return {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
