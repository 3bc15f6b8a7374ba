"""The value that a statement such as `assert f(3) == 8` gives, in the forms in which models write it.

Nothing is run. `analyze.diagnosis.direct_values` finds the statement in an output.
"""

from __future__ import annotations

import ast
import re

from corpora.literals import parse_quietly

_FENCE = re.compile(r"\A```[\w+-]*[ \t]*\n?(.*?)\n?[ \t]*```\Z", re.DOTALL)
_SIGN = re.compile(r"\s*(?:==?|->|=>|→)\s*")
_MOST_SIGNS = 50


def stated_value(text: str) -> str:
    """The value in a statement: its side that is no call; the text itself if it is no statement about a call.

    >>> [stated_value(text) for text in ("assert f(3) == 8  # 4*2", "f(n = 3) = 8", "8 == f(3)", "`[1]`", "f(3) -> 9")]
    ['8', '8', '8', '[1]', '9']
    """
    block = without_fence(text)
    found = compared_value(block)
    if found is not None:
        return found
    for line in reversed(block.splitlines()):
        found = compared_value(line.strip().strip("`")) or _after_call(line.strip())
        if found is not None:
            return found
    return block


def without_fence(text: str) -> str:
    """The content of a fenced block or of code between backticks; any other text without surrounding white space."""
    block = text.strip()
    match = _FENCE.match(block)
    return match[1].strip() if match else block.strip("`").strip() if block.startswith("`") else block


def compared_value(code: str) -> str | None:
    """The value that the last comparison of a call in `code` gives; None if there is none, or it is not Python."""
    tree = _parsed(code)
    for node in reversed(tree.body if tree else []):
        test = node.test if isinstance(node, ast.Assert) else node.value if isinstance(node, ast.Expr) else None
        if not isinstance(test, ast.Compare) or not isinstance(test.ops[-1], ast.Eq | ast.Is):
            continue
        sides = (test.left, test.comparators[-1])  # of two calls, the second is a value such as Counter('ab')
        if _is_call(sides[1]) and not _is_call(sides[0]):
            sides = sides[1], sides[0]
        if _is_call(sides[0]) or isinstance(node, ast.Assert):
            return ast.get_source_segment(code, sides[1])
    return None


def _after_call(line: str) -> str | None:
    """What follows the sign after a call, in a line that is not Python, such as `f(3) = 8`."""
    for number, sign in enumerate(_SIGN.finditer(line)):
        if number == _MOST_SIGNS:
            return None
        call = _parsed(line[: sign.start()].strip("` ").removeprefix("assert "))
        if call and len(call.body) == 1 and isinstance(call.body[0], ast.Expr) and _is_call(call.body[0].value):
            return line[sign.end() :].strip().strip("`") or None
    return None


def _is_call(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node) != "set()"


def _parsed(code: str) -> ast.Module | None:
    try:
        module: ast.Module = parse_quietly(code)
        return module
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
