"""What a module lets a program observe beside its values: how long objects live, what functions are called, positions.

Goes by the words of the module: what another module, or a name put together at run time, observes is not seen.
"""

from __future__ import annotations

import ast
import re
from collections import Counter

# Who asks one of these can tell how long a variable holds an object, or is told at its end.
_LIVES = (
    r"__del__|weakref|gc|getrefcount|id(?=\()|memoryview|open|fdopen|makefile|socket|tempfile|TemporaryFile|Popen"
    r"|create_task|ensure_future"
)
# These show which function some code stands in, how it is compiled, or on which line.
_CODE = (
    r"__qualname__|__code__|__closure__|__traceback__|cell_contents|f_(?:lineno|code|back|lasti|trace)|co_\w+|gi_\w+|tb_\w+|traceback|tracemalloc"
    r"|inspect|settrace|setprofile|stacklevel|_getframe|currentframe|getsource\w*"
)
_OBSERVERS = re.compile(rf"\b(?:{_LIVES}|{_CODE})\b")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")  # PEP 263
_CLEANUP = (ast.Try, ast.TryStar, ast.With, ast.AsyncWith)
_YIELDS = (ast.Yield, ast.YieldFrom)


def are_lives_observed(tree: ast.Module, text: str) -> bool:
    """Whether a program can tell when a variable lets go of its value, or which function does what.

    A generator that is dropped in the middle of a `try` or `with` runs what stands at its end.
    """
    if _OBSERVERS.search(text):
        return True
    cleanups = (node for node in ast.walk(tree) if isinstance(node, _CLEANUP))
    return any(isinstance(inner, _YIELDS) for node in cleanups for inner in ast.walk(node))


def fixed_lines(text: str) -> int:
    """How many lines have to stay at the top of a module: `#!` in the first, the encoding in one of the first two.

    >>> fixed_lines("#!/usr/bin/env python3\\n# coding: utf-8\\nx = 1\\n"), fixed_lines("# said\\nx = 1\\n")
    (2, 0)
    """
    first, second = [*text.split("\n", 2), "", ""][:2]
    if _CODING.match(second) and re.fullmatch(r"[ \t\f]*(#.*)?\r?", first):
        return 2
    return int(first.startswith("#!") or _CODING.match(first) is not None)


def docstrings(tree: ast.Module) -> Counter[str]:
    """The docstrings of a module and of what it defines."""
    nodes = ast.walk(tree)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node, clean=False) for node in nodes if isinstance(node, kinds))
    return Counter(text for text in found if text is not None)
