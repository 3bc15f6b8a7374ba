"""Identifiers that Python reads in another form than they are written, so that the same name may look like two.

It compares names after NFKC (PEP 3131): `ﬁ` is the variable `fi`, and `_ｔ0` is `_t0`. And in a class `A`, `__x` is the
variable `_A__x`. A name whose two forms differ becomes a `Spelled`, whose `value` is what Python takes it for and which
is printed as it was written; so all that compares names need not think of it. Only what is text of its own, such as the
names in a string, is not looked at, and attributes stand for themselves.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TypeVar

import libcst as cst
from libcst._nodes.internal import CodegenState

Node = TypeVar("Node", bound=cst.CSTNode)
_PRIVATE = re.compile(
    r"(?<![.\w])__\w*[^\W_]_?\b"
)  # what a class mangles: two underscores before it, at most one behind


@dataclass(frozen=True)
class Spelled(cst.Name):
    """A name that is written otherwise, as `written`, than Python reads it."""

    written: str = ""

    def _visit_and_replace_children(self, visitor: cst.CSTTransformer | cst.CSTVisitor) -> cst.Name:
        return self.deep_clone()

    def _codegen_impl(self, state: CodegenState) -> None:
        with self._parenthesize(state):
            state.add_token(self.written)


def unmangled(name: cst.Name) -> str:
    """The name without that of the class, as in `__name__` and `__qualname__`."""
    return unicodedata.normalize("NFKC", name.written) if isinstance(name, Spelled) else name.value


class _Reader(cst.CSTTransformer):
    def __init__(self) -> None:
        super().__init__()
        self.classes: list[str] = []

    def visit_ClassDef_body(self, node: cst.ClassDef) -> None:  # noqa: N802 - LibCST's name
        self.classes.append(unicodedata.normalize("NFKC", node.name.value).lstrip("_"))

    def leave_ClassDef_body(self, node: cst.ClassDef) -> None:  # noqa: N802 - LibCST's name
        self.classes.pop()

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.Name:  # noqa: N802 - LibCST's name
        read = unicodedata.normalize("NFKC", updated_node.value)
        if self.classes and self.classes[-1] and _PRIVATE.fullmatch(read):
            read = f"_{self.classes[-1]}{read}"
        if read == updated_node.value:
            return updated_node
        return Spelled(read, updated_node.lpar, updated_node.rpar, updated_node.value)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.Attribute:  # noqa: N802
        return _plain(updated_node, "attr")

    def leave_Arg(self, original_node: cst.Arg, updated_node: cst.Arg) -> cst.Arg:  # noqa: N802 - LibCST's name
        return _plain(updated_node, "keyword")

    def leave_MatchKeywordElement(  # noqa: N802 - LibCST's name
        self, original_node: cst.MatchKeywordElement, updated_node: cst.MatchKeywordElement
    ) -> cst.MatchKeywordElement:
        return _plain(updated_node, "key")


def _plain(node: Node, field: str) -> Node:
    """The node with the name in a field as it stands there, but for NFKC."""
    name = getattr(node, field)
    return node.with_changes(**{field: name.with_changes(value=unmangled(name))}) if isinstance(name, Spelled) else node


def as_read(module: cst.Module, text: str) -> cst.Module:
    """The module with every name as Python reads it; itself, if all are written so.

    >>> module = cst.parse_module("ﬁ = 1")
    >>> new = as_read(module, module.code)
    >>> new.body[0].body[0].targets[0].target.value, new.code
    ('fi', 'ﬁ = 1')
    """
    as_written = unicodedata.is_normalized("NFKC", text) and not _PRIVATE.search(text)
    return module if as_written else module.visit(_Reader())
