"""Positions of expressions in the source: certain everywhere except inside f-strings up to Python 3.11."""

from __future__ import annotations

import ast

from analyze.instrumentation.sites import Position


class SourcePositions:
    """Positions of the expressions of one source.

    Attributes:
        text: The enclosing f-string while one is visited.
    """

    def __init__(self, source: str) -> None:
        self._lines = source.split("\n")
        self.text: ast.JoinedStr | None = None

    def of(self, node: ast.expr) -> Position | None:
        """Returns the position of an untransformed expression; None if it is not certain."""
        found = position_of(node)
        if self.text is None:
            return found
        around = position_of(self.text)
        inside = around[:2] <= found[:2] and found[2:] <= around[2:]
        return found if inside and self._reads(node, found) else None

    def _reads(self, node: ast.expr, place: Position) -> bool:
        """Whether the characters at a position are those of the expression."""
        line, start, last, end = place
        if line != last or line > len(self._lines):
            return False
        try:
            text = self._lines[line - 1].encode()[start:end].decode()
            return ast.dump(ast.parse(text, mode="eval").body) == ast.dump(node)
        except (SyntaxError, ValueError):
            return False


def position_of(node: ast.expr | ast.stmt) -> Position:
    """Returns the position of a node that the parser made."""
    assert node.end_lineno is not None and node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def located(call: ast.Call, node: ast.expr) -> ast.Call:
    """Gives a probe's call the position of the expression's last instruction, so that no line is visited again."""
    end = ast.copy_location(ast.Name("", ast.Load()), node)
    if isinstance(node, ast.Attribute) and node.end_lineno is not None and node.end_col_offset is not None:
        end.lineno, end.col_offset = node.end_lineno, max(0, node.end_col_offset - len(node.attr.encode()))
        if end.lineno == node.lineno:
            end.col_offset = node.col_offset
    for part in (call, *(held for held in call.args if not hasattr(held, "lineno"))):
        ast.copy_location(part, end)
    ast.copy_location(call.func, node)
    return call
