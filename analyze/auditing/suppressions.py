"""Comments that suppress findings: `# spellout: ignore`, `# spellout: ignore[CODE, CODE]` and `# spellout: leave`.

At the end of a line, a comment covers the statement of that line: of a statement with blocks, the lines of its header;
of a function or class, all of it. On a line of its own, it covers the next statement. The rules are those of
`# spellout: leave` in `rewrite.pipeline.leave_comments`, which protects a statement from being rewritten; a statement
that is to stay as it is has no findings.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field

CODE_UNUSED = "UNUSED_IGNORE"
"""The code under which a comment that suppresses nothing is reported."""
_COMMENT = re.compile(r"#\s*spellout:\s*(ignore|leave)\b(?:\s*\[([^\]]*)\])?")
_WHOLE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class UnusedSuppression:
    """A comment, or one code of it, that suppresses nothing.

    Attributes:
        where: Place of the row, or the path of the program.
        line: Line of the comment, from 1.
        column: Its column in characters, from 1.
        codes: The codes that suppress nothing; empty for a comment without codes.
    """

    where: str
    line: int
    column: int
    codes: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", tuple(self.codes))  # JSON has lists


@dataclass(frozen=True)
class Suppression:
    """One comment.

    Attributes:
        line: Line of the comment, from 1.
        column: Its column in characters, from 1.
        codes: The classes that it suppresses; None for all.
        first: First line that it covers.
        last: Last line that it covers.
        checked: Whether it is reported if it suppresses nothing; not so for `leave`, which `rewrite` reads too.
    """

    line: int
    column: int
    codes: tuple[str, ...] | None
    first: int
    last: int
    checked: bool

    def covers(self, line: int, code: str) -> bool:
        """Whether it suppresses findings of this class on this line."""
        return self.first <= line <= self.last and (self.codes is None or code in self.codes)


@dataclass
class SuppressionUse:
    """The comments of one program, and which of their codes suppressed something."""

    comments: tuple[Suppression, ...]
    _used: set[tuple[int, str]] = field(default_factory=set)

    def suppresses(self, line: int, code: str) -> bool:
        """Returns whether a finding is suppressed, and notes by which comments."""
        hits = [number for number, comment in enumerate(self.comments) if comment.covers(line, code)]
        self._used.update((number, code) for number in hits)
        return bool(hits)

    def unused(self, where: str, unchecked: frozenset[str]) -> Iterator[UnusedSuppression]:
        """Yields the comments and codes that suppress nothing; a code that is no class at all is one of them.

        Args:
            where: The place of the program.
            unchecked: Classes that were not checked, of which nothing is known.
        """
        for number, comment in enumerate(self.comments):
            used = {code for at, code in self._used if at == number}
            if not comment.checked or (comment.codes is None and (used or unchecked)):
                continue
            left = tuple(code for code in comment.codes or () if code not in used and code not in unchecked)
            if left or not comment.codes:
                yield UnusedSuppression(where, comment.line, comment.column, left)


def find_suppressions(source: str, tree: ast.Module) -> tuple[Suppression, ...]:
    """Returns the comments of a program, in the order of their lines.

    Example:
        >>> text = "a = 1\\nb = '1234'  # spellout: ignore[DIGITS]\\n"
        >>> [(found.line, found.codes) for found in find_suppressions(text, ast.parse(text))]
        [(2, ('DIGITS',))]
    """
    if not _COMMENT.search(source):
        return ()
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        match = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
        if match is None:
            continue
        line, column = token.start
        alone = not token.line[:column].strip()
        covered = _next_statement(statements, line) if alone else _statement_at(statements, line)
        span = (line, line) if covered is None else _span(covered)
        codes = None if match[2] is None else tuple(code.strip() for code in match[2].split(",") if code.strip())
        found.append(Suppression(line, column + 1, codes, *span, checked=match[1] == "ignore"))
    return tuple(found)


def _span(node: ast.stmt) -> tuple[int, int]:
    """Returns the lines that a comment on this statement covers."""
    first, last = _first_line(node), node.end_lineno or node.lineno
    body = getattr(node, "body", None) or getattr(node, "cases", None)
    if body and not isinstance(node, _WHOLE):
        inner: int = body[0].pattern.lineno if isinstance(body[0], ast.match_case) else _first_line(body[0])
        last = max(first, inner - 1)
    return first, last


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def _place(node: ast.stmt) -> tuple[int, int]:
    return _first_line(node), -(node.end_lineno or 0)


def _statement_at(statements: list[ast.stmt], line: int) -> ast.stmt | None:
    """Returns the innermost statement that contains the line."""
    around = (node for node in statements if _first_line(node) <= line <= (node.end_lineno or node.lineno))
    return max(around, key=_place, default=None)


def _next_statement(statements: list[ast.stmt], line: int) -> ast.stmt | None:
    """Returns the first statement below the line."""
    return min((node for node in statements if _first_line(node) > line), key=_place, default=None)
