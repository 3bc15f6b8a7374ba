"""The names of functions by the line of their CALL frames: `def`, the first decorator, or the `yield` that goes on."""

from __future__ import annotations

import ast

from corpora.literals import parsed

_PAUSES = (ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.AsyncWith)
_NAMELESS = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def function_names(source: str) -> dict[int, str]:
    r"""The functions of a source by the lines, from 1, at which they are called or resumed.

    A line that also has a lambda or a comprehension is left out, as are all if the source does not parse.

    Example:
        >>> function_names("@cache\ndef g(n):\n    yield n\n")
        {3: 'g', 1: 'g'}
    """
    tree = parsed(source)
    nodes = list(ast.walk(tree)) if tree else []
    found: dict[int, str] = {}
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    for function in functions:  # inner functions come later, and have their lines for themselves
        found |= {node.lineno: function.name for node in ast.walk(function) if isinstance(node, _PAUSES)}
    for node in nodes:
        if isinstance(node, _NAMELESS):
            found.pop(node.lineno, None)
    return found | {min([one.lineno, *(d.lineno for d in one.decorator_list)]): one.name for one in functions}
