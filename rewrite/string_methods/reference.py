"""The reference implementations of the methods of `str`: plain functions, found by folder.

One function is one form of one method: for a single character, for a pattern that is not empty, within bounds. Its
annotations are its preconditions (`rewrite.string_methods.preconditions`), its signature says how the method is called,
and its body is what `rewrite.string_methods.inline` writes into a program. Adding a method is adding a function. A body
consists of assignments, conditions, loops and returns; no parameter is assigned, and a loop that returns has no `else`
or `break` of its own.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, TypeVar, get_type_hints

import libcst as cst

from rewrite.string_methods.preconditions import Wanted, all_wanted

PAPER = ("strings", "decompose", "methods")
RECIPES = ("methods",)
OPERATIONS = {"in": "`in`", "not in": "`not in`", "slice": "slices with a step"}
"""What is spelled out beside methods."""

Function = TypeVar("Function", bound=Callable[..., Any])
_spelled: list[Reference] = []


@dataclass(frozen=True)
class Reference:
    """One form of a method (or of one of `OPERATIONS`), the recipes that spell it out, the function that does it."""

    method: str
    recipes: tuple[str, ...]
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        return self.function.__name__

    @property
    def summary(self) -> str:
        return inspect.getdoc(self.function) or ""

    @cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @cached_property
    def wanted(self) -> Mapping[str, Wanted]:
        """What each parameter asks, by name, the receiver first."""
        return all_wanted(get_type_hints(self.function, include_extras=True))

    @cached_property
    def definition(self) -> cst.FunctionDef:
        """The function as a tree."""
        return _definitions(self.function.__module__)[self.name]

    @property
    def code(self) -> str:
        """The function as text, without its decorators."""
        plain = self.definition.with_changes(decorators=(), leading_lines=())
        return cst.Module([plain]).code

    def bind(self, positional: int, keywords: Sequence[str]) -> dict[str, int | str] | None:
        """For each parameter, the number of the argument that it gets (the receiver is 0), or a default as source.

        positional: how many arguments have no name, the receiver among them. None where the call does not fit.
        """
        try:
            bound = self.signature.bind(*range(positional), **{name: positional + n for n, name in enumerate(keywords)})
        except TypeError:
            return None
        defaults = {name: p.default for name, p in self.signature.parameters.items() if name not in bound.arguments}
        return {**bound.arguments, **{name: repr(default) for name, default in defaults.items()}}


def spells(method: str, recipes: tuple[str, ...] = RECIPES) -> Callable[[Function], Function]:
    """Marks a function as the reference implementation of one form of `method`."""

    def register(function: Function) -> Function:
        _spelled.append(Reference(method, recipes, function))
        return function

    return register


@cache
def references() -> Mapping[str, tuple[Reference, ...]]:
    """The reference implementations of each method, in the order in which they are tried."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    for module in sorted(module.name for module in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")
    methods = dict.fromkeys(reference.method for reference in _spelled)
    return {method: tuple(one for one in _spelled if one.method == method) for method in methods}


@cache
def _definitions(module: str) -> Mapping[str, cst.FunctionDef]:
    tree = cst.parse_module(inspect.getsource(importlib.import_module(module)))
    return {node.name.value: node for node in tree.body if isinstance(node, cst.FunctionDef)}
