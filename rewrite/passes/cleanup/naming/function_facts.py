"""How a function makes and uses its variables, and their values: what the names of its temporaries depend on."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from rewrite.passes.cleanup.name_mentions import AnyFunction, own_nodes
from rewrite.passes.cleanup.naming.operation_words import object_of
from rewrite.passes.cleanup.naming.usage_words import role_words
from rewrite.passes.cleanup.observed_values import ClassInstance, list_nesting, value_kind

Definition = ast.expr | ast.AugAssign | ast.For | None
"""What gives a variable a value: an assigned expression, an augmented assignment, a loop; None for anything else."""


@dataclass(frozen=True)
class FunctionFacts:
    """A function and its variables.

    Attributes:
        function: The function.
        observed: The values of its variables.
    """

    function: AnyFunction
    observed: Mapping[str, Sequence[object]]

    @cached_property
    def values(self) -> dict[str, list[object]]:
        """By variable, its values that are literals."""
        return {
            name: [one for one in values if not isinstance(one, ClassInstance)]
            for name, values in self.observed.items()
        }

    @cached_property
    def classes(self) -> dict[str, str]:
        """By variable, the word for the class of a value that is no literal."""
        made = ((name, one) for name, values in self.observed.items() for one in values)
        return {name: one.word for name, one in made if isinstance(one, ClassInstance)}

    @cached_property
    def definitions(self) -> dict[str, list[Definition]]:
        """By variable, what gives it a value, in source order."""
        return _definitions(self.function)

    @cached_property
    def roles(self) -> dict[str, str]:
        """By variable, what the function uses it for."""
        return role_words(self.function)

    @cached_property
    def made(self) -> str:
        """What the function makes, by its name; "" if the name does not say."""
        return object_of(self.function.name) if isinstance(self.function, ast.FunctionDef) else ""

    @cached_property
    def read(self) -> frozenset[str]:
        """The variables that it reads."""
        return frozenset(node.id for node in ast.walk(self.function) if is_read(node))

    @cached_property
    def last_lines(self) -> dict[str, int]:
        """By variable, the last line that mentions it."""
        found: dict[str, int] = {}
        for node in ast.walk(self.function):
            if isinstance(node, ast.Name):
                found[node.id] = max(node.lineno, found.get(node.id, 0))
        return found

    @cached_property
    def methods(self) -> list[tuple[str, ast.expr]]:
        """The methods that it calls, each with the object."""
        calls = [node.func for node in own_nodes(self.function) if isinstance(node, ast.Call)]
        return [(node.attr, node.value) for node in calls if isinstance(node, ast.Attribute)]

    @cached_property
    def reversed(self) -> frozenset[str]:
        """The lists that it reverses in place."""
        return frozenset(on.id for name, on in self.methods if name == "reverse" and isinstance(on, ast.Name))

    @cached_property
    def appended(self) -> list[tuple[ast.expr, ast.Name]]:
        """What it appends to lists, each with the list."""
        return list(_appended(self.function))

    @cached_property
    def selected(self) -> frozenset[str]:
        """The lists to which a loop appends only those of its items that pass a test."""
        return frozenset(_selections(self._loops))

    @cached_property
    def returns(self) -> list[ast.expr | None]:
        """What it returns."""
        return [node.value for node in own_nodes(self.function) if isinstance(node, ast.Return)]

    def kind(self, name: str) -> type | None:
        """The type of all values of a variable; None if they have several, or none is known."""
        kinds = {value_kind(value) for value in self.values.get(name, ()) if value is not None}
        return kinds.pop() if len(kinds) == 1 else None

    def shape(self, name: str) -> tuple[type | None, int]:
        """What values that share a variable have in common: their type, and how deeply lists are nested."""
        return self.kind(name), max(map(list_nesting, self.values.get(name, ())), default=0)

    def loops_around(self, node: ast.expr) -> list[ast.stmt]:
        """The loops in whose body or test a node is."""
        return [
            one
            for one in self._loops
            if one.lineno <= node.lineno <= (one.body[-1].end_lineno or 0) and not _heads(one, node)
        ]

    def starts_in_loop(self, name: str) -> bool:
        """Whether a variable is first assigned in more loops than last: after the loop, or in its `else`."""
        assigned = [one for one in self.definitions.get(name, ()) if isinstance(one, ast.expr)]
        depths = [len(self.loops_around(one)) for one in assigned]
        return bool(depths) and depths[0] > depths[-1]

    @cached_property
    def _loops(self) -> list[ast.For | ast.AsyncFor | ast.While]:
        return [node for node in own_nodes(self.function) if isinstance(node, ast.For | ast.AsyncFor | ast.While)]


def is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    """Whether a node reads or deletes a variable."""
    return isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)


def is_computed(one: Definition) -> TypeGuard[ast.expr]:
    """Whether a definition is an assigned expression that is no constant."""
    return isinstance(one, ast.expr) and not isinstance(one, ast.Constant)


def _definitions(function: AnyFunction) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = defaultdict(list)
    for node in own_nodes(function):
        match node:
            case ast.Assign(value=value):
                for target in node.targets:
                    _add(found, target, value if isinstance(target, ast.Name) else None)
            case ast.AugAssign(target=ast.Name(id=name)):
                found[name].append(node)
            case ast.For(target=target):
                _add(found, target, node)
    return found


def _add(found: dict[str, list[Definition]], target: ast.expr, how: Definition) -> None:
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id].append(how)


def _appended(node: ast.AST) -> Iterator[tuple[ast.expr, ast.Name]]:
    """What is appended to a list, with the list."""
    for part in own_nodes(node):
        match part:
            case ast.Call(ast.Attribute(value=ast.Name() as whole, attr="append"), [item]):
                yield item, whole


def _selections(loops: Iterable[ast.stmt]) -> Iterator[str]:
    """The lists to which a loop appends only those of its items that pass a test."""
    for loop in loops:
        match loop:
            case ast.For(target=ast.Name(id=item), body=[*_, ast.If(body=[ast.Expr() as added], orelse=[])]):
                yield from (whole.id for one, whole in _appended(added) if isinstance(one, ast.Name) and one.id == item)


def _heads(loop: ast.stmt, node: ast.expr) -> bool:
    """Whether a node is in the iterable of a loop, which is evaluated once."""
    return isinstance(loop, ast.For | ast.AsyncFor) and any(one is node for one in ast.walk(loop.iter))
