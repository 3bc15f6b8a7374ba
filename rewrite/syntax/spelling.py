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
from operator import is_
from typing import Any, TypeVar

import libcst as cst
from libcst._nodes.internal import CodegenState

from rewrite.syntax.tree import fields

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
    return _normal(name.written) if isinstance(name, Spelled) else name.value


def is_private(node: cst.CSTNode) -> bool:
    """Whether it is a name, of a variable or an attribute, that means something else inside of a class than outside."""
    return isinstance(node, Spelled) or (isinstance(node, cst.Name) and _PRIVATE.fullmatch(node.value) is not None)


# The fields of a node that hold a name of their own, which is no variable: it is read as it stands, but for NFKC.
_ITSELF = {cst.Attribute: "attr", cst.Arg: "keyword", cst.MatchKeywordElement: "key"}


class _Reader:
    """Rebuilds what holds a name that is read otherwise than it is written; everything else stays the same node.

    class_: the name of the class around, without the underscores before it; "" where nothing is mangled.
    """

    def __init__(self, class_: str = "") -> None:
        self.class_ = class_

    def read(self, node: Node) -> Node:
        """A node as Python reads it."""
        if isinstance(node, cst.Name):
            return self.name(node)  # type: ignore[return-value]
        itself = _ITSELF.get(type(node))
        changes: dict[str, Any] = {}
        for field in fields(type(node)):
            reader, old = self, getattr(node, field)
            if field == "body" and isinstance(node, cst.ClassDef):
                reader = _Reader(_normal(node.name.value).lstrip("_"))
            new = reader.value(old)
            if new is not old:
                changes[field] = new.with_changes(value=unmangled(new)) if field == itself else new
        return node.with_changes(**changes) if changes else node

    def value(self, value: Any) -> Any:
        """What a field of a node holds."""
        if isinstance(value, cst.CSTNode):
            return self.read(value)
        if not isinstance(value, (list, tuple)):
            return value
        new = [self.read(item) if isinstance(item, cst.CSTNode) else item for item in value]
        return value if all(map(is_, new, value)) else new

    def name(self, node: cst.Name) -> cst.Name:
        read = _normal(node.value)
        if self.class_ and _PRIVATE.fullmatch(read):
            read = f"_{self.class_}{read}"
        return node if read == node.value else Spelled(read, node.lpar, node.rpar, node.value)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def as_read(module: cst.Module, text: str) -> cst.Module:
    """The module with every name as Python reads it; itself, if all are written so.

    >>> module = cst.parse_module("ﬁ = 1")
    >>> new = as_read(module, module.code)
    >>> new.body[0].body[0].targets[0].target.value, new.code
    ('fi', 'ﬁ = 1')
    """
    as_written = unicodedata.is_normalized("NFKC", text) and not _PRIVATE.search(text)
    return module if as_written else _Reader().read(module)
