"""Whether a module can observe more than values: object lifetimes, which functions run, and line numbers.

The analysis looks for words in the source. It misses what another module observes, and names computed at run time.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from token import NAME

# Words of code that can observe how long a variable keeps an object alive.
_LIVES = (
    r"__del__|weakref|gc|getrefcount|id(?=\()|memoryview|open|fdopen|makefile|socket|tempfile|TemporaryFile|Popen"
    r"|create_task|ensure_future"
)
# Words of code that can observe line numbers or the text of lines.
_LINES = (
    r"f_lineno|tb_lineno|co_(?:firstlineno|lines|positions|linetable|lnotab)|traceback|getframeinfo|getsource\w*"
    r"|findsource"
)
# Words of code that can observe which function runs, or its code object.
_CODE = (
    r"__qualname__|__code__|__closure__|__traceback__|cell_contents|f_(?:code|back|lasti|trace)|co_\w+|gi_\w+|tb_\w+"
    r"|tracemalloc|inspect|settrace|setprofile|stacklevel|_getframe|currentframe"
)
_LINE_READERS = re.compile(_LINES)
_OBSERVERS = re.compile(rf"\b(?:{_LIVES}|{_LINES}|{_CODE})\b")
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


def find_line_readers(text: str) -> list[str]:
    """The names in a source through which it may read line numbers or its own source, sorted.

    >>> find_line_readers("error.__traceback__.tb_lineno  # of the traceback")
    ['tb_lineno']
    """
    if not _LINE_READERS.search(text):  # most programs
        return []
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sorted({one.string for one in tokens if one.type == NAME and _LINE_READERS.fullmatch(one.string)})


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
