"""Identifiers that Python reads in another form than they are written: it compares names after NFKC (PEP 3131).

`ﬁ` is the variable `fi`, and `_ｔ0` is `_t0`. A name whose two forms differ becomes a `Spelled`, whose `value` is what
Python takes it for and which is printed as it was written; so all that compares names need not think of it. Only what
is text of its own, such as the names in a string, is not looked at.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import libcst as cst
from libcst._nodes.internal import CodegenState


@dataclass(frozen=True)
class Spelled(cst.Name):
    """A name that is written otherwise, as `written`, than Python reads it."""

    written: str = ""

    def _visit_and_replace_children(self, visitor: cst.CSTTransformer | cst.CSTVisitor) -> cst.Name:
        return self.deep_clone()

    def _codegen_impl(self, state: CodegenState) -> None:
        with self._parenthesize(state):
            state.add_token(self.written)


class _Reader(cst.CSTTransformer):
    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 - LibCST's name
        read = unicodedata.normalize("NFKC", updated_node.value)
        if read == updated_node.value:
            return updated_node
        return Spelled(read, updated_node.lpar, updated_node.rpar, updated_node.value)


def as_read(module: cst.Module, text: str) -> cst.Module:
    """The module with every name as Python reads it; itself, if all are written so.

    >>> module = cst.parse_module("ﬁ = 1")
    >>> new = as_read(module, module.code)
    >>> new.body[0].body[0].targets[0].target.value, new.code
    ('fi', 'ﬁ = 1')
    """
    return module if unicodedata.is_normalized("NFKC", text) else module.visit(_Reader())
