"""Which names live where: the scopes of a module, what binds each name, and what the binding is.

Answers *who binds this name*; which values it can hold stands in `rewrite.analysis.exact_types`, whether it may be read
later than written in `rewrite.analysis.effects`. The walk that finds all this out is `rewrite.analysis.symbol_table`.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import libcst as cst

from rewrite.analysis.type_narrowing import Facts, Flow

BUILTINS = frozenset(dir(builtins))
How = Literal["value", "element", "augmented", "parameter", "definition", "import", "other"]


@dataclass(frozen=True)
class Binding:
    """One place that gives a name a value: the value itself, an element of it, or something opaque.

    `position`: the target's index in a tuple target of a loop (`for i, c in enumerate(s)`), else None.
    `operator`: of an augmented assignment. `nested`: inside an if, loop, try or other block. `definition`: of a
    function or class. `facts`: what type tests show of variables where the expression stands.
    `taken`: of `from m import name`, name and module.
    """

    how: How
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
    deleted: set[str] = field(default_factory=set)  # also by the end of an `except E as name`
    deletes: bool = False  # a `del` ends the life of one of its variables
    rebound_elsewhere: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)  # read or bound here or below; a comprehension keeps its own variables
    reflection: set[str] = field(default_factory=set)
    star_import: bool = False
    replaced: frozenset[str] = frozenset()  # of a module: builtins that it may replace without naming them
    changes: bool = False  # of a module: it may change its variables without naming them
    statements: Sequence[cst.CSTNode] = ()  # of its body, in which the places count
    at: int = 0  # the place of the statement that is being looked at
    place: int = 0  # of the statement of the scope around that opens it
    places: dict[str, int] = field(default_factory=dict)  # of the statement that binds a name first
    kinds: dict[str, str | None] | None = None
    module_paths: dict[tuple[str, int], tuple[int, str]] = field(
        default_factory=dict
    )  # known to `rewrite.analysis.imported_modules`
    assumed: dict[str, str] = field(default_factory=dict)  # kinds of parameters, behind a guard
    node: cst.CSTNode | None = None  # that opens it
    call: cst.Call | None = None  # that a lambda is an argument or callee of, a generator expression the first argument
    is_generator: bool = False  # of a comprehension: a generator expression
    facts: Facts = field(default_factory=dict)  # what type tests show of its variables at the statement being rewritten

    @property
    def module(self) -> Scope:
        """The module's own scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def owner(self, name: str) -> Scope | None:
        """The scope whose variable `name` is when used here; None for a builtin or an unknown global."""
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
        """Whether `name`, used here, is Python's own, as far as this module can tell."""
        module = self.module
        return name in BUILTINS and not module.star_import and name not in module.replaced and self.owner(name) is None

    @property
    def at_module_level(self) -> bool:
        """Whether what stands here runs as part of the module's own statements."""
        return self.kind == "module" or (
            self.kind == "comprehension" and self.parent is not None and self.parent.at_module_level
        )


class Mention(NamedTuple):
    """One identifier that stands for a variable.

    Attributes:
        node: the identifier.
        scope: the scope that it stands in, which is not always the one that owns the variable.
        binds: whether the variable gets or loses its value there.
        is_deferred: whether it stands in an annotation or type alias, which are evaluated late, never or as text.

    """

    node: cst.Name
    scope: Scope
    binds: bool
    is_deferred: bool

    @property
    def owner(self) -> Scope | None:
        """The scope whose variable it is; None for a builtin or an unknown global."""
        return self.scope.owner(self.node.value)


@dataclass(eq=False)
class Scopes:
    """The scopes of one module, by the id of the node that opens each; `mentions` by the id of the identifier."""

    module: Scope
    by_node: dict[int, Scope]
    mentions: dict[int, Mention] = field(default_factory=dict)
    flow: Flow = field(default_factory=Flow)

    def facts_at(self, statement: cst.CSTNode) -> Facts:
        """What type tests before a statement show of the variables."""
        return self.flow.at[id(statement)][1] if id(statement) in self.flow.at else {}

    def of(self, node: cst.CSTNode) -> Scope:
        """The scope that a node opens. Raises KeyError for one that opens none."""
        return self.by_node[id(node)]
