"""The value that a statement such as `assert f(3) == 8` gives, in the forms in which models write it.

Nothing is run. `analyze.diagnosis.direct_values` finds the statement in an output. The call under test may be on either
side. A statement about another value, such as `assert len(f(3)) == 2`, gives none.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import lru_cache

from corpora.literals import literal_arguments, parsed

_FENCE = re.compile(r"\A```[\w+-]*[ \t]*\n?(.*?)\n?[ \t]*```\Z", re.DOTALL)
_SIGN = re.compile(r"\s*(?:==?|->|=>|→)\s*")
_MOST_SIGNS = 50
NO_VALUE = ""
"""Instead of a value: a statement that does not say what the call returns."""


def stated_value(text: str, call: str = "") -> str:
    """The value in a statement: its side that is not the call; the text itself if it is no statement about a call.

    Args:
        text: What the model wrote.
        call: The call under test (default: unknown; then any call that is not of a builtin function).

    Returns:
        The value as written; NO_VALUE if the last statement about the call does not give its value. Statements about
            other arguments of the function count only if there is no other.

    >>> [stated_value(text) for text in ("assert f(3) == 8  # 4*2", "f(n = 3) = 8", "8 == f(3)", "`[1]`", "f(3) -> 9")]
    ['8', '8', '8', '[1]', '9']
    >>> stated_value("Counter('a') == f(1)", "f(1)"), stated_value("assert len(f(1)) == 2", "f(1)")
    ("Counter('a')", '')
    """
    block = without_fence(text)
    statements = (found for lenient in (False, True) for found in _values(block, call, any_arguments=lenient))
    return next(statements, block)


def _values(block: str, call: str, *, any_arguments: bool) -> Iterator[str]:
    """The values that a block gives, as Python code and then in its lines, the last one first."""
    whole = compared_value(block, call, any_arguments=any_arguments)
    if whole is not None:
        yield whole
    for line in reversed(block.splitlines()):
        found = compared_value(line.strip().strip("`"), call, any_arguments=any_arguments)
        found = _after_call(line.strip(), call, any_arguments=any_arguments) if found is None else found
        if found is not None:
            yield found


def without_fence(text: str) -> str:
    """The content of a fenced block or of code between backticks; any other text without surrounding white space."""
    block = text.strip()
    match = _FENCE.match(block)
    return match[1].strip() if match else block.strip("`").strip() if block.startswith("`") else block


def compared_value(code: str, call: str = "", *, any_arguments: bool = True) -> str | None:
    """The value that the last statement about the call in `code` gives.

    Args:
        code: Python code.
        call: As for `stated_value`.
        any_arguments: Whether a call of the same function with other literals as arguments counts as the call (models
            miscopy arguments).

    Returns:
        The value as written; NO_VALUE if the statement does not give it; None if there is no statement about a call, or
            `code` is not Python.
    """
    tree = parsed(code)
    for node in reversed(tree.body if tree else []):
        test = node.test if isinstance(node, ast.Assert) else node.value if isinstance(node, ast.Expr) else None
        if test is None or not (any_arguments or _is_about(test, call)):
            continue
        value = _other_side(test, call, asserted=isinstance(node, ast.Assert))
        if value is not None:
            return ast.get_source_segment(code, value)
        if isinstance(node, ast.Assert) or (_mentions(test, call) and not isinstance(test, ast.Call)):
            return NO_VALUE
    return None


def _other_side(test: ast.expr, call: str, *, asserted: bool) -> ast.expr | None:
    """The side of a comparison that is the value; None if no side is the call, or in an assertion a variable for it."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[-1], ast.Eq | ast.Is):
        return None
    left, right = test.left, test.comparators[-1]
    if _is_tested(left, call) or (_may_be_tested(left, test, call) and not _is_tested(right, call)):
        return right
    if _is_tested(right, call) or _may_be_tested(right, test, call):
        return left
    return right if asserted and isinstance(left, ast.Name) and not _mentions(test, call) else None


def _is_tested(node: ast.expr, call: str) -> bool:
    """Whether an expression is the call under test, perhaps with other notation of the arguments."""
    shape, name = _call_shape(call)
    return bool(shape) and (_shape(node) == shape or (bool(name) and _called_name(node) == name))


def _is_about(test: ast.expr, call: str) -> bool:
    """Whether no side of a comparison calls the function under test with other literals as arguments."""
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
    return not any(_is_tested(side, call) and _has_other_literals(side, call) for side in sides)


def _has_other_literals(node: ast.expr, call: str) -> bool:
    """Whether the arguments of two calls are literals that differ, in the same notation."""
    tested = _expression(call.strip())
    if not isinstance(node, ast.Call) or not isinstance(tested, ast.Call):
        return False
    try:
        one, other = literal_arguments(node), literal_arguments(tested)
    except ValueError:
        return False
    return one.keys() == other.keys() and one != other


def _may_be_tested(node: ast.expr, test: ast.expr, call: str) -> bool:
    """Whether a call may be the one under test under another name: it is of no builtin, which wraps a value."""
    return isinstance(node, ast.Call) and not _mentions(test, call) and not hasattr(builtins, _called_name(node))


def _mentions(test: ast.expr, call: str) -> bool:
    """Whether the function under test is called anywhere in an expression."""
    name = _call_shape(call)[1]
    return bool(name) and any(_called_name(node) == name for node in ast.walk(test))


def _called_name(node: ast.AST) -> str:
    """The last part of the name of the function that an expression calls; "" if it is no such call."""
    function = node.func if isinstance(node, ast.Call) else None
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


@lru_cache
def _call_shape(call: str) -> tuple[str, str]:
    """The dumped tree of a call, and the name of its function; "" where there is none."""
    tested = _expression(call.strip())
    return ("", "") if tested is None else (_shape(tested), _called_name(tested))


def _shape(node: ast.expr) -> str:
    """The dumped tree of an expression; "" if it is nested too deeply to be compared."""
    try:
        return ast.dump(node)
    except RecursionError:
        return ""


def _after_call(line: str, call: str, *, any_arguments: bool) -> str | None:
    """What follows the sign after a call, in a line that is not Python, such as `f(3) = 8`."""
    for number, sign in enumerate(_SIGN.finditer(line)):
        if number == _MOST_SIGNS:
            return None
        node = _expression(line[: sign.start()].strip("` ").removeprefix("assert "))
        if node is not None:
            if not (any_arguments or _is_about(node, call)):
                return None
            if _is_tested(node, call) or _may_be_tested(node, node, call):
                return line[sign.end() :].strip().strip("`") or None
            if _mentions(node, call):
                return NO_VALUE
    return None


@lru_cache
def _expression(code: str) -> ast.expr | None:
    """The expression that code consists of; None for other code."""
    tree = parsed(code)
    only = tree.body[0] if tree and len(tree.body) == 1 else None
    return only.value if isinstance(only, ast.Expr) else None
