"""What a rewrite did to the text of a program: lost comments, and reformatted code."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter


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
