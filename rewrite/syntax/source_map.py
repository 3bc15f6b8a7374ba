"""Lines of nodes: printing a tree while noting where each node begins.

LibCST's own position provider costs several times as much as printing; here a node's line is worked out from the number
of tokens printed before it. Lines and columns are 1-based.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import accumulate, repeat
from typing import NamedTuple

import libcst as cst
from libcst._nodes.internal import CodegenState

from rewrite.syntax.tree import code, one_line


class Position(NamedTuple):
    """A place in the original program: line and column, both from 1."""

    line: int
    column: int


class _Recorder(CodegenState):
    """LibCST's printer, noting for each node (by id) how many tokens came before it, and where it ends.

    It is called for every comma and blank, so it keeps plain numbers: pairs would each be one more thing for Python's
    garbage collector to look at.
    """

    def __init__(self, module: cst.Module) -> None:
        super().__init__(default_indent=module.default_indent, default_newline=module.default_newline)
        self.nodes: list[int] = []
        self.starts: list[int] = []
        self.ends: dict[int, int] = {}

    def before_codegen(self, node: cst.CSTNode) -> None:
        self.nodes.append(id(node))
        self.starts.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        self.ends[id(node)] = len(self.tokens)


class Printed:
    """A printed module: its text, and the line of every node that is part of it."""

    def __init__(self, module: cst.Module) -> None:
        state = _Recorder(module)
        module._codegen(state)
        self.module = module  # keeps the ids alive
        self.text = "".join(state.tokens)
        self._nodes, self._starts, self._ends = state.nodes, state.starts, state.ends
        # Of a module without a last line end, LibCST has taken that token back; some nodes end behind it all the same.
        self._tokens = [*state.tokens, ""]

    @cached_property
    def _breaks(self) -> list[int]:
        """How many line ends stand before each token."""
        return [0, *accumulate(map(str.count, self._tokens, repeat("\n")))]

    @cached_property
    def _lengths(self) -> list[int]:
        return [0, *accumulate(map(len, self._tokens))]

    @cached_property
    def _comments(self) -> list[int]:
        return [0, *accumulate(map(str.startswith, self._tokens, repeat("#")))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without their ends."""
        return self.text.split("\n")

    @cached_property
    def index(self) -> dict[int, int]:
        """Number of tokens before each node, by id."""
        return dict(zip(self._nodes, self._starts, strict=True))

    @property
    def order(self) -> Iterator[tuple[int, int]]:
        """Each node by its id, in the order of the text, and the line on which it begins (with what stands above)."""
        breaks = self._breaks
        return ((node, breaks[start] + 1) for node, start in zip(self._nodes, self._starts, strict=True))

    def at(self, tokens: int) -> int:
        """The line, from 1, of what is printed after so many tokens."""
        return self._breaks[tokens] + 1

    def position(self, tokens: int) -> Position:
        """Line and column of what is printed after so many tokens; of a statement, behind its indentation."""
        offset = self._lengths[tokens]
        start = self.text.rfind("\n", 0, offset) + 1
        while self.text[offset : offset + 1] in (" ", "\t"):
            offset += 1
        return Position(self.at(tokens), offset - start + 1)

    def begins_line(self, tokens: int) -> bool:
        """Whether nothing but white space stands before it on its line."""
        offset = self._lengths[tokens]
        return not self.text[self.text.rfind("\n", 0, offset) + 1 : offset].strip()

    def place(self, node: cst.CSTNode) -> Position:
        """Where a node of the module begins; a statement, without the comments above it."""
        if not isinstance(node, cst.BaseStatement):
            return self.position(self.index[id(node)])
        line = self.line(node)
        text = self.lines[line - 1]
        return Position(line, len(text) - len(text.lstrip()) + 1)

    def span(self, node: cst.CSTNode) -> tuple[int, int] | None:
        """Where a node of the module begins and ends in its text, with its brackets; None for any other node."""
        if id(node) not in self.index:
            return None
        return self._lengths[self.index[id(node)]], self._lengths[self._ends[id(node)]]

    def is_uncommented(self, node: cst.CSTNode) -> bool:
        """Whether it is a node of the module, and no comment stands in its text or above it."""
        start = self.index.get(id(node))
        return start is not None and self._comments[start] == self._comments[self._ends[id(node)]]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line from 1 and column from 0 of a place in the text."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def shown(self, node: cst.BaseExpression) -> str:
        """The text of an expression of the module, on one line if no comment stands in it."""
        text = self.text[self._lengths[self.index[id(node)]] : self._lengths[self._ends[id(node)]]]
        return code(one_line(node)) if "\n" in text else text

    def line(self, node: cst.CSTNode) -> int:
        """The line on which a node of the module begins; of a statement, without the comments above it."""
        line = self.at(self.index[id(node)])
        if isinstance(node, cst.BaseStatement):
            line += len(getattr(node, "leading_lines", ()))
            line += len(getattr(node, "decorators", ()))
        return line


def origins(
    old: Printed, new: Printed, made: Mapping[int, Position], exact: Mapping[int, Position]
) -> tuple[Position, ...]:
    """For each line of `new`, the place in `old` it comes from.

    A line that holds a node of the old tree comes from where that node stood; a new statement from the place given for
    it in `made` or, for what shows an operation of another statement, in `exact` (by id). A line inside a longer token
    or a new block follows the line above.
    """
    total = new.text.count("\n") + (not new.text.endswith("\n"))
    result: list[Position | None] = [None] * (total + 1)
    constant = [False] * (total + 1)
    known = old.index
    for key, line in new.order:
        if line > total or (result[line] and not constant[line]):
            continue
        if key in exact:
            result[line], constant[line] = exact[key], False
        elif key in made:
            if not result[line]:
                result[line], constant[line] = made[key], True
        elif key in known:
            found, given = old.position(known[key]), result[line]
            if given is None or found.line != given.line:
                result[line] = found
            constant[line] = False
    last, all_of_them = Position(1, 1), []
    for line in range(1, total + 1):
        position = result[line]
        if position is None:
            position = last if constant[line - 1] or line == 1 else Position(last.line + 1, 1)
            constant[line] = constant[line - 1]
        all_of_them.append(position)
        last = position
    return tuple(all_of_them)
