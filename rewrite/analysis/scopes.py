"""Scopes: which names a scope binds, and what each binding is.

`Scope.owner` answers which scope owns a name. The types of its values are in `rewrite.analysis.exact_types`, and
whether it may be read later in `rewrite.analysis.effects`. `rewrite.analysis.symbol_table` builds the scopes.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import libcst as cst

from rewrite.analysis.type_narrowing import Facts, TypeFlow

BUILTINS = frozenset(dir(builtins))
BindingKind = Literal["value", "element", "augmented", "parameter", "definition", "import", "other"]


@dataclass(frozen=True)
class Binding:
    """One place that binds a name: to a value, to an element of a value, or to something opaque.

    Attributes:
        how: the kind of binding.
        expression: the value, the iterable or the imported module; None if unknown.
        position: the index in a tuple target of a loop (`for i, c in enumerate(s)`), else None.
        operator: the operator of an augmented assignment.
        nested: whether the binding is inside an if, loop, try or other block.
        definition: the node of a function or class.
        facts: what type tests show about variables at the expression.
        taken: for `from m import name`, name and module.
    """

    how: BindingKind
    expression: cst.BaseExpression | None = None
    position: int | None = None
    operator: cst.BaseAugOp | None = None
    nested: bool = False
    definition: cst.CSTNode | None = None
    facts: Facts = field(default_factory=dict)
    taken: tuple[str, str] = ("", "")


@dataclass(eq=False)
class Scope:
    """A module, class, function, lambda or comprehension, and the names bound in it."""

    kind: Literal["module", "class", "function", "lambda", "comprehension"]
    parent: Scope | None = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    declared_global: set[str] = field(default_factory=set)
    declared_nonlocal: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)  # also at the end of an `except E as name`
    deletes: bool = False  # whether a `del` deletes one of its variables
    rebound_elsewhere: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)  # used here or in nested scopes; not variables of expressions
    reflection: set[str] = field(default_factory=set)  # the reflective functions that its code may use
    unbound_reads: set[str] = field(default_factory=set)  # of these, names that it reads where they may be unbound
    star_import: bool = False
    replaced: frozenset[str] = frozenset()  # of a module: builtins that it may replace by reflection
    changes: bool = False  # of a module: whether reflection may change its variables
    statements: Sequence[cst.CSTNode] = ()  # the statements of its body, to which the places below refer
    at: int = 0  # the place of the current statement while the table is built
    place: int = 0  # the place, in the enclosing scope, of the statement that opens it
    places: dict[str, int] = field(default_factory=dict)  # the place of the statement that first binds a name
    variable_types: dict[str, str | None] | None = None
    module_paths: dict[tuple[str, int], tuple[int, str]] = field(
        default_factory=dict
    )  # cache of `rewrite.analysis.imported_modules`
    assumed_types: dict[str, str] = field(default_factory=dict)  # types of parameters that are known from outside
    node: cst.CSTNode | None = None  # the node that opens it
    call: cst.Call | None = None  # the call of a lambda, or that takes it or a generator expression
    is_generator: bool = False  # whether it is a generator expression
    facts: Facts = field(default_factory=dict)  # what type tests show at the statement being rewritten

    @property
    def module(self) -> Scope:
        """The scope of the module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """Return the scope that owns `name` as used here; None for a builtin or an unknown global."""
        if name in self.declared_global:
            return self.module if name in self.module.bindings else None
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings and name not in scope.declared_nonlocal:
                if name in scope.declared_global:
                    return scope.module
                if scope.kind != "class" or scope is self:
                    return scope
            scope = scope.parent
        return None

    def is_builtin(self, name: str) -> bool:
        """Whether `name`, as used here, is certainly Python's builtin as far as this module can tell.

        False does not mean that it is not (`rewrite.analysis.builtin_names.may_be_builtin`).
        """
        module = self.module
        return name in BUILTINS and not module.star_import and name not in module.replaced and self.owner(name) is None

    @property
    def at_module_level(self) -> bool:
        """Whether code of this scope runs as part of the module's own statements."""
        return self.kind == "module" or (
            self.kind == "comprehension" and self.parent is not None and self.parent.at_module_level
        )


class NameReference(NamedTuple):
    """An identifier that refers to a variable.

    Attributes:
        node: the identifier.
        scope: the scope that holds it, which is not always the one that owns the variable.
        binds: whether the variable is bound or deleted there.
        is_deferred: whether it is in an annotation or type alias, which is evaluated late, never or as a string.
    """

    node: cst.Name
    scope: Scope
    binds: bool
    is_deferred: bool

    @property
    def owner(self) -> Scope | None:
        """The scope whose variable it is; None for a builtin or an unknown global."""
        return self.scope.owner(self.node.value)


class ModuleScopes:
    """The scopes of a module.

    Scopes are found by the node that opens them. A rewrite that writes such a node anew says so (`adopt`). The nodes
    are kept, so that no other node can get the id of one that was dropped, and with it a scope that it does not open.

    Attributes:
        module: the outermost scope.
        references: references to variables by the id of the identifier.
        flow: what type tests show, by statement.
    """

    def __init__(
        self,
        module: Scope,
        opened: Iterable[tuple[cst.CSTNode, Scope]],
        references: dict[int, NameReference] | None = None,
        flow: TypeFlow | None = None,
    ) -> None:
        self.module = module
        self.references = references or {}
        self.flow = flow or TypeFlow()
        self._opened = {id(node): (node, scope) for node, scope in opened}

    def __iter__(self) -> Iterator[Scope]:
        """Yield each scope once, the outermost first."""
        return iter({id(scope): scope for _, scope in self._opened.values()}.values())

    @property
    def defines_class(self) -> bool:
        """Whether the module defines a class, whose methods may run wherever values are compared or hashed."""
        return any(scope.kind == "class" for scope in self)

    def facts_at(self, statement: cst.CSTNode) -> Facts:
        """Return what type tests before a statement show about variables."""
        return self.flow.at[id(statement)][1] if id(statement) in self.flow.at else {}

    def of(self, node: cst.CSTNode) -> Scope:
        """Return the scope that a node opens.

        Raises:
            KeyError: if the node opens none.
        """
        return self._opened[id(node)][1]

    def find(self, node: cst.CSTNode) -> Scope | None:
        """Return the scope that a node opens, or None."""
        found = self._opened.get(id(node))
        return found[1] if found is not None else None

    def adopt(self, node: cst.CSTNode, scope: Scope | None) -> None:
        """Let a node that a rewrite wrote open a scope; nothing changes for None."""
        if scope is not None:
            self._opened[id(node)] = (node, scope)
