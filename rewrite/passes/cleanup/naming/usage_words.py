"""Words for a variable by its use: `start` of a slice, `width` of a padded string, `largest` of a loop that keeps it.

`label_words` are the program's own names for a value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from analyze.operations.catalogue import candidates
from analyze.operations.operation import Form
from rewrite.passes.cleanup.naming.operation_words import word_of

SHORTEST_LABEL = 3
"""Characters of a parameter's name that says something."""


def role_words(function: ast.AST) -> dict[str, str]:
    """By variable, what a function uses it for, where the use says it: an index, the width of a padded string."""
    found: dict[str, str] = {}
    for node in ast.walk(function):
        for part, word in _roles(node):
            if isinstance(part, ast.Name):
                found.setdefault(part.id, word)
    return found


def label_words(function: ast.AST, parameters: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """By variable, the name that the program itself has for it: of a parameter that it is passed for, of a dict's key.

    Args:
        function: The function.
        parameters: The positional parameters of the program's functions.

    >>> label_words(ast.parse("area(a, height=b); {'total': c}"), {"area": ["width", "height"]})
    {'a': 'width', 'b': 'height', 'c': 'total'}
    """
    found: dict[str, str] = {}
    for node in ast.walk(function):
        for part, word in _labels(node, parameters):
            if isinstance(part, ast.Name) and word.islower() and len(word) >= SHORTEST_LABEL:
                found.setdefault(part.id, word)
    return found


def _labels(node: ast.AST, parameters: Mapping[str, Sequence[str]]) -> Iterator[tuple[ast.expr, str]]:
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            names = parameters.get(function.id, ()) if isinstance(function, ast.Name) else ()
            yield from zip(takewhile(lambda one: not isinstance(one, ast.Starred), args), names, strict=False)
            yield from ((keyword.value, keyword.arg) for keyword in keywords if keyword.arg)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield value, key.value


def extreme_words() -> tuple[str, str]:
    """The words for the greatest and the least of some values."""
    return word_of("max", Form.CALL), word_of("min", Form.CALL)


def _extreme(operator: ast.cmpop, test: ast.expr, body: Sequence[ast.stmt]) -> list[tuple[ast.expr | None, str]]:
    """The roles in `if value > most: most = value`, perhaps with other variables that keep what goes with the value."""
    word = dict(zip((ast.Gt, ast.Lt), extreme_words(), strict=True)).get(type(operator), "")
    compared = {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}
    kept = [(one.targets[0], one.value) for one in body if isinstance(one, ast.Assign)]
    names = [target.id for target, value in kept if isinstance(target, ast.Name) and target.id in compared]
    if not word or len(names) != 1 or len(kept) < len(body):
        return []
    return [(target, word if isinstance(target, ast.Name) and target.id in names else "best") for target, _ in kept]


def _roles(node: ast.AST) -> list[tuple[ast.expr | None, str]]:
    match node:
        case ast.Slice(lower=lower, upper=upper, step=step):
            return [(lower, "start"), (upper, "end"), (step, "step")]
        case ast.Subscript(slice=index):
            return [(index, "index")]
        case ast.Call(func=ast.Name(id="range"), args=[stop]):
            return [(stop, "stop")]
        case ast.Call(func=ast.Name(id="open"), args=[path, *_]):
            return [(path, "path")]
        case ast.If(test=ast.Compare(ops=[operator]) | ast.BoolOp(values=[_, ast.Compare(ops=[operator])]), body=body):
            return _extreme(operator, node.test, body)
        case ast.Call(func=ast.Attribute(value=template, attr="format")):
            return [(template, "template")]
        case ast.Call(args=args):
            parameters = next((one.parameters for one in candidates(node)), ())
            numbers = zip(args, parameters, strict=False)
            return [(argument, parameter.name) for argument, parameter in numbers if parameter.type == "int"]
    return []
