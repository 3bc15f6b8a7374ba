"""Whether a local variable may be renamed, moved or left out: what every pass asks before it changes code.

Passes that shorten traces (`rewrite.passes`) and those that make a rewrite cheaper (`rewrite.cost`) ask here, and
keep no rules of their own. Which identifiers stand for variables, and what binds them, is known to
`rewrite.analysis.symbol_table`; whether evaluating an expression has effects, to `rewrite.analysis.effects`. What a
module lets others observe stands in `rewrite.analysis.observers`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import libcst as cst

from rewrite.analysis.definite_assignment import Certainty
from rewrite.analysis.scopes import Mention, Scope, Scopes
from rewrite.analysis.symbol_table import collect
from rewrite.syntax.spelling import Spelled, as_read, is_private
from rewrite.syntax.tree import walk

# Builtins that exhaust or drop their first argument, an iterator, before they return.
_CONSUMERS = frozenset(
    {"all", "any", "bytearray", "bytes", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)
_PLAIN_BINDINGS = frozenset({"value", "element", "augmented", "other", "parameter"})


def mentions(node: cst.CSTNode, scopes: Scopes) -> Iterator[Mention]:
    """The identifiers in a node that stand for variables, but for the variables of scopes inside.

    Left out are names of attributes, of keyword arguments and of keyword patterns, and what an import takes.
    """
    parts = list(walk(node))
    inside = {id(scopes.by_node[id(part)]) for part in parts if id(part) in scopes.by_node}
    for part in parts:
        mention = scopes.mentions.get(id(part))
        if mention is not None and not (inside and id(mention.owner) in inside):
            yield mention


def runs_later(scope: Scope) -> bool:
    """Whether the code of a scope may run after the statement that it stands in: what it reads, it reads then.

    A comprehension runs where it stands, and so does a generator expression given to a builtin that exhausts it.
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
    """Whether a node means something else in another function: it asks for its class, or has a private name.

    `super()` looks for the first parameter of the very function that it stands in; before Python 3.12 a comprehension
    is a function of its own.
    """
    return any(is_private(part) or _is_of_class(part) for part in walk(node))


def _is_of_class(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Name) and node.value in ("super", "__class__")


def read_locals(text: str) -> list[Locals]:
    """The variables of each function of a module, in the order of the text; none where it cannot be read.

    >>> [sorted(one.plain) for one in read_locals("def f(a):\\n    b = c = a\\n    return lambda: c\\n")]
    [['a', 'b']]
    """
    try:
        module = as_read(cst.parse_module(text), text)
        scopes = collect(module)
    except (cst.ParserSyntaxError, RecursionError):
        return []
    return [Locals(node, scopes) for node in walk(module) if isinstance(node, cst.FunctionDef)]


def is_bound_plainly(name: str, scope: Scope) -> bool:
    """Whether nothing that binds a variable of a scope shows its name: no import or definition, no special name."""
    plain = all(binding.how in _PLAIN_BINDINGS for binding in scope.bindings[name])
    return plain and bool(scope.bindings[name]) and not name.startswith("__")


def said_names(node: cst.CSTNode) -> frozenset[str]:
    """The names that stand in the strings that `f"{name=}"` makes."""
    fields = (part for part in walk(node) if isinstance(part, cst.FormattedStringExpression))
    said = [field for field in fields if field.equal is not None]
    return frozenset(part.value for field in said for part in walk(field) if isinstance(part, cst.Name))


