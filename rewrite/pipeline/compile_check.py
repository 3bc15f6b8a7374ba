"""Check that a rewrite compiles, and find the statements to blame if it does not.

CPython accepts 100 levels of indentation and, in 3.11 and 3.12, 20 nested loops, `try` and `with` in a function (3.13:
21). A program near these limits may exceed them after a rewrite. The Python version that runs the rewriter decides;
only its compiler runs, not the program.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from corpora.literals import compile_quietly
from rewrite.syntax.source_map import PrintedModule
from rewrite.syntax.tree import CLAUSES, children

LEVELS = 100
BLOCKS = 20
DEEP = "nested too deeply to be rewritten"
_MODES = (0, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, ast.PyCF_ONLY_AST)
_BLOCKS = (cst.For, cst.While, cst.With, cst.Try, cst.TryStar)
_SCOPES = (cst.FunctionDef, cst.ClassDef)


@dataclass(frozen=True)
class CompileFailure:
    """An error of Python's compiler.

    Attributes:
        line: the line, 0 if the error names none.
        message: the message.
    """

    line: int
    message: str

    @property
    def reason(self) -> str:
        """The reason under which a statement is reported as left alone."""
        return f"{DEEP if self.is_deep else 'does not compile when rewritten'}: {self.message}"

    @property
    def is_deep(self) -> bool:
        """Whether the code nests more deeply than the compiler accepts."""
        return any(part in self.message for part in ("nested", "indentation", "recursion", "memory"))


def find_compile_failure(before: str, after: str) -> CompileFailure | None:
    """Return what keeps `after` from compiling as far as `before` does, or None.

    `before` may be a notebook cell that awaits at its top level, or a fragment that only parses (`return 1`); `after`
    must then do as much. `from __future__` statements in the source apply.
    """
    for flags in _MODES:
        found = _compiled(after, flags)
        if found is None:
            return None
        if _compiled(before, flags) is None:
            return found
    return None


def _compiled(source: str, flags: int) -> CompileFailure | None:
    try:
        compile_quietly(source, flags)
    except SyntaxError as error:
        return CompileFailure(error.lineno or 0, error.msg)
    except (RecursionError, MemoryError) as error:
        return CompileFailure(
            0, f"too much {'recursion' if isinstance(error, RecursionError) else 'memory'} in the compiler"
        )
    except ValueError as error:
        return CompileFailure(0, str(error))
    return None


def failing_lines(found: CompileFailure, new: PrintedModule) -> set[int]:
    """Return the lines of the new source that cause a failure."""
    deep = {new.line_of(node) for node in _too_deep(new.module)} if found.is_deep else set()
    return deep or {found.line} - {0}


def _too_deep(module: cst.Module) -> Iterator[cst.BaseStatement]:
    """The statements that nest too deeply for CPython."""
    stack: list[tuple[cst.CSTNode, int, int]] = [(node, 0, 0) for node in module.body]
    while stack:
        node, levels, blocks = stack.pop()
        if isinstance(node, cst.BaseStatement):
            blocks += _weight(node)
            if levels >= LEVELS or blocks > BLOCKS:
                yield node
        for child in _below(node):
            if isinstance(child, cst.IndentedBlock):
                inner = 0 if isinstance(node, _SCOPES) else blocks
                stack += [(statement, levels + 1, inner) for statement in child.body]
            else:
                stack.append((child, levels, blocks))


def _below(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The blocks directly below a statement, its `elif`, and its parts that hold blocks."""
    return (child for child in children(node) if isinstance(child, (cst.BaseSuite, cst.If, *CLAUSES)))


def _weight(node: cst.CSTNode) -> int:
    """The number of CPython blocks that a statement opens; for a `try`, the minimum."""
    if isinstance(node, cst.With):
        return len(node.items)
    if isinstance(node, (cst.Try, cst.TryStar)):
        return bool(node.handlers) + (node.finalbody is not None)
    return int(isinstance(node, _BLOCKS))


class StatementIndex:
    """Finds the statements of a printed module by line, and the statement around each."""

    def __init__(self, printed: PrintedModule) -> None:
        self._starts: dict[int, cst.BaseStatement] = {}
        self._around: dict[int, cst.BaseStatement] = {}  # by id
        stack: list[tuple[cst.CSTNode, cst.BaseStatement | None]] = [(node, None) for node in printed.module.body]
        while stack:
            node, owner = stack.pop()
            if isinstance(node, cst.BaseStatement):
                if owner is not None:
                    self._around[id(node)] = owner
                owner = node
            if owner is not None:
                self._starts.setdefault(printed.line_of(node), owner)
            for child in _below(node):
                below = child.body if isinstance(child, cst.IndentedBlock) else [child]
                stack += [(part, owner) for part in below if not isinstance(part, cst.SimpleStatementSuite)]

    def at(self, line: int) -> cst.BaseStatement | None:
        """Return the innermost statement of a line; for the line of an `else` or `case`, the whole statement."""
        starts = [start for start in self._starts if start <= line]
        return self._starts[max(starts)] if starts else None

    def next_to(self, line: int) -> cst.BaseStatement | None:
        """Return the first statement that begins after a line."""
        starts = [start for start in self._starts if start > line]
        return self._starts[min(starts)] if starts else None

    def around(self, node: cst.BaseStatement) -> cst.BaseStatement | None:
        """Return the statement whose block holds this one; for an `elif`, the `if` before it."""
        return self._around.get(id(node))
