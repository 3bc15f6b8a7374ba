"""Which values of a snapshot are the same object, as distinct from what the values contain.

A snapshot (`corpora.sandbox.values.snapshot`) numbers values with an identity in the order of their first visit, and
writes `["ref", number]` where one occurs again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_REFERENCE = "ref"


def is_numbered(node: list[Any]) -> bool:
    """Whether a node of a snapshot describes a value with an identity, or refers to one."""
    named = len(node) > 1 and isinstance(node[0], str) and type(node[1]) is int
    return named and not node[0].startswith(("long ", "seen"))


def is_reference(node: object) -> bool:
    """Whether a node refers to a value that was described before."""
    return isinstance(node, list) and node[:1] == [_REFERENCE] and is_numbered(node)


def content_hashes(snapshot: Mapping[str, Any]) -> dict[str, int]:
    """Hashes of the parts of a snapshot that are equal if only the identities of values differ.

    >>> one = content_hashes({"ok": ["list", 0, [["list", 1, []], ["ref", 1]]]})
    >>> two = content_hashes({"ok": ["list", 0, [["list", 1, []], ["list", 2, []]]]})
    >>> one == two
    True
    """
    known: dict[int, int] = {}
    return {name: _part_hash(part, known) for name, part in snapshot.items()}


def _part_hash(part: Any, known: dict[int, int]) -> int:
    classes: list[int] = []
    return hash((_content_hash(part, known, classes), *classes))


def _content_hash(node: Any, known: dict[int, int], classes: list[int]) -> int:
    """The hash of a node; `known` has those of numbered values, and `classes` those of described classes."""
    if isinstance(node, dict):
        return hash(tuple((name, _content_hash(part, known, classes)) for name, part in node.items()))
    if not isinstance(node, list):
        return hash(repr(node))
    if node[:1] == ["of"]:  # only the first instance describes its class
        classes.append(_content_hash(node[1], known, classes))
        return 0
    if not is_numbered(node):
        return hash(tuple(_content_hash(part, known, classes) for part in node))
    if node[0] == _REFERENCE:
        return known.get(node[1], 0)  # 0: a value that contains itself
    hashes = [_content_hash(part, known, classes) for part in node[2:]]
    found = hash((node[0], *filter(None, hashes)))
    return known.setdefault(node[1], found)


def describe_identity(own: Any, other: Any, snapshot: Any) -> str:
    """Words for a node that differs from another one in identity; "" if neither is a reference.

    Args:
        own: The node.
        other: The node in the same place of another snapshot.
        snapshot: The snapshot of the node.

    >>> whole = ["list", 0, [["list", 1, []], ["ref", 1]]]
    >>> describe_identity(["ref", 1], ["list", 2, []], whole), describe_identity(["list", 2, []], ["ref", 1], whole)
    ('the same list object again', 'another list object')
    """
    if is_reference(own):
        which = f", number {own[1]}" if is_reference(other) else ""
        return f"the same {_kind(_described(snapshot, own[1]))} object again{which}"
    if is_reference(other) and isinstance(own, list) and is_numbered(own):
        return f"another {_kind(own)} object"
    return ""


def _described(node: Any, number: int) -> Any:
    """The node that describes the value with a number; None if there is none."""
    if isinstance(node, dict):
        node = list(node.values())
    if not isinstance(node, list):
        return None
    if is_numbered(node) and node[1] == number and node[0] != _REFERENCE:
        return node
    return next((found for part in node if (found := _described(part, number)) is not None), None)


def _kind(node: Any) -> str:
    """The type name of a numbered node."""
    return "unknown" if node is None else str(node[2] if node[0] in ("object", "iterator") else node[0])
