"""What a rewrite did to the text of a program: its changed lines, lost comments, and reformatted code."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any


def changed_lines(before: str, after: str) -> frozenset[int]:
    """Return the lines of `before` (from 1) on which a statement begins that `after` does not have in its place.

    Layout and comments do not count.

    Example:
        >>> sorted(changed_lines("a = 1\\nif a:\\n    b = 2\\n", "a = 1\\nif a:\\n    b = 3\\n"))
        [3]
    """
    return frozenset(_changed(ast.parse(before).body, ast.parse(after).body))


def _changed(before: list[ast.stmt], after: list[ast.stmt]) -> Iterator[int]:
    old, new = list(map(ast.dump, before)), list(map(ast.dump, after))
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "insert" and before:
            yield _first_line(before[min(start, len(before) - 1)])
        if tag in ("replace", "delete"):
            pairs = zip(before[start:end], after[first:last], strict=False)
            paired = [_changed_inside(one, other) for one, other in pairs] if end - start == last - first else []
            for place, statement in enumerate(before[start:end]):
                inside = paired[place] if paired else None
                yield from [_first_line(statement)] if inside is None else inside


def _first_line(statement: ast.stmt) -> int:
    """The first line of a statement that is executed: `try` itself is not."""
    return _first_line(statement.body[0]) if isinstance(statement, ast.Try | ast.TryStar) else statement.lineno


_BLOCKS = ("body", "orelse", "finalbody")
_CLAUSES = ("handlers", "cases")
"""Parts of statements that have blocks: `except` and `case`."""


def _changed_inside(one: Any, other: Any) -> list[int] | None:
    """The changed lines in the blocks of a statement; None if the statement itself changed."""
    if type(one) is not type(other) or not {"body", "cases"} & {*one._fields} or _head(one) != _head(other):
        return None
    blocks = [name for name in _BLOCKS if hasattr(one, name)]
    lines = [line for name in blocks for line in _changed(getattr(one, name), getattr(other, name))]
    for name in _CLAUSES:
        for clause, new in zip(getattr(one, name, ()), getattr(other, name, ()), strict=True):
            lines += _changed_inside(clause, new) or ()
    return lines


def _head(node: Any) -> list[str]:
    """The parts of a statement or clause outside of its blocks, and which blocks it has."""
    return [f"{name}={_part(name, value)}" for name, value in ast.iter_fields(node)]


def _part(name: str, value: Any) -> str:
    if name in _CLAUSES:
        return str([_head(clause) for clause in value])
    return str(bool(value)) if name in _BLOCKS else _dumped(value)


def _dumped(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumped, value)) + "]"
    return ast.dump(value) if isinstance(value, ast.AST) else repr(value)


def lost_comments(before: str, after: str) -> list[str]:
    """Return the comments of a program that its rewrite does not have."""
    return sorted((_comments(before) - _comments(after)).elements())


def _comments(source: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def reformatted(before: str, after: str) -> tuple[str, str] | None:
    """Return the first top-level statement that means the same in both programs but is written differently, twice."""
    written = {ast.dump(node): ast.get_source_segment(after, node) or "" for node in ast.parse(after).body}
    for node in ast.parse(before).body:
        text = ast.get_source_segment(before, node) or ""
        new = written.get(ast.dump(node), text)
        if new != text:
            return text, new
    return None
