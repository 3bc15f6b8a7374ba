"""Whether a generated call passes values of the types that the given calls pass.

A rewrite that was made for some calls may behave differently for other types, which nobody passes. Types are read from
the source of the calls: the type of each literal, and the types of the items of containers. An empty container has no
items that show a type, so every type of item agrees with it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from rewrite.equivalence.call_templates import Function
from rewrite.equivalence.observation import LOAD_ONLY
from rewrite.equivalence.shared_objects import without_sharing

InputTypes = Literal["same-types", "any"]
"""Which inputs are drawn: of the types that the given calls have, or of any type."""
Shape = tuple[Any, ...]
"""A type with the shapes of its items: `("list", {("int",)})`."""
_CONSTRUCTORS = ("set", "frozenset", "complex", "list", "tuple", "dict", "float", "int", "str", "bytes")


class GivenTypes:
    """The types of the arguments of given calls, by function and parameter.

    Args:
        tree: The program, whose signatures give the parameters their names.
        given: The calls. Without calls, every call agrees.
    """

    def __init__(self, tree: ast.Module, given: Sequence[str]) -> None:
        self._signatures = _signatures(tree)
        self._shown: dict[str, defaultdict[str, set[Shape]]] = {}
        self._forms: dict[str, list[frozenset[str]]] = {}
        for call in given:
            for name, values in self._calls_in(call):
                shown = self._shown.setdefault(name, defaultdict(set))
                self._forms.setdefault(name, []).append(frozenset(values))
                for parameter, value in values.items():
                    shown[parameter].add(_shape(value))

    def agree_with(self, call: str) -> bool:
        """Whether a call, or each call of a sequence, passes what a given call of the same function may pass."""
        return call == LOAD_ONLY or all(self._agrees(name, values) for name, values in self._calls_in(call))

    def _agrees(self, name: str, values: dict[str, ast.expr]) -> bool:
        if name not in self._shown:  # no given call shows what this function takes
            return True
        _, defaults = self._signatures.get(name, ((), {}))
        usual = {parameter: {_shape(value)} for parameter, value in defaults.items()}
        shown = usual | self._shown[name]
        if frozenset(values) not in self._forms[name]:
            values = defaults | values
            if self._shown[name].keys() - values.keys():
                return False
        return all(
            parameter in shown and _is_shown(_shape(value), shown[parameter]) for parameter, value in values.items()
        )

    def _calls_in(self, call: str) -> Iterator[tuple[str, dict[str, ast.expr]]]:
        """Each call of a function of the program, with its arguments by parameter."""
        for node in ast.walk(ast.parse(without_sharing(call.strip()))):
            if isinstance(node, ast.Call) and not _is_constructor(node):
                match node.func:
                    case ast.Name(id=name):
                        yield name, self._bound(name, node)
                    case ast.Attribute(attr=name):
                        yield f".{name}", self._bound(f".{name}", node)

    def _bound(self, name: str, node: ast.Call) -> dict[str, ast.expr]:
        parameters, _ = self._signatures.get(name, ((), {}))
        names = [*parameters, *map(str, range(len(parameters), len(node.args)))]
        bound = dict(zip(names, node.args, strict=False))
        return bound | {keyword.arg or "**": keyword.value for keyword in node.keywords}


def _signatures(tree: ast.Module) -> dict[str, tuple[tuple[str, ...], dict[str, ast.expr]]]:
    """The parameters and defaults of functions (`f`), of classes (`A`) and of methods (`.m`) whose name is unique."""
    found: defaultdict[str, list[tuple[tuple[str, ...], dict[str, ast.expr]]]] = defaultdict(list)
    for node in tree.body:
        if isinstance(node, Function):
            found[node.name].append(_signature(node, 0))
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function):
                    name = node.name if method.name == "__init__" else f".{method.name}"
                    found[name].append(_signature(method, 1))
    return {name: signatures[-1] for name, signatures in found.items() if len(signatures) == 1 or name[0] != "."}


def _signature(node: Function, skipped: int) -> tuple[tuple[str, ...], dict[str, ast.expr]]:
    places = [*node.args.posonlyargs, *node.args.args]
    defaults = dict(zip([part.arg for part in places][-len(node.args.defaults) :], node.args.defaults, strict=False))
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    defaults |= {part.arg: default for part, default in named if default is not None}
    return tuple(part.arg for part in places[skipped:]), defaults


def _is_constructor(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in _CONSTRUCTORS


def _shape(node: ast.expr) -> Shape:
    """The type of a value, with the shapes of its items; the source of an expression whose type is not known."""
    match node:
        case ast.Constant(value=value):
            return (type(value).__name__,)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _shape(operand)
        case ast.BinOp(left=ast.Constant(), op=ast.Sub() | ast.Add(), right=ast.Constant() as right):
            return _shape(right)  # nan is written `(1e999 - 1e999)`
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return type(node).__name__.lower(), frozenset(map(_shape, items))
        case ast.Dict(keys=keys, values=values):
            return "dict", frozenset(_shape(key) for key in keys if key), frozenset(map(_shape, values))
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _CONSTRUCTORS:
            items = [item for given in arguments for item in getattr(given, "elts", [])]
            return (name, frozenset(map(_shape, items))) if name in ("set", "frozenset", "list", "tuple") else (name,)
        case ast.Call(func=function):  # its arguments are compared with those of given calls of the same function
            return "call", ast.unparse(function)
    return "expression", ast.unparse(node)


def _is_shown(shape: Shape, shown: set[Shape]) -> bool:
    """Whether a shape is one of those shown, or a container whose items each are one of theirs."""
    if shape in shown:
        return True
    alike = [other for other in shown if other[0] == shape[0] and len(other) == len(shape)]
    if shape[0] in ("call", "expression") or not alike:
        return False
    for place in range(1, len(shape)):
        items = {item for other in alike for item in other[place]}
        if items and not all(_is_shown(item, items) for item in shape[place]):
            return False
    return True
