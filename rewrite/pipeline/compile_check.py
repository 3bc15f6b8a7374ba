"""The last gate: whether Python compiles what was written, and if not, which statements of the original are to stay.

CPython takes 100 levels of indentation and, in 3.11 and 3.12, 20 loops, `try` and `with` one in another in a function
(3.13: 21). What a rewrite adds to a program that is near those limits may be beyond them. The Python that runs the
rewriter decides; it runs nothing but its own compiler.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from rewrite.syntax.source_map import Printed
from rewrite.syntax.tree import children

LEVELS = 100
BLOCKS = 20
DEEP = "nested too deeply to be spelled out"
_MODES = (0, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, ast.PyCF_ONLY_AST)
_PARTS = (cst.Else, cst.Finally, cst.ExceptHandler, cst.ExceptStarHandler, cst.MatchCase)
_BLOCKS = (cst.For, cst.While, cst.With, cst.Try, cst.TryStar)
_SCOPES = (cst.FunctionDef, cst.ClassDef)


@dataclass(frozen=True)
class Refusal:
    """What Python's compiler says of a text: the line (0 if it names none) and why."""

    line: int
    message: str

    @property
    def reason(self) -> str:
        """As a reason for which a statement was left alone."""
        return f"{DEEP if self.is_deep else 'does not compile when spelled out'}: {self.message}"

    @property
    def is_deep(self) -> bool:
        """Whether something is nested deeper than the compiler takes."""
        return any(part in self.message for part in ("nested", "indentation", "recursion", "memory"))


def refusal(before: str, after: str) -> Refusal | None:
    """What keeps `after` from compiling, as far as `before` compiles; None if nothing does.

    `before` may be a notebook's cell, which awaits at its top level, or a fragment that only parses (`return 1`): then
    `after` must do as much. `from __future__` counts where it stands in the text.
    """
    for flags in _MODES:
        found = _compiled(after, flags)
        if found is None:
            return None
        if _compiled(before, flags) is None:
            return found
    return None


def _compiled(source: str, flags: int) -> Refusal | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<rewritten>", "exec", flags, dont_inherit=True)
    except SyntaxError as error:
        return Refusal(error.lineno or 0, error.msg)
    except (RecursionError, MemoryError) as error:
        return Refusal(0, f"too much {'recursion' if isinstance(error, RecursionError) else 'memory'} in the compiler")
    except ValueError as error:
        return Refusal(0, str(error))
    return None


def culprits(found: Refusal, new: Printed) -> set[int]:
    """The lines of the new text that are to blame."""
    deep = {new.line(node) for node in _too_deep(new.module)} if found.is_deep else set()
    return deep or {found.line} - {0}


def _too_deep(module: cst.Module) -> Iterator[cst.BaseStatement]:
    """The statements that stand too deep for CPython."""
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
    """The blocks right below a statement, its `elif`, and its parts that hold blocks."""
    return (child for child in children(node) if isinstance(child, (cst.BaseSuite, cst.If, *_PARTS)))


def _weight(node: cst.CSTNode) -> int:
    """How many blocks of CPython's a statement opens; of a `try`, at least."""
    if isinstance(node, cst.With):
        return len(node.items)
    if isinstance(node, (cst.Try, cst.TryStar)):
        return bool(node.handlers) + (node.finalbody is not None)
    return int(isinstance(node, _BLOCKS))


class Statements:
    """The statements of a printed module by the lines on which they begin, and by what they stand in."""

    def __init__(self, printed: Printed) -> None:
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
                self._starts.setdefault(printed.line(node), owner)
            for child in _below(node):
                below = child.body if isinstance(child, cst.IndentedBlock) else [child]
                stack += [(part, owner) for part in below if not isinstance(part, cst.SimpleStatementSuite)]

    def at(self, line: int) -> cst.BaseStatement | None:
        """The statement that a line belongs to: the innermost one, or that of an `else` or `case`."""
        starts = [start for start in self._starts if start <= line]
        return self._starts[max(starts)] if starts else None

    def next_to(self, line: int) -> cst.BaseStatement | None:
        """The first statement that begins behind a line."""
        starts = [start for start in self._starts if start > line]
        return self._starts[min(starts)] if starts else None

    def around(self, node: cst.BaseStatement) -> cst.BaseStatement | None:
        """The statement in a block of which a statement stands; of an `elif`, the one before it."""
        return self._around.get(id(node))
