"""Whether a name may be Python's builtin: the opposite question to `Scope.is_builtin`, whether it certainly is.

A rewrite that relies on a builtin asks `Scope.is_builtin`; unknown names are then not the builtin. A rewrite that is
wrong where a name is the builtin, such as `locals`, asks `may_be_builtin`; unknown names may then be it.
"""

from __future__ import annotations

from rewrite.analysis.outer_names import is_bound_when_run
from rewrite.analysis.scopes import BUILTINS, Scope


def may_be_builtin(name: str, scope: Scope) -> bool:
    """Whether `name`, as used in a scope, may be Python's builtin.

    A variable of a function never is: without a value, reading it is an error. A variable of a module or class is the
    builtin while it has no value, so it must be bound before the scope reads it, by a statement that certainly runs.
    What a variable's value may be is another question: `rewrite.analysis.reflection` finds `my_locals = locals`.

    Args:
        name: the name.
        scope: the scope that uses it.
    """
    if name not in BUILTINS:
        return False
    owner = scope.owner(name)
    if owner is None:
        return True
    if owner.kind not in ("module", "class"):
        return False
    certain = [binding for binding in owner.bindings[name] if not binding.nested and not binding.taken[0]]
    if not certain or name in owner.deleted or owner.star_import:
        return True
    return name in owner.unbound_reads if owner is scope else not is_bound_when_run(name, scope, owner)
