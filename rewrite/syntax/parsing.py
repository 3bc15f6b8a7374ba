"""Parses a source with CPython and with LibCST, and says which of the two refuses it, and where.

The CPython that runs the rewriter decides what a program is: a rewrite of syntax that only a newer version knows could
not be compiled here, and a call of it could not run.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from textwrap import dedent

import libcst as cst

from corpora.errors import InputError
from corpora.literals import parse_quietly
from rewrite.syntax.nesting_depth import find_deep_nesting
from rewrite.syntax.normalized_names import normalize_names


@lru_cache(1)
def parse(source: str, filename: str = "") -> cst.Module:
    """Parse a module. The last tree is kept: a plan rewrites one source dozens of times, and nothing changes a tree.

    Raises:
        InputError: names file, line and column (from 1) of what does not parse, or file and line of code that nests so
            deeply that LibCST would crash (`rewrite.syntax.nesting_depth`).
    """
    where = filename or "<source>"
    deep = find_deep_nesting(source)
    try:
        tree = _parse_with_cpython(source, where)
        if deep is not None:
            raise InputError(f"nested too deeply: {deep[1]}", where=f"{where}:{deep[0]}:1")
        with deep_recursion():
            return normalize_names(cst.parse_module(source), source)
    except InputError:
        raise
    except RecursionError:
        raise InputError("expressions nested too deeply", where=where) from None
    except Exception as error:  # LibCST raises ParserSyntaxError, CSTValidationError, TypeError, UnicodeEncodeError …
        line, column = _refused_place(source, tree)
        message = error.message if isinstance(error, cst.ParserSyntaxError) else str(error)
        reason = f"valid Python that LibCST, which the rewriter uses, does not parse: {message.strip()}"
        raise InputError(reason.partition("\n")[0], where=f"{where}:{line}:{column}") from error


def _parse_with_cpython(source: str, where: str) -> ast.Module | None:
    """The tree; None for a source that nests too deeply for CPython. Raises InputError."""
    try:
        tree: ast.Module = parse_quietly(source)
    except (RecursionError, MemoryError):
        return None
    except SyntaxError as error:
        place = f"{where}:{error.lineno or 1}:{error.offset or 1}"
        raise InputError(f"does not parse: {error.msg}{newer_syntax(source)}", where=place) from None
    except ValueError as error:  # null bytes, lone surrogates
        raise InputError(f"does not parse: {error}", where=where) from None
    return tree


def newer_syntax(source: str) -> str:
    """A remark about a source that LibCST accepts, although this version of CPython does not; "" about others."""
    try:
        if "\0" not in source and find_deep_nesting(source) is None:  # no version accepts a null byte
            cst.parse_module(source)
            return f" (Python {sys.version_info[0]}.{sys.version_info[1]}; a newer version may accept it)"
    except Exception:  # noqa: BLE001 - LibCST refuses it too
        pass
    return ""


def _refused_place(source: str, tree: ast.Module | None) -> tuple[int, int]:
    """Line and column, from 1 as CPython counts them, of the innermost statement that LibCST refuses."""
    place, body = (1, 1), list(tree.body) if tree else []
    lines = source.splitlines(keepends=True)
    while True:
        found = next((node for node in body if not _is_accepted(node, lines)), None)
        if found is None:
            return place
        place = found.lineno, found.col_offset + 1
        body = [node for part in ast.iter_child_nodes(found) for node in _statements(part)]


def _statements(node: ast.AST) -> list[ast.stmt]:
    """The node if it is a statement; of a handler or case, its statements."""
    if isinstance(node, ast.stmt):
        return [node]
    return list(node.body) if isinstance(node, ast.ExceptHandler | ast.match_case) else []


def _is_accepted(node: ast.stmt, lines: list[str]) -> bool:
    """Whether LibCST parses the lines of a statement."""
    start = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])
    try:
        with deep_recursion():
            cst.parse_module(dedent("".join(lines[start - 1 : node.end_lineno])))
    except Exception:  # noqa: BLE001 - whatever it raises
        return False
    return True


@contextmanager
def deep_recursion() -> Iterator[None]:
    """Raise the recursion limit for what `nesting_depth` accepts: LibCST nests adjacent strings and `elif`."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 12_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
