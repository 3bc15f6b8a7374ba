"""Fold lines that the rewrite made too long.

A rewritten statement is printed on one line and may be indented more deeply than before. A line longer than both
`LONGEST` and the longest line of the original is continued on the next line: after a comma, before an operator or
between two strings. It is folded inside its outermost brackets, or inside parentheses added for this purpose. A comment
at its end moves to the line above. The module works on text alone. Three kinds of line stay long: a single token (a
string, a name), a line without a place to fold, and a line with at most `ROOM` characters after its indentation.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from corpora.literals import UNPARSABLE

LONGEST = 120
# Below this width, folding only adds lines: every line may have this many characters after its indentation.
ROOM = 40
_DEEPER = "    "
# Comments that tools read together with the line that they are on.
PRAGMAS = ("# type:", "# noqa", "# pragma", "# pylint", "# pyright", "# mypy", "# fmt", "# ruff", "# nosec")
# fmt: off
_OPERATORS = frozenset((
    "+", "-", "*", "/", "//", "%", "@", "**", "|", "&", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=",
    "and", "or", "if", "else", "for", "in", "not", "is",
))
_SPLIT = frozenset(("=", "+=", "-=", "*=", "/=", "//=", "%=", "@=", "&=", "|=", "^=", ">>=", "<<=", "**="))
# fmt: on
_PARSE = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
_HEADS = frozenset(("if", "elif", "while"))
_LAYOUT = (tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
_ENDS = (tokenize.NEWLINE, tokenize.NL)
_FSTRING = {
    getattr(tokenize, f"{kind}STRING_{end}", -1): step for kind in "FT" for end, step in (("START", 1), ("END", -1))
}


@dataclass(frozen=True)
class LineToken:
    """A token that begins on a line.

    Attributes:
        column: its column, from 0.
        text: its source text.
        kind: its type, a constant of `tokenize`.
        depth: the number of brackets around it.
        before: the text of the token before it.
        inside: whether it is part of an f-string.
    """

    column: int
    text: str
    kind: int
    depth: int
    before: str
    inside: bool  # a formatted string

    @property
    def can_fold(self) -> bool:
        """Whether the line can be folded before this token if brackets surround it."""
        if self.inside or self.kind in (tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT):
            return False
        binary = self.text in _OPERATORS and self.before not in _OPERATORS | _SPLIT and self.before[-1:] not in "([{,:"
        strings = self.before[-1:] in "'\"" and self.before != "" and self.text[-1:] in "'\""
        return binary or strings or self.before == "," or (self.before[-1:] in "([{" and self.text not in ")]}")


def line_limit(source: str) -> int:
    """Return the length limit of the lines in the rewrite of a source, in characters."""
    return max(LONGEST, *map(len, source.split("\n")))


def fold_long_lines(text: str, limit: int) -> tuple[str, list[int]] | None:
    """Fold the lines that are longer than a limit.

    Args:
        text: the source of a module.
        limit: the length limit, in characters (see `line_limit`).

    Returns:
        The folded text, and for each of its lines the number (from 0) of the line it comes from. None if no line was
        folded.

    Example:
        >>> fold_long_lines("totals = [first_of_them, second_of_them, third_of_them, fourth_of_them]\\n", 44)
        ('totals = [first_of_them, second_of_them,\\n    third_of_them, fourth_of_them]\\n', [0, 0, 1])
    """
    lines = text.split("\n")
    long = {row for row, line in enumerate(lines) if len(line) > _limit(line, limit)}
    if not long:
        return None
    tokens = _tokens(text, long)
    new, origins = [], []
    for row, line in enumerate(lines):
        pieces = list(_fold_line(line, tokens[row], _limit(line, limit))) if row in tokens else [line]
        new += pieces
        origins += [row] * len(pieces)
    folded = "\n".join(new)
    return (folded, origins) if len(new) > len(lines) and _is_same_program(text, folded) else None


def _is_same_program(before: str, after: str) -> bool:
    """Whether both texts parse to the same tree. Nothing compiles the text after this step, so it checks itself."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            trees = [compile(text, "<folded>", "exec", _PARSE, dont_inherit=True) for text in (before, after)]
        return len({ast.dump(tree) for tree in trees}) == 1
    except UNPARSABLE:
        return False


def _limit(line: str, limit: int) -> int:
    """The limit for one line: at least `ROOM` characters after its indentation."""
    return max(limit, len(line) - len(line.lstrip()) + ROOM)


