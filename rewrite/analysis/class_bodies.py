"""Whether a class body fills a plain dict, in which a name that is bound and deleted again leaves no trace.

It does if the metaclass is `type`: if every base is a builtin class, or a class of this module for which the same
holds. A metaclass may observe every assignment (`__prepare__`), as that of Enum does; one of another module is unknown.
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
