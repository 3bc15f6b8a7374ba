"""Whether a module can observe more than values: object lifetimes, which functions run, and line numbers.

The analysis looks for words in the source. It misses what another module observes, and names computed at run time.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

# Words of code that can observe how long a variable keeps an object alive.
_LIVES = (
    r"__del__|weakref|gc|getrefcount|id(?=\()|memoryview|open|fdopen|makefile|socket|tempfile|TemporaryFile|Popen"
    r"|create_task|ensure_future"
)
# Words of code that can observe which function or line runs, or its code object.
_CODE = (
    r"__qualname__|__code__|__closure__|__traceback__|cell_contents|f_(?:lineno|code|back|lasti|trace)|co_\w+|gi_\w+|tb_\w+|traceback|tracemalloc"
    r"|inspect|settrace|setprofile|stacklevel|_getframe|currentframe|getsource\w*"
)
_OBSERVERS = re.compile(rf"\b(?:{_LIVES}|{_CODE})\b")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")  # PEP 263
_CLEANUP = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
_YIELDS = (ast.Yield, ast.YieldFrom)


def observes_lifetimes(tree: ast.Module, text: str) -> bool:
    """Whether a program may notice when a variable releases its value, or which function runs some code.

    A generator dropped in the middle of a `try` or `with` runs the code at its end.
    """
    if _OBSERVERS.search(text):
        return True
    cleanups = (node for node in ast.walk(tree) if isinstance(node, _CLEANUP))
    return any(isinstance(inner, _YIELDS) for node in cleanups for inner in ast.walk(node))


def count_fixed_lines(text: str) -> int:
    """Return how many lines must stay at the top: `#!` in the first, an encoding in one of the first two.

    Example:
        >>> count_fixed_lines("#!/usr/bin/env python3\\n# coding: utf-8\\nx = 1\\n"), count_fixed_lines("x = 1\\n")
        (2, 0)
    """
    first, second = [*text.split("\n", 2), "", ""][:2]
    if _CODING.match(second) and re.fullmatch(r"[ \t\f]*(#.*)?\r?", first):
        return 2
    return int(first.startswith("#!") or _CODING.match(first) is not None)


def docstrings(tree: ast.Module) -> Counter[str]:
    """Return the docstrings of a module and of its definitions."""
    nodes = ast.walk(tree)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node, clean=False) for node in nodes if isinstance(node, kinds))
    return Counter(text for text in found if text is not None)
