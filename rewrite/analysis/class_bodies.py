"""Whether the body of a class fills a plain dict, in which a name that is deleted again leaves nothing behind.

It does where the metaclass is `type`: where all bases are classes of Python's own, or of this module and plain in turn.
A metaclass may see every assignment (`__prepare__`), as that of Enum does; one that comes from elsewhere is not known.
"""

from __future__ import annotations

import builtins

import libcst as cst

from rewrite.analysis.scopes import Scope


def has_plain_namespace(node: cst.ClassDef, around: Scope, seen: frozenset[int] = frozenset()) -> bool:
    """Whether the metaclass of a class defined in scope `around` is proven to be `type`."""
    if node.keywords or id(node) in seen:
        return False
    inner = seen | {id(node)}
    return all(not argument.star and _is_plain(argument.value, around, inner) for argument in node.bases)


def _is_plain(base: cst.BaseExpression, around: Scope, seen: frozenset[int]) -> bool:
    if not isinstance(base, cst.Name):
        return False
    if around.is_builtin(base.value):
        return type(getattr(builtins, base.value)) is type
    owner = around.owner(base.value)
    if owner is None or len(owner.bindings[base.value]) != 1 or base.value in owner.rebound_elsewhere:
        return False
    found = owner.bindings[base.value][0].definition
    return isinstance(found, cst.ClassDef) and not found.decorators and has_plain_namespace(found, owner, seen)
