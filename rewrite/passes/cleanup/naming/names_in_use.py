"""The names that no temporary of a function may get."""

from __future__ import annotations

import ast
import tokenize
from collections.abc import Iterator
from io import StringIO
from itertools import pairwise

from rewrite.anf.names import ModuleNames
from rewrite.passes.cleanup.name_mentions import AnyFunction
from rewrite.passes.cleanup.naming.function_facts import is_read

UNUSED = frozenset({"_"})
"""The name of a loop variable that nothing reads."""


class NamesInUse:
    """The names that mean something in a function: those of the outermost function around it, and of the module."""

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._words = list(_identifiers(text, tree))
        inside: set[int] = set()
        self._outermost: list[AnyFunction] = []
        for node in ast.walk(tree):  # outer ones first
            if isinstance(node, AnyFunction) and node.lineno not in inside:
                self._outermost.append(node)
                inside.update(_lines(node))
        defined = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        definitions = {node.name for node in ast.walk(tree) if isinstance(node, defined)}
        self._global = {word for line, word in self._words if line not in inside} | definitions
        read = {node.id for node in ast.walk(tree) if is_read(node)}
        self._free = UNUSED - read  # a soft keyword, but a name

    def of(self, function: AnyFunction) -> frozenset[str]:
        """The names that no temporary of a function may get."""
        around = next(node for node in self._outermost if function.lineno in _lines(node))
        words = {word for line, word in self._words if line in _lines(around)}
        words |= {node.id for node in ast.walk(around) if isinstance(node, ast.Name)}  # in f-strings before Python 3.12
        return ModuleNames(" ".join(sorted(words | self._global)), readable=True).taken - self._free


def _lines(node: AnyFunction) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _identifiers(text: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names in the source, each with its line, without those of attributes and keywords and words of strings."""
    tokens = list(tokenize.generate_tokens(StringIO(text).readline))
    keywords = {(node.lineno, node.col_offset, node.arg) for node in ast.walk(tree) if isinstance(node, ast.keyword)}
    for before, token in pairwise([None, *tokens]):
        if token is None or token.type != tokenize.NAME or (before is not None and before.string == "."):
            continue
        if not token.line.isascii() or (*token.start, token.string) not in keywords:  # `ast` counts bytes
            yield token.start[0], token.string
