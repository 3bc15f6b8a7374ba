"""Registry of the reference implementations of string methods, which are plain functions in this package.

A function implements one variant of a method: for a single character, for a non-empty target, within bounds. Its
annotations are its preconditions (`rewrite.string_methods.preconditions`), its signature determines which calls match,
and `rewrite.string_methods.inline` inlines its body. To support another method, add a function. A body consists of
assignments, conditions, loops and returns. It does not assign to parameters, and a loop that returns has no `else` or
`break`.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import libcst as cst

from analyze.operations.catalogue import functions
from rewrite.string_methods.preconditions import ParameterRequirement, Precondition, requirements_of

PAPER = ("strings", "decompose", "methods")
RECIPES = ("methods",)
IDIOMS = ("idioms",)
PLANNED_IDIOMS = ("planned",)
"""For idioms that only the planner uses: in the recipe `idioms` they would replace the output of other idioms."""
ELEMENTS = ("elements",)
"""For forms in which every state shows the characters, whatever they cost."""
OPERATIONS = {
    "in": "`in`",
    "not in": "`not in`",
    "slice": "slices with a step",
    "part": "slices without a step",
    "len": "`len`",
    "sorted": "`sorted`",
    "min": "`min`",
    "max": "`max`",
    "str": "`str` of an int",
    "int": "`int` of digits",
    "bin": "`bin`",
    "bin digits": "`bin(number)[2:]`",
}
"""The operations other than methods that have reference implementations."""
BUILTIN_FUNCTIONS = functions() & OPERATIONS.keys() - {"slice"}
"""Those of them that are calls of a builtin function with one argument."""
CALLED_BUILTINS = {**{name: name for name in BUILTIN_FUNCTIONS}, "bin digits": "bin"}
"""By operation, the builtin function that it calls."""

Function = TypeVar("Function", bound=Callable[..., Any])
_registered: list[ReferenceImplementation] = []


@dataclass(frozen=True)
class ReferenceImplementation:
    """A reference implementation of one variant of a method.

    Attributes:
        method: The name of the method, or a key of `OPERATIONS`.
        recipes: The recipes that inline it.
        function: The implementation.
    """

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
    def requirements(self) -> Mapping[str, ParameterRequirement]:
        """The requirement of each parameter, by name; the receiver is first."""
        return requirements_of(get_type_hints(self.function, include_extras=True))

    @cached_property
    def shown_result(self) -> tuple[Precondition, ...]:
        """What every call has to show of the result of the operation."""
        annotation = get_type_hints(self.function, include_extras=True)["return"]
        return tuple(get_args(annotation)[1:]) if get_origin(annotation) is Annotated else ()

    @property
    def result_kind(self) -> str:
        """The name of the type of the result."""
        annotation = get_type_hints(self.function)["return"]
        return str((get_origin(annotation) or annotation).__name__)

    @property
    def is_idiom(self) -> bool:
        """Whether it is an idiom, which is applied without a guard and only where its preconditions are shown."""
        return self.recipes in (IDIOMS, PLANNED_IDIOMS, ELEMENTS)

    @cached_property
    def definition(self) -> cst.FunctionDef:
        """The function as a LibCST tree."""
        (function,) = cst.parse_module(inspect.getsource(self.function)).body
        assert isinstance(function, cst.FunctionDef)
        return function

    @property
    def code(self) -> str:
        """The source of the function without its decorators."""
        plain = self.definition.with_changes(decorators=(), leading_lines=())
        return cst.Module([plain]).code

    def bind(self, positional: int, keywords: tuple[str, ...]) -> Mapping[str, int | str] | None:
        """Bind the arguments of a call to the parameters (cached).

        Args:
            positional: The number of positional arguments, including the receiver.
            keywords: The names of the keyword arguments.

        Returns:
            For each parameter, the index of its argument (0 for the receiver) or the source of its default; None if
            the call does not match the signature.
        """
        return _bind(self, positional, keywords)


@cache
def _bind(
    reference: ReferenceImplementation, positional: int, keywords: tuple[str, ...]
) -> Mapping[str, int | str] | None:
    given = {name: positional + n for n, name in enumerate(keywords)}
    try:
        bound = reference.signature.bind(*range(positional), **given)
    except TypeError:
        return None
    defaults = {name: p.default for name, p in reference.signature.parameters.items() if name not in bound.arguments}
    return {**bound.arguments, **{name: repr(default) for name, default in defaults.items()}}


def implements(method: str, recipes: tuple[str, ...] = RECIPES) -> Callable[[Function], Function]:
    """Register a function as a reference implementation of `method`."""

    def register(function: Function) -> Function:
        _registered.append(ReferenceImplementation(method, recipes, function))
        return function

    return register


@cache
def references() -> Mapping[str, tuple[ReferenceImplementation, ...]]:
    """The reference implementations by method, in the order in which they are tried."""
    package = importlib.import_module(__name__.rpartition(".")[0])
    modules = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    for name in sorted(modules, key=lambda name: (name.count("."), name)):  # idioms last, in their own package
        importlib.import_module(name)
    ordered = sorted(_registered, key=lambda one: one.recipes == ELEMENTS)  # those of the other recipes stay in order
    methods = dict.fromkeys(reference.method for reference in ordered)
    return {method: tuple(one for one in ordered if one.method == method) for method in methods}
