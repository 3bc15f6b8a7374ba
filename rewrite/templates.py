"""Calls as text with their literals cut out, and values as text to put back in.

Arguments are read by `ast.literal_eval`; what is no literal stays in the call as it was written. Nothing is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpora.errors import InputError


def literal(value: object) -> str:
    """Source text of a value: `repr`, but for numbers and sets whose repr is no literal.

    >>> literal([float("inf"), -0.0, set()])
    '[1e999, -0.0, set()]'
    """
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return "(1e999 - 1e999)" if value != value else "1e999" if value > 0 else "-1e999"
    if isinstance(value, complex):
        return f"complex({literal(value.real)}, {literal(value.imag)})"
    if type(value) is list:
        return f"[{', '.join(map(literal, value))}]"
    if type(value) is tuple:
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if type(value) is dict:
        return "{" + ", ".join(f"{literal(key)}: {literal(held)}" for key, held in value.items()) + "}"
    if type(value) is set and value:
        return "{" + ", ".join(map(literal, value)) + "}"
    if type(value) is frozenset:
        return f"frozenset({literal(list(value))})"
    return repr(value)


@dataclass(frozen=True)
class Template:
    """A call with its literals cut out: `pieces[0] hole pieces[1] hole …`."""

    pieces: tuple[str, ...]
    values: tuple[object, ...]
    parameters: tuple[str, ...]  # keyword name, or position among the outermost call's arguments, or ""
    function: str
    annotations: tuple[ast.expr | None, ...] = ()  # of the holes, where they are not those of `function`

    def sharing(self, pair: tuple[int, int], values: Sequence[object]) -> str:
        """The call with one object in two places, where that can be written.

        >>> template("f([1], 2, [3])").sharing((0, 2), ([1], 2, [3]))
        '(lambda shared: f(shared, 2, shared))([1])'
        """
        texts = ["shared" if place in pair else literal(value) for place, value in enumerate(values)]
        return f"(lambda shared: {self._joined(texts)})({literal(values[pair[0]])})"

    def filled(self, values: Sequence[object]) -> str:
        """The call with these values in its holes, in order."""
        return self._joined([literal(value) for value in values])

    def _joined(self, texts: Sequence[str]) -> str:
        return "".join(itertools.chain.from_iterable(zip(self.pieces, [*texts, ""], strict=True)))


def template(call: str) -> Template:
    """Cut the literals out of a call; one that is no call, or has none, stays whole. Raises InputError.

    >>> template("f([1, 2], g('a', k=x))").pieces
    ('f(', ', g(', ', k=x))')
    """
    try:
        tree = ast.parse(call.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise InputError(f"not a call: {call.strip()!r} ({getattr(error, 'msg', error)})") from None
    marks: list[tuple[ast.expr, object, str]] = []
    if isinstance(tree, ast.Call):
        _cut(tree, marks, outermost=True)
    return _template_of(tree, marks)


def _cut(call: ast.Call, marks: list[tuple[ast.expr, object, str]], *, outermost: bool) -> None:
    if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call):
        _cut(call.func.value, marks, outermost=False)  # what a method is called on: `A(1).m(2)`
    named = [(argument, str(place)) for place, argument in enumerate(call.args)]
    named += [(keyword.value, keyword.arg or "") for keyword in call.keywords]
    for argument, name in named:
        if isinstance(argument, ast.Call):
            _cut(argument, marks, outermost=False)
            continue
        try:
            value = ast.literal_eval(argument)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue  # no literal: it stays in the call as it was written
        marks.append((argument, value, name if outermost else ""))


def _template_of(tree: ast.expr, marks: list[tuple[ast.expr, object, str]]) -> Template:
    holes = {id(node): f"__hole_{number}__" for number, (node, _, _) in enumerate(marks)}

    class Cutter(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            return ast.Name(holes[id(node)]) if id(node) in holes else super().generic_visit(node)

    function = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else ""
    text = ast.unparse(Cutter().visit(tree))
    pieces: list[str] = []
    for hole in holes.values():
        piece, _, text = text.partition(hole)
        pieces.append(piece)
    names = tuple(name for _, _, name in marks)
    return Template((*pieces, text), tuple(value for _, value, _ in marks), names, function)


def of_signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Template:
    """A call with a hole for every named parameter of a function.

    >>> of_signature(ast.parse("def f(a, *, b): pass").body[0]).pieces
    ('f(', ', b=', ')')
    """
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    starts = [""] * len(names) + [f"{argument.arg}=" for argument in function.args.kwonlyargs]
    parameters = [str(place) for place in range(len(names))] + [argument.arg for argument in function.args.kwonlyargs]
    pieces = [f"{', ' if place else ''}{start}" for place, start in enumerate(starts)]
    whole = [f"{function.name}({pieces[0]}", *pieces[1:], ")"] if pieces else [f"{function.name}()"]
    return Template(tuple(whole), (), tuple(parameters), function.name)


def of_method(owner: ast.ClassDef, method: ast.FunctionDef | ast.AsyncFunctionDef) -> Template:
    """A call of a method on a new instance, with a hole for every named parameter of both.

    >>> tree = ast.parse("class A:\\n    def __init__(self, x): pass\\n    def m(self, y): pass")
    >>> of_method(tree.body[0], tree.body[0].body[1]).pieces
    ('A(', ').m(', ')')
    """
    makers = [node for node in owner.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    maker = _without_self(makers[0] if makers else None, owner.name)
    called = _without_self(method, f".{method.name}")
    before, after = of_signature(maker).pieces, of_signature(called).pieces
    pieces = (*before[:-1], before[-1] + after[0], *after[1:])
    parameters = [*maker.args.args, *maker.args.kwonlyargs, *called.args.args, *called.args.kwonlyargs]
    return Template(pieces, (), ("",) * len(parameters), "", tuple(part.annotation for part in parameters))


def _without_self(function: ast.FunctionDef | ast.AsyncFunctionDef | None, name: str) -> ast.FunctionDef:
    """A function of another name and without its first parameter; without a function, one without parameters."""
    known = function.args if function else ast.arguments([], [], None, [], [], None, [])
    named = [*known.posonlyargs, *known.args][1:]
    return ast.FunctionDef(name, ast.arguments([], named, None, known.kwonlyargs, [], None, []), [], [])


def closed_early(call: str, count: int) -> str:
    """An expression that takes the first items of the generator that a call makes and closes it: its `finally` runs.

    >>> closed_early("f(1)", 2)
    '(lambda made: ([made.__next__() for _ in (0, 0)], made.close()))(f(1))'
    """
    items = f"[made.__next__() for _ in ({'0, ' * (count - 1)}0{',' if count == 1 else ''})]"
    return f"(lambda made: ({items}, made.close()))({call.strip()})"