def _tokens(text: str, rows: set[int]) -> dict[int, list[LineToken]]:
    """The tokens on some lines, except lines that begin inside a string or after a backslash."""
    found: dict[int, list[LineToken]] = {row: [] for row in rows}
    depth, strings, before, kind = 0, 0, "", tokenize.NEWLINE
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        row, column = token.start[0] - 1, token.start[1]
        if token.string in (")", "]", "}") and token.type == tokenize.OP:
            depth -= 1
        if token.type in _LAYOUT:
            continue
        if row in found and not found[row] and kind not in _ENDS:
            del found[row]
        elif row in found:
            found[row].append(LineToken(column, token.string, token.type, depth, before, strings > 0))
        if token.string in ("(", "[", "{") and token.type == tokenize.OP:
            depth += 1
        strings += _FSTRING.get(token.type, 0)
        before, kind = "'" if _FSTRING.get(token.type) == -1 else token.string, token.type
    return found


def _fold_line(line: str, tokens: Sequence[LineToken], limit: int) -> Iterator[str]:
    """Yield the lines that one line is folded into."""
    indent = line[: len(line) - len(line.lstrip())]
    ended = "\r" if line.endswith("\r") else ""
    line = line.removesuffix("\r")
    comment = next((token for token in tokens if token.kind == tokenize.COMMENT), None)
    if comment is not None and line[: comment.column].strip() and not comment.text.startswith(PRAGMAS):
        yield indent + comment.text + ended
        line = line[: comment.column].rstrip()
    closed = [token.text for token in tokens if token.kind not in _ENDS][-1:] == [")"]
    if len(line) > limit:
        whole = line
        line, tokens = _in_parentheses(line, tokens, limit)
        closed = closed or line != whole
    offset, first = 0, True
    while len(line) > limit:
        folds = [t for t in tokens if t.can_fold and t.depth > 0 and len(indent) + 4 < t.column - offset < len(line)]
        fitting = [t for t in folds if len(line[: t.column - offset].rstrip()) <= limit]
        if not folds:
            break
        depth = min(token.depth for token in fitting or folds)
        columns = [token.column - offset for token in fitting or folds if token.depth == depth]
        at = max(columns) if fitting else min(columns)
        yield line[:at].rstrip() + ended
        if first and tokens[0].depth == 0:
            indent += _DEEPER
        first = False
        line, offset = indent + line[at:], offset + at - len(indent)
    if len(line) == limit + 1 and line.endswith(")") and closed and not first:
        yield line[:-1] + ended
        line = indent.removesuffix(_DEEPER) + ")"
    yield line + ended


def _in_parentheses(line: str, tokens: Sequence[LineToken], limit: int) -> tuple[str, Sequence[LineToken]]:
    """Put parentheses around the value of a whole statement that has no brackets to fold in."""
    last = next((place for place, token in enumerate(tokens) if token.kind == tokenize.NEWLINE), None)
    if last is None or not tokens or tokens[0].depth:
        return line, tokens
    end = last - (tokens[last - 1].kind == tokenize.COMMENT)
    outside = [token.text if not token.depth else "" for token in tokens[:end]]
    if ";" in outside:
        return line, tokens
    if outside[0] in _HEADS:
        start, end = int(outside[-1] == ":"), end - 1
    elif outside[0] == "return":
        start = 1
    elif outside[0] == "from":  # parentheses around `*` are an error
        start = outside.index("import") + 1 if outside[end - 1] != "*" else 0
    else:  # after the last `=` of the assignment; after `lambda` a `=` belongs to a default
        before = outside[: outside.index("lambda")] if "lambda" in outside else outside
        start = max((place + 1 for place, text in enumerate(before) if text in _SPLIT), default=0)
    if not 0 < start < end or "\n" in tokens[end - 1].text:
        return line, tokens
    left, right = tokens[start].column, tokens[end - 1].column + len(tokens[end - 1].text)
    alone = not any(token.depth for token in tokens[:end]) and tokens[0].column + len(_DEEPER) + right - left <= limit
    if not alone and not any(token.can_fold and not token.depth for token in tokens[start + 1 : end]):
        return line, tokens
    tokens = [*tokens[:start], replace(tokens[start], before="("), *tokens[start + 1 :]]
    moved = [
        replace(t, column=t.column + (i >= start), depth=t.depth + (start <= i < end))
        for i, t in enumerate(tokens[:end])
    ]
    return f"{line[:left]}({line[left:right]}){line[right:]}", moved
