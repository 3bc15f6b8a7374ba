"""Which variables of a whole module can be renamed: in their function, in functions inside it and at every call.

`rewrite.analysis.legality` answers the question for the statements of a single function. It shares the rules.
"""

from __future__ import annotations

import libcst as cst

from rewrite.analysis.direct_calls import DirectCalls
from rewrite.analysis.legality import FunctionLocals, debug_fstring_names, is_bound_plainly
from rewrite.analysis.scopes import ModuleScopes, Scope
from rewrite.syntax.normalized_names import NormalizedName
from rewrite.syntax.tree import walk

Variable = tuple[int, str]
"""A variable: the id of its scope, and its name there."""


def renamable_variables(
    module: cst.Module, scopes: ModuleScopes, called: DirectCalls | None
) -> dict[Variable, list[cst.Name]]:
    """The variables of functions and comprehensions whose name nothing can observe, each with all its references.

    Args:
        module: A module that does not look at its variables (`rewrite.analysis.reflection`).
        scopes: Its scopes.
        called: Its calls, which decide about parameters; None where parameters keep their names.
    """
    candidates = _candidates(scopes, called)
    uses: dict[Variable, list[cst.Name]] = {}
    kept: set[Variable] = set()
    for node in walk(module):
        mention = scopes.references.get(id(node))
        owner = mention.owner if mention is not None else None
        if mention is not None and mention.node.value in candidates.get(id(owner), ()):
            key = id(owner), mention.node.value
            uses.setdefault(key, []).append(mention.node)
            kept |= {key} if isinstance(node, NormalizedName) else set()  # it is written otherwise than it is read
    printed = debug_fstring_names(module)
    return {key: nodes for key, nodes in uses.items() if key not in kept and key[1] not in printed}


def _candidates(scopes: ModuleScopes, called: DirectCalls | None) -> dict[int, frozenset[str]]:
    """By id of scope, the names that only the scope and those inside it mention."""
    every = list(scopes)
    shared = {name for scope in every for name in scope.declared_global | scope.declared_nonlocal}
    shared |= {name for scope in every if scope.kind == "class" for name in scope.bindings}
    found: dict[int, frozenset[str]] = {}
    for scope in every:
        own = frozenset(name for name in scope.bindings if name not in shared and _is_own(scope, name, called))
        if scope.kind not in ("module", "class"):
            found[id(scope)] = own - _read_unbound(scope, scopes, own)
    return found


def _is_own(scope: Scope, name: str, called: DirectCalls | None) -> bool:
    is_parameter = any(binding.how == "parameter" for binding in scope.bindings[name])
    if is_parameter and (called is None or not called.may_rename(name, scope)):
        return False
    return is_bound_plainly(name, scope) and name not in scope.deleted


def _read_unbound(scope: Scope, scopes: ModuleScopes, names: frozenset[str]) -> frozenset[str]:
    """The names that a function may read before it binds them, which the error message shows."""
    if not isinstance(scope.node, cst.FunctionDef):
        return frozenset()
    own = FunctionLocals(scope.node, scopes)
    return frozenset(name for name in names if not own.is_certainly_bound(name))
