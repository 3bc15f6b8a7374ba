"""Map nodes to lines, and the lines of a rewritten program to positions in the original.

Printing a tree records where each node begins, which is several times cheaper than LibCST's position provider, but
needs the private interface of its printer. A node's line follows from the number of tokens printed before it. Lines and
columns count from 1.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, repeat
from typing import NamedTuple

import libcst as cst
from libcst._nodes.internal import CodegenState

from rewrite.syntax.tree import code, one_line


class SourcePosition(NamedTuple):
    """A position in the original program: line and column, both from 1."""

    line: int
    column: int


class _RecordingPrinter(CodegenState):
    """LibCST's printer; it records for each node (by id) the number of tokens printed before it and up to its end.

    LibCST calls it for every comma and blank. It therefore stores plain numbers: pairs would add work to Python's
    garbage collector.
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


class _CommentFinder(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: list[cst.Comment] = []

    def visit_Comment(self, node: cst.Comment) -> None:  # noqa: N802 - LibCST's name
        self.found.append(node)


class PrintedModule:
    """A printed module: its text, and the position of each of its nodes."""

    def __init__(self, module: cst.Module) -> None:
        state = _RecordingPrinter(module)
        module._codegen(state)
        self.module = module  # keeps the ids alive
        self.text = "".join(state.tokens)
        self._nodes, self._starts, self._ends = state.nodes, state.starts, state.ends
        # Without a final line end, LibCST drops that token again, but some nodes still end after it.
        self._tokens = [*state.tokens, ""]
        self._copies: list[cst.CSTNode] = []  # keeps their ids alive

    def record_copy(self, copy: cst.CSTNode, node: cst.CSTNode) -> None:
        """Give a changed copy of a node, such as one with a renamed variable, the position of that node."""
        if copy is not node and id(node) in self.token_index:
            self._copies.append(copy)
            self.token_index[id(copy)], self._ends[id(copy)] = self.token_index[id(node)], self._ends[id(node)]

    @cached_property
    def _breaks(self) -> list[int]:
        """The number of line ends before each token."""
        return [0, *accumulate(map(str.count, self._tokens, repeat("\n")))]

    @cached_property
    def _lengths(self) -> list[int]:
        return [0, *accumulate(map(len, self._tokens))]

    @cached_property
    def _comments(self) -> list[int]:
        return [0, *accumulate(map(str.startswith, self._tokens, repeat("#")))]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text, without line ends."""
        return self.text.split("\n")

    @cached_property
    def comments(self) -> list[cst.Comment]:
        """The comments of the module."""
        finder = _CommentFinder()
        self.module.visit(finder)
        return finder.found

    @cached_property
    def token_index(self) -> dict[int, int]:
        """The number of tokens printed before each node, by the node's id."""
        return dict(zip(self._nodes, self._starts, strict=True))

    @property
    def nodes_in_order(self) -> Iterator[tuple[int, int]]:
        """Each node's id in the order of the text, and the line on which it begins, leading comments included."""
        breaks = self._breaks
        return ((node, breaks[start] + 1) for node, start in zip(self._nodes, self._starts, strict=True))

    def line_at(self, tokens: int) -> int:
        """Return the line (from 1) of the token with this index."""
        return self._breaks[tokens] + 1

    def position_at(self, tokens: int) -> SourcePosition:
        """Return the position of the token with this index; of a statement, after its indentation."""
        offset = self._lengths[tokens]
        start = self.text.rfind("\n", 0, offset) + 1
        while self.text[offset : offset + 1] in (" ", "\t"):
            offset += 1
        return SourcePosition(self.line_at(tokens), offset - start + 1)

    def begins_line(self, tokens: int) -> bool:
        """Whether only white space comes before the token on its line."""
        offset = self._lengths[tokens]
        return not self.text[self.text.rfind("\n", 0, offset) + 1 : offset].strip()

    def position_of(self, node: cst.CSTNode) -> SourcePosition:
        """Return where a node of the module begins; a statement, without the comments above it."""
        if not isinstance(node, cst.BaseStatement):
            return self.position_at(self.token_index[id(node)])
        line = self.line_of(node)
        text = self.lines[line - 1]
        return SourcePosition(line, len(text) - len(text.lstrip()) + 1)

    def span_of(self, node: cst.CSTNode) -> tuple[int, int] | None:
        """Return the character offsets of a node with its brackets, or None for a node of another module.

        For a statement with blocks, the offsets of its header: from its first keyword to its first block.
        """
        if id(node) not in self.token_index:
            return None
        if isinstance(node, cst.BaseCompoundStatement):
            line, column = self.position_of(node)
            return self._line_starts[line - 1] + column - 1, self._lengths[self.token_index[id(node.body)]]
        return self._lengths[self.token_index[id(node)]], self._lengths[self._ends[id(node)]]

    def is_uncommented(self, node: cst.CSTNode) -> bool:
        """Whether a node belongs to the module and has no comment, neither inside nor above it."""
        start = self.token_index.get(id(node))
        return start is not None and self._comments[start] == self._comments[self._ends[id(node)]]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Return line (from 1) and column (from 0) of a character offset."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def source_of(self, node: cst.CSTNode) -> str:
        """Return the source of a node on one line if it holds no comment; of a statement, only its head."""
        start, end = self.span_of(node) or (0, 0)
        text = self.text[start:end].strip()
        return code(one_line(node)) if "\n" in text and isinstance(node, cst.BaseExpression) else text

    def line_of(self, node: cst.CSTNode) -> int:
        """Return the line on which a node of the module begins; of a statement, without the comments above it."""
        line = self.line_at(self.token_index[id(node)])
        if isinstance(node, cst.BaseStatement):
            line += len(getattr(node, "leading_lines", ()))
            line += len(getattr(node, "decorators", ()))
        return line


@lru_cache(1)
def print_module(module: cst.Module) -> PrintedModule:
    """Print a module. The last one is kept, as `rewrite.syntax.parsing.parse` keeps its tree."""
    return PrintedModule(module)


def map_lines(
    old: PrintedModule, new: PrintedModule, made: Mapping[int, SourcePosition], exact: Mapping[int, SourcePosition]
) -> tuple[SourcePosition, ...]:
    """Return for each line of `new` the position in `old` that it comes from.

    A line that holds a node of the old tree comes from where that node was. A line inside a longer token or a new block
    follows the line above.

    Args:
        old: the original.
        new: the rewritten module.
        made: positions of new statements, by node id.
        exact: positions of the operations that new statements evaluate, by node id; they take precedence over `made`.
    """
    total = new.text.count("\n") + (not new.text.endswith("\n"))
    result: list[SourcePosition | None] = [None] * (total + 1)
    constant = [False] * (total + 1)
    known = old.token_index
    for key, line in new.nodes_in_order:
        if line > total or (result[line] and not constant[line]):
            continue
        if key in exact:
            result[line], constant[line] = exact[key], False
        elif key in made:
            if not result[line]:
                result[line], constant[line] = made[key], True
        elif key in known:
            found, given = old.position_at(known[key]), result[line]
            if given is None or found.line != given.line:
                result[line] = found
            constant[line] = False
        elif result[line] is None and new.begins_line(new.token_index[key]):
            constant[line] = True  # `else:` of a new block
    last, all_of_them = SourcePosition(1, 1), []
    for line in range(1, total + 1):
        position = result[line]
        if position is None:
            constant[line] = constant[line] or constant[line - 1]
            position = last if constant[line] or line == 1 else SourcePosition(last.line + 1, 1)
        all_of_them.append(position)
        last = position
    return tuple(all_of_them)
