"""What is to be called, made ready before the program is loaded: afterwards `ast` and `compile` may be the program's.

A text is one expression, or a sequence on one module: `f(1); f(2)`, with names for what later calls need,
`made = A(1); made.m(2)`; or `pass`, which only loads the module. Runs inside the worker; runs nothing itself.
"""

from __future__ import annotations

import ast
import builtins
import types
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
_Tuple, _Expression, _Load = ast.Tuple, ast.Expression, ast.Load
_PLACE: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
Parts = tuple[Any, tuple[Any, ...], tuple[Any, ...]]


class Text:
    """The steps of one call, or why its text has none: that is raised where the call would be made."""

    def __init__(self, text: str, sequences: bool) -> None:
        self.failed: Exception | None = None
        self.steps: list[Step] = []
        try:
            self.steps = steps(text, sequences)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            self.failed = error


class Step:
    """One expression of a text, and the name that its value gets, or "".

    A call is taken apart, as its arguments are described after it; anything else is evaluated whole.
    """

    def __init__(self, body: ast.expr, name: str = "") -> None:
        self.name = name
        self.is_call = type(body) is ast.Call
        self._keywords: tuple[str | None, ...] = ()
        self._function = ""
        self._constants: tuple[object, ...] = ()
        self._code: types.CodeType | None = None
        if isinstance(body, ast.Call):
            self._keywords = tuple(keyword.arg for keyword in body.keywords)
            constants = [node.value for node in body.args if type(node) is ast.Constant]
            if type(body.func) is ast.Name and len(constants) == len(body.args) and not body.keywords:
                # `f('text', 3)`, the usual call of a benchmark, needs no code; most of its cost would be compiling it
                self._function, self._constants = body.func.id, tuple(constants)
            self._call = body
        if not self._function:
            self._code = _compiled(_in_order(body) if isinstance(body, ast.Call) else body)

    def value(self, namespace: dict[str, Any], names: dict[str, Any], arguments: list[object]) -> object:
        """Evaluate it, with these names beside the module's; the arguments of a call are added to `arguments`."""
        if not self.is_call:
            assert self._code is not None
            return eval(self._code, namespace, names or None)
        function, positional, values = self._evaluated(namespace, names)
        named: dict[str, object] = {}
        for keyword, held in zip(self._keywords, values, strict=True):
            more = {keyword: held} if keyword is not None else {**held}
            if named.keys() & more.keys():
                function(*positional, **named, **more)  # raises what Python raises for a keyword given twice
            named.update(more)
        arguments += [*positional, *named.values()]
        return function(*positional, **named)

    def _evaluated(self, namespace: dict[str, Any], names: dict[str, Any]) -> Parts:
        """(function, arguments, keyword values) of a call, evaluated in the order in which a call does."""
        if self._function and self._function in namespace and self._function not in names:
            return namespace[self._function], self._constants, ()
        if self._code is None:  # a built-in, or nothing that is known
            self._code = _compiled(_in_order(self._call))
        found: Parts = eval(self._code, namespace, names or None)
        return found


def steps(text: str, sequences: bool) -> list[Step]:
    """The one expression of a text, or, where `sequences` are allowed, those of several. Raises SyntaxError."""
    text = text.strip()
    try:
        return [Step(ast.parse(text, "call", "eval").body)]
    except SyntaxError:
        found = _several(text) if sequences else None
        if found is None:
            raise
        return found


def _several(text: str) -> list[Step] | None:
    """The steps of a sequence, or None where the text is none."""
    try:
        body = ast.parse(text, "call", "exec").body
    except SyntaxError:
        return None
    found: list[Step] = []
    for node in body:
        match node:
            case ast.Expr(value=value):
                found.append(Step(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.append(Step(value, name))
            case ast.Pass():
                continue
            case _:
                return None
    return found if body else None


def _in_order(call: ast.Call) -> ast.expr:
    """`(function, (arguments…), (keyword values…))`, which evaluates in the order in which a call does."""
    arguments = _Tuple(call.args, _Load(), **_PLACE)
    values = _Tuple([keyword.value for keyword in call.keywords], _Load(), **_PLACE)
    return _Tuple([call.func, arguments, values], _Load(), **_PLACE)


def _compiled(body: ast.expr) -> types.CodeType:
    return compile(_Expression(body), "call", "eval", dont_inherit=True)
