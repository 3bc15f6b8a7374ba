"""Whether a local variable may be renamed, moved or removed: the questions that every pass asks before it changes code.

Passes that shorten traces (`rewrite.passes`) and passes that choose the cheapest form of a rewrite (`rewrite.cost`)
share these rules. Name resolution is in `rewrite.analysis.symbol_table`, purity in `rewrite.analysis.effects`, and what
a module observes in `rewrite.analysis.observers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

import libcst as cst

from analyze.operations.catalogue import functions
from analyze.operations.operation import Iterates
from rewrite.analysis.definite_assignment import DefiniteAssignment
from rewrite.analysis.scopes import ModuleScopes, NameReference, Scope
from rewrite.analysis.symbol_table import collect_scopes
from rewrite.syntax.normalized_names import NormalizedName, is_private_name, normalize_names
from rewrite.syntax.tree import walk

# Builtins that exhaust or drop their first argument, an iterator, before they return.
_CONSUMERS = functions(lambda one: one.iterates is Iterates.NOW)
_PLAIN_BINDINGS = frozenset({"value", "element", "augmented", "other", "parameter"})


def name_references(node: cst.CSTNode, scopes: ModuleScopes) -> Iterator[NameReference]:
    """Yield the references to variables in a node, except variables of scopes inside it.

    Names of attributes, keyword arguments, keyword patterns and imported names are not references.
    """
    parts = list(walk(node))
    inside = {id(scope) for part in parts if (scope := scopes.find(part)) is not None}
    for part in parts:
        mention = scopes.references.get(id(part))
        if mention is not None and not (inside and id(mention.owner) in inside):
            yield mention


def is_deferred(scope: Scope) -> bool:
    """Whether the code of a scope may run after the statement that holds it, and reads its variables only then.

    A comprehension runs in place, and so does a generator expression passed to a builtin that exhausts it.
    """
    if scope.kind != "comprehension":
        return True
    return scope.is_generator and not _is_consumed(scope)


def _is_consumed(scope: Scope) -> bool:
    call, around = scope.call, scope.parent
    if call is None or around is None or not call.args or call.args[0].star or call.args[0].keyword is not None:
        return False
    match call.func:
        case cst.Name(value=name):
            return name in _CONSUMERS and around.is_builtin(name)
        case cst.Attribute(value=cst.SimpleString() | cst.ConcatenatedString(), attr=cst.Name(value="join")):
            return True
    return False


def depends_on_function(node: cst.CSTNode) -> bool:
    """Whether a node changes its meaning in another function: it asks for its class, or holds a private name.

    `super()` uses the first parameter of the function that calls it. Before Python 3.12 a comprehension is a function.
    """
    return any(is_private_name(part) or _is_of_class(part) for part in walk(node))


def _is_of_class(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value in ("super", "__class__")


@lru_cache(8)  # the cleanup passes run one after the other, and most leave the source alone
def read_locals(text: str) -> tuple[FunctionLocals, ...]:
    """Return the local variables of each `def` of a module, in the order of the text; none if it does not parse.

    Example: `c` cannot be renamed, because the lambda reads it later.
        >>> [sorted(one.renamable) for one in read_locals("def f(a):\\n    b = c = a\\n    return lambda: c\\n")]
        [['a', 'b']]
    """
    try:
        module = normalize_names(cst.parse_module(text), text)
        scopes = collect_scopes(module)
    except (cst.ParserSyntaxError, RecursionError):
        return ()
    return tuple(FunctionLocals(node, scopes) for node in walk(module) if isinstance(node, cst.FunctionDef))


def is_bound_plainly(name: str, scope: Scope) -> bool:
    """Whether no binding of a variable makes its name visible: no import, no definition, no special name."""
    plain = all(binding.how in _PLAIN_BINDINGS for binding in scope.bindings[name])
    return plain and bool(scope.bindings[name]) and not name.startswith("__")


def debug_fstring_names(node: cst.CSTNode) -> frozenset[str]:
    """Return the names that `f"{name=}"` prints."""
    fields = (part for part in walk(node) if isinstance(part, cst.FormattedStringExpression))
    said = [field for field in fields if field.equal is not None]
    return frozenset(part.value for field in said for part in walk(field) if isinstance(part, cst.Name))


class FunctionLocals:
    """The local variables of one function, and what may be done with them."""

    def __init__(self, node: cst.FunctionDef, scopes: ModuleScopes) -> None:
        self.node, self.scope, self._scopes = node, scopes.of(node), scopes
        self._certain: dict[str, bool] = {}

    @cached_property
    def references(self) -> dict[str, list[NameReference]]:
        """The references in its body by name, in the order of the text, except variables of scopes inside."""
        found: dict[str, list[NameReference]] = {}
        for mention in name_references(self.node.body, self._scopes):
            found.setdefault(mention.node.value, []).append(mention)
        return found

    def owns(self, name: str) -> bool:
        """Whether a local variable is used only by the function's own statements, while they run."""
        scope = self.scope
        elsewhere = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere
        if name not in scope.bindings or name in elsewhere:
            return False
        return not any(mention.is_deferred or self._is_late(mention) for mention in self.references.get(name, ()))

    def is_certainly_bound(self, name: str) -> bool:
        """Whether a local variable has a value wherever it is read: it is never deleted and never read too early."""
        if name not in self._certain:
            self._certain[name] = self._is_always_bound(name)
        return self._certain[name]

    def may_rename(self, name: str) -> bool:
        """Whether renaming a local variable is unobservable.

        The name is visible in the error for an unbound variable, in imports and definitions, in `f"{name=}"`, and to a
        function that inspects its variables; the name of a parameter also to callers.
        """
        free = not self.is_parameter(name) and name not in self._of_inner_scopes
        return free and self._is_renamable(name) and self.is_certainly_bound(name)

    def is_parameter(self, name: str) -> bool:
        """Whether the variable is a parameter."""
        return any(binding.how == "parameter" for binding in self.scope.bindings.get(name, ()))

    def is_bound_in(self, node: cst.CSTNode, name: str) -> bool:
        """Whether a node of the function binds or deletes the variable."""
        return any(one.binds and one.node.value == name for one in name_references(node, self._scopes))

    def may_enclose(self, nodes: Iterable[cst.CSTNode], own: str) -> bool:
        """Whether expressions keep their meaning in a comprehension whose variable is `own`.

        They do not if a variable may be unbound, since the error differs inside a comprehension.
        """
        nodes = list(nodes)
        names = {one.node.value for node in nodes for one in name_references(node, self._scopes)} - {own}
        local = [name for name in names if name in self.scope.bindings and self.scope.owner(name) is self.scope]
        return all(map(self.is_certainly_bound, local)) and not any(map(depends_on_function, nodes))

    @cached_property
    def renamable(self) -> frozenset[str]:
        """The variables that can be renamed to a free name, and that no generator expression references."""
        return frozenset(
            name
            for name in self.scope.bindings
            if self._is_renamable(name) and not any(map(self._is_in_generator, self.references.get(name, ())))
        )

    def _is_renamable(self, name: str) -> bool:
        if self.scope.reflection or not self.owns(name) or name in self._said:
            return False
        if not is_bound_plainly(name, self.scope):
            return False
        spelled = any(isinstance(mention.node, NormalizedName) for mention in self.references.get(name, ()))
        return not spelled

    def _is_always_bound(self, name: str) -> bool:
        if name in self.scope.deleted:
            return False
        return self.is_parameter(name) or name not in DefiniteAssignment(frozenset({name})).exposed(self.node.body.body)

    def _is_inside(self, scope: Scope | None) -> bool:
        """Whether a scope is nested in the function."""
        return any(at.parent is self.scope for at in self._between(scope))

    def _is_late(self, mention: NameReference) -> bool:
        return any(map(is_deferred, self._between(mention.scope)))

    def _is_in_generator(self, mention: NameReference) -> bool:
        return any(scope.is_generator for scope in self._between(mention.scope))

    def _between(self, scope: Scope | None) -> Iterator[Scope]:
        """The scopes from one inside the function up to the function's own, which is excluded."""
        while scope is not None and scope is not self.scope:
            yield scope
            scope = scope.parent

    @cached_property
    def _of_inner_scopes(self) -> frozenset[str]:
        """The names that are variables of a nested scope."""
        inner = (scope for scope in self._scopes if self._is_inside(scope))
        return frozenset(name for scope in inner for name in scope.bindings)

    @cached_property
    def _said(self) -> frozenset[str]:
        return debug_fstring_names(self.node)
