"""Inferred annotations: parameters that seem to expect an instance of a class of the program, from syntax alone.

A parameter gets the annotation `C | Any` if the attributes used on it are those of a class C, if it is the right
operand of one of C's operators, or if it is tested for C. It gets `list[C] | Any` if its items are used in this way.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping

from rewrite.equivalence.call_templates import Function

ANY = "Any"
_OPERATORS = {
    *("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "divmod", "pow"),
    *("lshift", "rshift", "and", "or", "xor"),
}
# Special methods whose first parameter usually is another instance.
BINARY_METHODS = {
    *(f"__{start}{name}__" for name in _OPERATORS for start in ("", "r", "i")),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
}
_ATTRIBUTE_METHODS = {"__getattr__", "__getattribute__", "__setattr__", "__delattr__"}
_ITEM_METHODS = {"__getitem__", "__setitem__", "__delitem__"}


def infer_annotations(tree: ast.Module) -> ast.Module:
    """A copy of a module in which parameters without an annotation have an inferred one."""
    attributes = {node.name: _attributes(node) for node in tree.body if isinstance(node, ast.ClassDef)}
    if not attributes:
        return tree
    made = copy.deepcopy(tree)
    for node in made.body:
        if isinstance(node, Function):
            _annotate(node, node.args.args, attributes)
        if isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function):
                    _annotate_method(node, method, attributes)
    return made


def _annotate_method(owner: ast.ClassDef, method: Function, attributes: Mapping[str, set[str]]) -> None:
    others = method.args.args[1:]
    _annotate(method, others, attributes)
    if not others:
        return
    if method.name in BINARY_METHODS:
        _annotate_if_missing(others[0], f"{owner.name} | {ANY}")
    elif method.name in _ATTRIBUTE_METHODS:
        _annotate_if_missing(others[0], _literals(sorted({*attributes[owner.name], *_strings(method), "other"})))
    elif method.name in _ITEM_METHODS:
        _annotate_if_missing(others[0], f"int | slice | {ANY}")
    elif method.name == "__format__":
        _annotate_if_missing(others[0], _literals(["", *sorted(_strings(method)), ">8", ".2f"]))


def _literals(values: Iterable[str]) -> str:
    return f"Literal[{', '.join(map(repr, values))}]"


def _annotate(function: Function, parameters: Iterable[ast.arg], attributes: Mapping[str, set[str]]) -> None:
    used, tested, items = _used_attributes(function), _tested_classes(function), _item_names(function)
    for parameter in parameters:
        name = parameter.arg
        found = [known for known in tested.get(name, []) if known in attributes]
        found += _classes_with(used.get(name, set()), attributes)
        if found:
            _annotate_if_missing(parameter, " | ".join([*dict.fromkeys(found), ANY]))
        inside = [known for item in items.get(name, []) for known in _classes_with(used.get(item, set()), attributes)]
        if inside:
            _annotate_if_missing(parameter, f"list[{' | '.join(dict.fromkeys(inside))}] | {ANY}")
        if any(isinstance(node, ast.Call) and _is_name(node.func, name) for node in ast.walk(function)):
            _annotate_if_missing(parameter, "Callable")


def _annotate_if_missing(parameter: ast.arg, annotation: str) -> None:
    if parameter.annotation is None:
        parameter.annotation = ast.parse(annotation, mode="eval").body


def _classes_with(wanted: set[str], attributes: Mapping[str, set[str]]) -> list[str]:
    """The classes with all of these attributes; if there is none, those with any of them."""
    whole = [name for name, known in attributes.items() if wanted and wanted <= known]
    return whole or [name for name, known in attributes.items() if wanted & known]


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _attributes(owner: ast.ClassDef) -> set[str]:
    """Attribute names of instances: methods, fields, and names assigned on any variable in the class."""
    found = {node.name for node in owner.body if isinstance(node, Function)}
    for node in ast.walk(owner):
        match node:
            case ast.Attribute(value=ast.Name(), attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) if any(node in getattr(part, "targets", ()) for part in owner.body):
                found |= {name, "value", "name"}  # of an Enum
    return found


def _used_attributes(function: Function) -> dict[str, set[str]]:
    """For each name, the attributes that are read or set on it."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def _tested_classes(function: Function) -> dict[str, list[str]]:
    """For each name, the classes that `isinstance` tests it for."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                found.setdefault(name, []).extend(part.id for part in ast.walk(kinds) if isinstance(part, ast.Name))
    return found


def _item_names(function: Function) -> dict[str, list[str]]:
    """For each iterated name, the loop variables; also the parameters of a lambda passed beside it, such as a `key`."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case (
                ast.For(target=ast.Name(id=item), iter=ast.Name(id=name))
                | ast.comprehension(target=ast.Name(id=item), iter=ast.Name(id=name))
            ):
                found.setdefault(name, []).append(item)
            case ast.Call(args=[ast.Name(id=name), *_], keywords=keywords):
                found.setdefault(name, []).extend(_lambda_parameters(keywords))
    return found


def _lambda_parameters(keywords: Iterable[ast.keyword]) -> Iterator[str]:
    for keyword in keywords:
        if isinstance(keyword.value, ast.Lambda):
            yield from (part.arg for part in keyword.value.args.args)


def _strings(node: ast.AST) -> set[str]:
    found = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return {value for value in found if isinstance(value, str) and len(value) < 40}
