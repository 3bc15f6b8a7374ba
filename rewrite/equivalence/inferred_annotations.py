"""What parameters without an annotation are used for: which classes of the program, as far as its syntax says so.

A parameter gets the annotation `C | Any` where its attributes are those of a class C, where it is the other operand of
one of C's operators, or where it is tested for C; `list[C] | Any` where its items are used so. Nothing is run.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping

Function = ast.FunctionDef | ast.AsyncFunctionDef
ANY = "Any"
_OPERATORS = {
    *(
        "add",
        "sub",
        "mul",
        "matmul",
        "truediv",
        "floordiv",
        "mod",
        "divmod",
        "pow",
        "lshift",
        "rshift",
        "and",
        "or",
        "xor",
    )
}
# Special methods whose first parameter is another instance, as a rule.
OPERAND = {
    *(f"__{start}{name}__" for name in _OPERATORS for start in ("", "r", "i")),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"),
}
_NAMED = {"__getattr__", "__getattribute__", "__setattr__", "__delattr__"}
_INDEXED = {"__getitem__", "__setitem__", "__delitem__"}


def with_inferred(tree: ast.Module) -> ast.Module:
    """A copy of a module whose parameters have the annotations that their use suggests; those written are kept."""
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
    if method.name in OPERAND:
        _default(others[0], f"{owner.name} | {ANY}")
    elif method.name in _NAMED:
        names = sorted({*attributes[owner.name], *_strings(method), "other"})
        _default(others[0], f"Literal[{', '.join(map(repr, names))}]")
    elif method.name in _INDEXED:
        _default(others[0], f"int | slice | {ANY}")
    elif method.name == "__format__":
        _default(others[0], f"Literal[{', '.join(map(repr, ['', *sorted(_strings(method)), '>8', '.2f']))}]")


def _annotate(function: Function, parameters: Iterable[ast.arg], attributes: Mapping[str, set[str]]) -> None:
    used, tested, items = _used(function), _tested(function), _items(function)
    for parameter in parameters:
        name = parameter.arg
        found = [known for known in tested.get(name, []) if known in attributes]
        found += _having(used.get(name, set()), attributes)
        if found:
            _default(parameter, " | ".join([*dict.fromkeys(found), ANY]))
        inside = [known for item in items.get(name, []) for known in _having(used.get(item, set()), attributes)]
        if inside:
            _default(parameter, f"list[{' | '.join(dict.fromkeys(inside))}] | {ANY}")
        if any(isinstance(node, ast.Call) and _is_name(node.func, name) for node in ast.walk(function)):
            _default(parameter, "Callable")


def _default(parameter: ast.arg, annotation: str) -> None:
    if parameter.annotation is None:
        parameter.annotation = ast.parse(annotation, mode="eval").body


def _having(wanted: set[str], attributes: Mapping[str, set[str]]) -> list[str]:
    """Classes with all of these attributes, or else with any of them."""
    whole = [name for name, known in attributes.items() if wanted and wanted <= known]
    return whole or [name for name, known in attributes.items() if wanted & known]


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _attributes(owner: ast.ClassDef) -> set[str]:
    """Names that instances have: methods, fields, and what is set on the first parameter of methods."""
    found = {node.name for node in owner.body if isinstance(node, Function)}
    for node in ast.walk(owner):
        match node:
            case ast.Attribute(value=ast.Name(), attr=name, ctx=ast.Store()):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) if any(node in getattr(part, "targets", ()) for part in owner.body):
                found |= {name, "value", "name"}  # of an Enum
            case _:
                pass
    return found


def _used(function: Function) -> dict[str, set[str]]:
    """For each name, the attributes that are asked of it."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found.setdefault(node.value.id, set()).add(node.attr)
    return found


def _tested(function: Function) -> dict[str, list[str]]:
    """For each name, the classes that `isinstance` is asked about."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                found.setdefault(name, []).extend(part.id for part in ast.walk(kinds) if isinstance(part, ast.Name))
            case _:
                pass
    return found


def _items(function: Function) -> dict[str, list[str]]:
    """For each name that is iterated, the names that its items get; also what a `key` of one parameter calls them."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(function):
        match node:
            case (
                ast.For(target=ast.Name(id=item), iter=ast.Name(id=name))
                | ast.comprehension(target=ast.Name(id=item), iter=ast.Name(id=name))
            ):
                found.setdefault(name, []).append(item)
            case ast.Call(args=[ast.Name(id=name), *_], keywords=keywords):
                found.setdefault(name, []).extend(_parameters(keywords))
            case _:
                pass
    return found


def _parameters(keywords: Iterable[ast.keyword]) -> Iterator[str]:
    for keyword in keywords:
        if isinstance(keyword.value, ast.Lambda):
            yield from (part.arg for part in keyword.value.args.args)


def _strings(node: ast.AST) -> set[str]:
    found = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return {value for value in found if isinstance(value, str) and len(value) < 40}
