"""Sources that nobody here wrote: the standard library and the packages that are installed, and the settings to try."""

from __future__ import annotations

import io
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from rewrite.anf.rewrite_options import KINDS

LARGEST = 40_000  # bytes: a test is to end

SETTINGS: Mapping[str, Mapping[str, object]] = {
    "decompose": {},
    "strings": {"recipe": "strings"},
    "methods": {"recipe": "methods"},
    "methods, released": {"recipe": "methods", "release": True, "names": "readable"},
    "expressions, conditions": {"recipe": "expressions", "conditions": True},
    "conditions": {"conditions": True},
    "conditions, released": {"conditions": True, "release": True},
    "depth 2": {"depth": 2},
    "depth 2, conditions, released": {"depth": 2, "conditions": True, "release": True},
    "depth 3, readable": {"depth": 3, "names": "readable"},
    "threshold 2, conditions": {"threshold": 2, "conditions": True},
    "threshold 3, readable, released": {"threshold": 3, "names": "readable", "release": True},
    "calls only, released": {"kinds": ("call",), "release": True},
    "all but calls, depth 2": {"kinds": tuple(kind for kind in KINDS if kind != "call"), "depth": 2},
}


@cache
def sources() -> tuple[str, ...]:
    """The paths of modules of the standard library and of installed packages, sorted."""
    folders = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    found = {path for folder in folders for path in folder.rglob("*.py") if path.stat().st_size < LARGEST}
    return tuple(sorted(str(path) for path in found if "bad" not in path.name and "lib2to3" not in path.parts))


def read(path: str) -> str:
    """The text of a module; "" if it is none for this Python."""
    try:
        source = Path(path).read_text(encoding="utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return ""
    return source


def comments(source: str) -> Counter[str]:
    """The comments of a source, with how often each one stands there."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def too_long(before: str, after: str) -> list[str]:
    """The lines that could have been broken and are longer than 120 and than all of the original.

    A comment, a text and a line of a text in triple quotes are as long as they are.
    """
    limit = max(120, *map(len, before.split("\n")))
    rows: dict[int, int] = {}
    for token in tokenize.generate_tokens(io.StringIO(after).readline):
        length = len(token.string) if token.type != tokenize.COMMENT else 10**6
        for row in range(token.start[0], token.end[0] + 1):
            rows[row] = max(rows.get(row, 0), length)
    lines = after.split("\n")
    # A token that takes more than half of its line leaves nothing worth breaking.
    return [line for row, line in enumerate(lines, 1) if len(line) > limit and rows.get(row, 0) < limit / 2]
