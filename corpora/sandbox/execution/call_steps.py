"""Parses and compiles calls before the program is loaded: afterwards the program may have replaced `ast` and `compile`.

A call is one expression; or a sequence on one module, `f(1); f(2)`, with names for later calls, `made = A(1);
made.m(2)`; or `pass`, which only loads the module. Runs inside the worker and executes nothing itself.
"""

from __future__ import annotations

import ast
import builtins
import types
from typing import Any

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_Tuple, _Expression, _Load = ast.Tuple, ast.Expression, ast.Load
_PLACE: Any = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
Parts = tuple[Any, tuple[Any, ...], tuple[Any, ...]]


class ParsedCall:
    """The steps of one call. A syntax error is kept in `error` and raised when the call would run."""

    def __init__(self, text: str, sequences: bool) -> None:
        self.error: Exception | None = None
        self.steps: list[CallStep] = []
        try:
            self.steps = parse_steps(text, sequences)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            self.error = error


class CallStep:
    """One expression of a call, and the name that its value is bound to, or "".

    The arguments of a call are evaluated separately, because they are described afterwards. Any other expression is
    evaluated as a whole.
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
                # `f('text', 3)`, the usual call of a benchmark, needs no code object, whose compilation would dominate
                self._function, self._constants = body.func.id, tuple(constants)
            self._call = body
        if not self._function:
            self._code = _compile(_evaluation_tuple(body) if isinstance(body, ast.Call) else body)

    def value(self, namespace: dict[str, Any], names: dict[str, Any], arguments: list[object]) -> object:
        """Evaluate the expression.

        Args:
            namespace: The globals of the module.
            names: Names bound by earlier steps.
            arguments: Receives the arguments of a call.
        """
        if not self.is_call:
            assert self._code is not None
            return eval(self._code, namespace, names or None)
        function, positional, values = self._evaluated(namespace, names)
        named: dict[str, object] = {}
        for keyword, value in zip(self._keywords, values, strict=True):
            more = {keyword: value} if keyword is not None else {**value}
            if named.keys() & more.keys():
                function(*positional, **named, **more)  # raises the TypeError of Python for a repeated keyword
            named.update(more)
        arguments += [*positional, *named.values()]
        return function(*positional, **named)

    def _evaluated(self, namespace: dict[str, Any], names: dict[str, Any]) -> Parts:
        """(function, arguments, keyword values) of a call, in the evaluation order of a call."""
        if self._function and self._function in namespace and self._function not in names:
            return namespace[self._function], self._constants, ()
        if self._code is None:  # a built-in, or an undefined name
            self._code = _compile(_evaluation_tuple(self._call))
        found: Parts = eval(self._code, namespace, names or None)
        return found


def parse_steps(text: str, sequences: bool) -> list[CallStep]:
    """The expression of a call, or, if `sequences` are allowed, the expressions of a sequence. Raises SyntaxError."""
    text = text.strip()
    try:
        return [CallStep(ast.parse(text, "call", "eval").body)]
    except SyntaxError:
        found = _parse_sequence(text) if sequences else None
        if found is None:
            raise
        return found


def _parse_sequence(text: str) -> list[CallStep] | None:
    """The steps of a sequence; None if the string is not a sequence."""
    try:
        body = ast.parse(text, "call", "exec").body
    except SyntaxError:
        return None
    found: list[CallStep] = []
    for node in body:
        match node:
            case ast.Expr(value=value):
                found.append(CallStep(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found.append(CallStep(value, name))
            case ast.Pass():
                continue
            case _:
                return None
    return found if body else None


def _evaluation_tuple(call: ast.Call) -> ast.expr:
    """`(function, (arguments…), (keyword values…))`, which has the evaluation order of a call."""
    arguments = _Tuple(call.args, _Load(), **_PLACE)
    values = _Tuple([keyword.value for keyword in call.keywords], _Load(), **_PLACE)
    return _Tuple([call.func, arguments, values], _Load(), **_PLACE)


def _compile(body: ast.expr) -> types.CodeType:
    return compile(_Expression(body), "call", "eval", dont_inherit=True)
