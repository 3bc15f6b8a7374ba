"""Identifiers in the form in which Python compares them: NFKC normalization and private name mangling.

Python compares identifiers after NFKC normalization (PEP 3131): `ﬁ` is the variable `fi`, and `_ｔ0` is `_t0`. In a
class `A`, it mangles `__x` to `_A__x`. `normalize_names` replaces each identifier whose two forms differ with a
`NormalizedName`: its `value` is the form that Python uses, and it is printed as it was written. Code that compares
names therefore needs no special case. Names inside strings are not touched, and attributes are only NFKC-normalized.
A node that is printed in a form of its own needs the private interface of LibCST's printer.
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
)  # what a class mangles: two leading underscores, at most one trailing


@dataclass(frozen=True)
class NormalizedName(cst.Name):
    """An identifier whose normalized form, `value`, differs from its spelling, `written`."""

    written: str = ""

    def _visit_and_replace_children(self, visitor: cst.CSTTransformer | cst.CSTVisitor) -> cst.Name:
        return self.deep_clone()

    def _codegen_impl(self, state: CodegenState) -> None:
        with self._parenthesize(state):
            state.add_token(self.written)


def unmangled_name(name: cst.Name) -> str:
    """Return the identifier without the class prefix of mangling, as in `__name__` and `__qualname__`."""
    return _normal(name.written) if isinstance(name, NormalizedName) else name.value


def is_private_name(node: cst.CSTNode) -> bool:
    """Whether a node is an identifier that mangling changes: it means something else inside a class than outside."""
    return isinstance(node, NormalizedName) or (
        isinstance(node, cst.Name) and _PRIVATE.fullmatch(node.value) is not None
    )


# Fields with an identifier that is not a variable: it is NFKC-normalized, never mangled.
_ITSELF = {cst.Attribute: "attr", cst.Arg: "keyword", cst.MatchKeywordElement: "key"}


class _NameNormalizer:
    """Rebuild the nodes that hold an identifier with two forms; every other node stays the same object.

    Attributes:
        class_: the name of the enclosing class without leading underscores; "" outside of classes.
    """

    def __init__(self, class_: str = "") -> None:
        self.class_ = class_

    def read(self, node: Node) -> Node:
        if isinstance(node, cst.Name):
            return self.name(node)  # type: ignore[return-value]
        itself = _ITSELF.get(type(node))
        changes: dict[str, Any] = {}
        for field in fields(type(node)):
            reader, old = self, getattr(node, field)
            if field == "body" and isinstance(node, cst.ClassDef):
                reader = _NameNormalizer(_normal(node.name.value).lstrip("_"))
            new = reader.value(old)
            if new is not old:
                changes[field] = new.with_changes(value=unmangled_name(new)) if field == itself else new
        return node.with_changes(**changes) if changes else node

    def value(self, value: Any) -> Any:
        """Normalize the value of a node's field: a node, a sequence of nodes, or anything else."""
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
        return node if read == node.value else NormalizedName(read, node.lpar, node.rpar, node.value)


def _normal(name: str) -> str:
    return unicodedata.normalize("NFKC", name)


def normalize_names(module: cst.Module, text: str) -> cst.Module:
    """Return the module with every identifier in the form that Python uses; the same object if nothing changes.

    Args:
        module: the tree.
        text: its source.

    Example:
        >>> module = cst.parse_module("ﬁ = 1")
        >>> new = normalize_names(module, module.code)
        >>> new.body[0].body[0].targets[0].target.value, new.code
        ('fi', 'ﬁ = 1')
    """
    as_written = unicodedata.is_normalized("NFKC", text) and not _PRIVATE.search(text)
    return module if as_written else _NameNormalizer().read(module)