class Locals:
    """The variables of one function, and what may be done with them."""

    def __init__(self, node: cst.FunctionDef, scopes: Scopes) -> None:
        self.node, self.scope, self._scopes = node, scopes.of(node), scopes
        self._certain: dict[str, bool] = {}

    @cached_property
    def mentions(self) -> dict[str, list[Mention]]:
        """The mentions in its body, by name in the order of the text, but for variables of scopes inside."""
        found: dict[str, list[Mention]] = {}
        for mention in mentions(self.node.body, self._scopes):
            found.setdefault(mention.node.value, []).append(mention)
        return found

    def owns(self, name: str) -> bool:
        """Whether it is a local variable that is used by the function's own statements only, when these run."""
        scope = self.scope
        elsewhere = scope.declared_global | scope.declared_nonlocal | scope.rebound_elsewhere
        if name not in scope.bindings or name in elsewhere:
            return False
        return not any(mention.is_deferred or self._is_late(mention) for mention in self.mentions.get(name, ()))

    def is_certainly_bound(self, name: str) -> bool:
        """Whether the local variable has a value wherever it is read: it is never deleted, nor read too early."""
        if name not in self._certain:
            self._certain[name] = self._is_always_bound(name)
        return self._certain[name]

    def may_rename(self, name: str) -> bool:
        """Whether another name for the local variable makes no difference.

        Its name is visible in the error for an unbound variable, in what an import or definition binds, in
        `f"{name=}"`, and to a function that looks at its variables; a parameter's to those who call.
        """
        free = not self.is_parameter(name) and name not in self._of_inner_scopes
        return free and self._is_renamable(name) and self.is_certainly_bound(name)

    def is_parameter(self, name: str) -> bool:
        """Whether it is a parameter."""
        return any(binding.how == "parameter" for binding in self.scope.bindings.get(name, ()))

    def is_bound_in(self, node: cst.CSTNode, name: str) -> bool:
        """Whether something in a node of the function gives the variable a value, or takes it away."""
        return any(one.binds and one.node.value == name for one in mentions(node, self._scopes))

    def may_enclose(self, nodes: Iterable[cst.CSTNode], own: str) -> bool:
        """Whether expressions mean the same in a comprehension whose variable is `own`.

        Not where a variable may be unbound, for that is another error in there.
        """
        nodes = list(nodes)
        names = {one.node.value for node in nodes for one in mentions(node, self._scopes)} - {own}
        local = [name for name in names if name in self.scope.bindings and self.scope.owner(name) is self.scope]
        return all(map(self.is_certainly_bound, local)) and not any(map(depends_on_function, nodes))

    @cached_property
    def plain(self) -> frozenset[str]:
        """The variables that can be renamed, if the name is free, and that no generator expression mentions."""
        return frozenset(
            name
            for name in self.scope.bindings
            if self._is_renamable(name) and not any(map(self._is_in_generator, self.mentions.get(name, ())))
        )

    def _is_renamable(self, name: str) -> bool:
        if self.scope.reflection or not self.owns(name) or name in self._said:
            return False
        if not is_bound_plainly(name, self.scope):
            return False
        spelled = any(isinstance(mention.node, Spelled) for mention in self.mentions.get(name, ()))
        return not spelled

    def _is_always_bound(self, name: str) -> bool:
        if name in self.scope.deleted:
            return False
        return self.is_parameter(name) or name not in Certainty(frozenset({name})).exposed(self.node.body.body)

    def _is_inside(self, scope: Scope | None) -> bool:
        """Whether a scope stands in the function, and is not its own."""
        return any(at.parent is self.scope for at in self._between(scope))

    def _is_late(self, mention: Mention) -> bool:
        return any(map(runs_later, self._between(mention.scope)))

    def _is_in_generator(self, mention: Mention) -> bool:
        return any(scope.is_generator for scope in self._between(mention.scope))

    def _between(self, scope: Scope | None) -> Iterator[Scope]:
        """The scopes from one inside the function to the function's own, which is left out."""
        while scope is not None and scope is not self.scope:
            yield scope
            scope = scope.parent

    @cached_property
    def _of_inner_scopes(self) -> frozenset[str]:
        """The names that a scope inside has a variable for."""
        inner = (scope for scope in self._scopes.by_node.values() if self._is_inside(scope))
        return frozenset(name for scope in inner for name in scope.bindings)

    @cached_property
    def _said(self) -> frozenset[str]:
        return said_names(self.node)
