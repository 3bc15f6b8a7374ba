"""Build the symbol table: find the scopes of a module and every binding of a name.

One walk over the tree, before any rewriting, with a method for each node class that binds a name, opens a scope or uses
reflection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, TypeGuard

import libcst as cst

from analyze.operations.catalogue import select
from analyze.operations.operation import Reads
from rewrite.analysis.builtin_names import may_be_builtin
from rewrite.analysis.scopes import BUILTINS, Binding, BindingKind, ModuleScopes, NameReference, Scope
from rewrite.analysis.type_narrowing import NO_FACTS as NO_FACTS
from rewrite.analysis.type_narrowing import TypeFlow, effective_statements
from rewrite.syntax.normalized_names import NormalizedName
from rewrite.syntax.tree import children, code

# Names whose use in a scope makes its local variables, or its code object, visible to the program.
_READERS = select(lambda one: one.reads is Reads.CALLER)
REFLECTION = frozenset(one.name for one in _READERS) | {"_getframe", "currentframe"}

# With this many arguments they do not inspect the calling scope, unless the second one, its namespace, is None.
_NAMESPACES = ((one.name, one.position_of("value", "globals")) for one in _READERS)
ELSEWHERE = {name: place + 1 for name, place in _NAMESPACES if place is not None}


def collect_scopes(module: cst.Module) -> ModuleScopes:
    """Return the scopes of a module."""
    outermost, collector = Scope("module"), _SymbolCollector()
    collector.statements(module.body, outermost)
    opened = [(module, outermost), *collector.opened.values()]
    scopes = ModuleScopes(outermost, opened, collector.mentions, collector.flow)
    for scope in scopes:
        _settle(scope, outermost)
    for scope in scopes:
        scope.reflection = {name for name in scope.reflection if name not in BUILTINS or may_be_builtin(name, scope)}
    return scopes


def _settle(scope: Scope, module: Scope) -> None:
    """Add the bindings of a `global` or `nonlocal` name to the scope that owns the variable, as opaque bindings."""
    for name in scope.declared_global:
        if scope is not module and name in scope.bindings:
            module.bindings.setdefault(name, []).extend(map(_opaque, scope.bindings[name]))
            module.rebound_elsewhere.add(name)
    for name in scope.declared_nonlocal & scope.bindings.keys():
        owner = scope.parent.owner(name) if scope.parent else None
        if owner is not None:
            owner.bindings[name].extend(map(_opaque, scope.bindings[name]))
            owner.rebound_elsewhere.add(name)


def _opaque(binding: Binding) -> Binding:
    """The binding as other scopes see it; an import remains known."""
    return replace(binding, nested=True) if binding.how == "import" else Binding("other", nested=True)


class _SymbolCollector:
    """The walk. Each method takes a node and the scope that holds it."""

    def __init__(self) -> None:
        self.opened: dict[int, tuple[cst.CSTNode, Scope]] = {}
        self.mentions: dict[int, NameReference] = {}
        self.is_deferred = False
        self.nested = False
        self.flow, self.facts = TypeFlow(), NO_FACTS
        self.handlers: dict[type[cst.CSTNode], Callable[..., None]] = {
            cst.Name: self.name,
            NormalizedName: self.name,
            cst.Attribute: self.attribute,
            cst.FunctionDef: self.function,
            cst.IndentedBlock: self.block,
            cst.ClassDef: self.class_,
            cst.If: self.if_,
            cst.Lambda: self.lambda_,
            cst.ListComp: self.comprehension,
            cst.SetComp: self.comprehension,
            cst.DictComp: self.comprehension,
            cst.GeneratorExp: self.comprehension,
            cst.Assign: self.assign,
            cst.AnnAssign: self.annotated,
            cst.AugAssign: self.augmented,
            cst.NamedExpr: self.walrus,
            cst.For: self.loop,
            cst.With: self.with_,
            cst.Del: self.delete,
            cst.Import: self.import_,
            cst.ImportFrom: self.import_,
            cst.Global: self.global_,
            cst.Nonlocal: self.nonlocal_,
            cst.AsName: self.as_name,
            cst.MatchAs: self.capture,
            cst.MatchStar: self.capture,
            cst.MatchMapping: self.capture,
            cst.MatchKeywordElement: self.keyword_pattern,
            cst.Arg: self.argument,
            cst.Call: self.call,
            cst.TypeAlias: self.type_alias,
            cst.TypeParam: self.type_parameter,
        }

    def visit(self, node: cst.CSTNode, scope: Scope) -> None:
        handler = self.handlers.get(type(node))
        if handler is not None:
            handler(node, scope)
            return
        for child in children(node):
            self.visit(child, scope)

    def statements(self, body: Sequence[cst.CSTNode], scope: Scope) -> None:
        before, self.facts = (self.nested, self.facts), NO_FACTS
        scope.statements = list(effective_statements(body))
        for place, statement in enumerate(scope.statements):
            scope.at = place
            # Bindings in the blocks of a compound statement may not happen.
            self.nested = not isinstance(statement, (cst.SimpleStatementLine, cst.FunctionDef, cst.ClassDef))
            self.statement(statement, scope)
        self.nested, self.facts = before

    def block(self, node: cst.IndentedBlock, scope: Scope) -> None:
        before = self.facts
        for statement in effective_statements(node.body):
            self.statement(statement, scope)
        self.facts = before

    def statement(self, node: cst.CSTNode, scope: Scope) -> None:
        """Visit one statement of a block, with what the type tests before it show."""
        self.facts = self.flow.facts_through(self.facts, node)
        if self.facts:
            self.flow.at[id(node)] = (node, self.facts)
        self.visit(node, scope)
        self.facts = self.flow.facts_after(self.facts, node)

    def if_(self, node: cst.If, scope: Scope) -> None:
        around = self.facts
        if around:
            self.flow.at[id(node)] = (node, around)
        self.visit(node.test, scope)
        self.facts = self.flow.facts_in_branch(around, node, holds=True)
        self.visit(node.body, scope)
        self.facts = self.flow.facts_in_branch(around, node, holds=False)
        if node.orelse is not None:
            self.visit(node.orelse, scope)
        self.facts = around

    def bind(self, scope: Scope, name: str, binding: Binding) -> None:
        if self.facts:
            binding = replace(binding, facts=self.facts)
        scope.bindings.setdefault(name, []).append(binding)
        scope.places.setdefault(name, scope.at)
        self.mention(scope, name)

    def mention(self, scope: Scope, name: str) -> None:
        at: Scope | None = scope
        while at is not None and name not in at.names:
            at.names.add(name)
            if at.kind in ("comprehension", "lambda") and name in at.bindings:
                return  # its own variable is not a name of the enclosing scope
            at = at.parent

    def identify(self, node: cst.CSTNode, scope: Scope, *, binds: bool = True) -> None:
        """Record a reference to a variable."""
        if isinstance(node, cst.Name):
            self.mentions[id(node)] = NameReference(node, scope, binds, self.is_deferred)

    def deferred(self, node: cst.CSTNode, scope: Scope) -> None:
        """Visit a part that is evaluated late, never or as a string."""
        before, self.is_deferred = self.is_deferred, True
        self.visit(node, scope)
        self.is_deferred = before

    def name(self, node: cst.Name, scope: Scope) -> None:
        self.identify(node, scope, binds=False)
        self.mention(scope, node.value)
        if node.value in REFLECTION:
            self.reflect(scope, node.value)

    def attribute(self, node: cst.Attribute, scope: Scope) -> None:
        name = node.attr.value
        if name in REFLECTION or (name == "stack" and _is_name(node.value) and node.value.value == "inspect"):
            self.reflect(scope, name)
        self.visit(node.value, scope)

    def reflect(self, scope: Scope, name: str) -> None:
        at: Scope | None = scope
        while at is not None:
            at.reflection.add(name)
            if all(binding.nested for binding in at.bindings.get(name, ())):
                at.unbound_reads.add(name)
            at = at.parent if at.kind in ("comprehension", "lambda") else None

    def call(self, node: cst.Call, scope: Scope) -> None:
        plain = [argument for argument in node.args if not argument.star]
        names_none = [part.value for argument in plain[1:2] if _is_name(part := argument.value)] == ["None"]
        if _is_name(node.func) and len(plain) >= ELSEWHERE.get(node.func.value, 9) and not names_none:
            self.identify(node.func, scope, binds=False)
            self.mention(scope, node.func.value)
        else:
            self.visit(node.func, scope)
        for argument in node.args:
            self.visit(argument.value, scope)
        for part in (node.func, *(argument.value for argument in node.args)):
            if isinstance(part, cst.Lambda) or (isinstance(part, cst.GeneratorExp) and part is node.args[0].value):
                self.opened[id(part)][1].call = node

    def argument(self, node: cst.Arg, scope: Scope) -> None:
        self.visit(node.value, scope)

    def target(
        self,
        node: cst.CSTNode,
        scope: Scope,
        how: BindingKind,
        value: cst.BaseExpression | None,
        position: int | None = None,
    ) -> None:
        """Bind the names of an assignment target; visit what it reads (`a[i]`, `a.b`)."""
        if isinstance(node, cst.Name):
            self.identify(node, scope)
            self.bind(scope, node.value, Binding(how, value, position, nested=self.nested))
        elif isinstance(node, (cst.Tuple, cst.List)):
            parts = [element.value for element in node.elements]
            starred = any(isinstance(element, cst.StarredElement) for element in node.elements)
            values = _item_values(value, len(parts)) if how == "value" and not starred else None
            for index, part in enumerate(parts):
                if values is not None:
                    self.target(part, scope, "value", values[index])
                elif how == "element" and position is None and not starred:
                    self.target(part, scope, "element", value, index)
                else:
                    self.target(part, scope, "other", None)
        else:
            self.visit(node, scope)

    def assign(self, node: cst.Assign, scope: Scope) -> None:
        self.visit(node.value, scope)
        for item in node.targets:
            self.target(item.target, scope, "value", node.value)

    def annotated(self, node: cst.AnnAssign, scope: Scope) -> None:
        self.deferred(node.annotation, scope)
        if node.value is not None:
            self.visit(node.value, scope)
        if isinstance(node.target, cst.Name) and node.value is None:
            self.identify(node.target, scope)
            scope.bindings.setdefault(node.target.value, [])  # declares a local without giving it a value
            self.mention(scope, node.target.value)
        else:
            self.target(node.target, scope, "value", node.value)

    def augmented(self, node: cst.AugAssign, scope: Scope) -> None:
        self.visit(node.value, scope)
        if isinstance(node.target, cst.Name):
            self.identify(node.target, scope)
            binding = Binding("augmented", node.value, operator=node.operator, nested=True)
            self.bind(scope, node.target.value, binding)
        else:
            self.visit(node.target, scope)

    def walrus(self, node: cst.NamedExpr, scope: Scope) -> None:
        self.visit(node.value, scope)
        self.identify(node.target, scope)
        is_lazy = False  # a generator expression binds it whenever the generator is resumed
        while scope.kind == "comprehension" and scope.parent is not None:
            is_lazy, scope = is_lazy or scope.is_generator, scope.parent
        if isinstance(node.target, cst.Name):
            if is_lazy:
                scope.rebound_elsewhere.add(node.target.value)
            self.bind(scope, node.target.value, Binding("value", node.value, nested=True))

    def loop(self, node: cst.For, scope: Scope) -> None:
        self.visit(node.iter, scope)
        self.target(node.target, scope, "element", node.iter)
        self.visit(node.body, scope)
        if node.orelse is not None:
            self.visit(node.orelse, scope)

    def with_(self, node: cst.With, scope: Scope) -> None:
        for item in node.items:
            self.visit(item.item, scope)
            if item.asname is not None:
                self.target(item.asname.name, scope, "other", None)
        self.visit(node.body, scope)

    def as_name(self, node: cst.AsName, scope: Scope) -> None:
        """`except E as name`: the name is bound, and deleted at the end of the handler."""
        self.target(node.name, scope, "other", None)
        if isinstance(node.name, cst.Name):
            scope.deleted.add(node.name.value)

    def delete(self, node: cst.Del, scope: Scope) -> None:
        self.visit(node.target, scope)
        parts = [node.target]
        while parts:
            part = parts.pop()
            if isinstance(part, cst.Name):
                self.identify(part, scope)
                scope.deletes = True
                scope.deleted.add(part.value)
                scope.bindings.setdefault(part.value, [])
            elif isinstance(part, (cst.Tuple, cst.List)):
                parts.extend(element.value for element in part.elements)  # type: ignore[misc]

    def import_(self, node: cst.Import | cst.ImportFrom, scope: Scope) -> None:
        if isinstance(node.names, cst.ImportStar):
            scope.module.star_import = True
            return
        for alias in node.names:
            bound: cst.CSTNode = alias.asname.name if alias.asname else alias.name
            while isinstance(bound, cst.Attribute):
                bound = bound.value
            if isinstance(bound, cst.Name):
                self.identify(bound, scope)
                whole = alias.name if isinstance(node, cst.Import) else None
                found = Binding("import", whole, nested=self.nested)
                if isinstance(node, cst.ImportFrom) and isinstance(alias.name, cst.Name):
                    found = replace(found, taken=(alias.name.value, code(node.module) if node.module else "."))
                self.bind(scope, bound.value, found)

    def global_(self, node: cst.Global, scope: Scope) -> None:
        for item in node.names:
            self.identify(item.name, scope)
            scope.declared_global.add(item.name.value)
            self.mention(scope, item.name.value)

    def nonlocal_(self, node: cst.Nonlocal, scope: Scope) -> None:
        for item in node.names:
            self.identify(item.name, scope)
            scope.declared_nonlocal.add(item.name.value)
            self.mention(scope, item.name.value)

    def capture(self, node: cst.MatchAs | cst.MatchStar | cst.MatchMapping, scope: Scope) -> None:
        name = node.rest if isinstance(node, cst.MatchMapping) else node.name
        if name is not None:
            self.identify(name, scope)
            self.bind(scope, name.value, Binding("other", nested=True))
        for child in children(node):
            if child is not name:
                self.visit(child, scope)

    def keyword_pattern(self, node: cst.MatchKeywordElement, scope: Scope) -> None:
        """`case Point(x=0)`: `x` is an attribute, not a variable."""
        self.visit(node.pattern, scope)

    def type_alias(self, node: cst.TypeAlias, scope: Scope) -> None:
        self.identify(node.name, scope)
        self.bind(scope, node.name.value, Binding("other", nested=self.nested))
        if node.type_parameters is not None:
            self.visit(node.type_parameters, scope)
        self.deferred(node.value, scope)

    def type_parameter(self, node: cst.TypeParam, scope: Scope) -> None:
        """A type parameter is bound in the enclosing scope, as unknown: it has no scope of its own here."""
        self.bind(scope, node.param.name.value, Binding("other", nested=True))
        for child in children(node):
            self.deferred(child, scope)

    def parameters(self, node: cst.Parameters, scope: Scope, inner: Scope) -> None:
        every = [*node.posonly_params, *node.params, *node.kwonly_params]
        every += [star for star in (node.star_arg, node.star_kwarg) if isinstance(star, cst.Param)]
        for parameter in every:
            if parameter.default is not None:
                self.visit(parameter.default, scope)
            if parameter.annotation is not None:
                self.deferred(parameter.annotation, scope)
            self.identify(parameter.name, inner)
            inner.bindings.setdefault(parameter.name.value, []).append(Binding("parameter"))
            self.mention(inner, parameter.name.value)

    def open(self, node: cst.CSTNode, scope: Scope, kind: Literal["class", "function", "lambda"]) -> Scope:
        inner = Scope(kind, scope, node=node, place=scope.at)
        self.opened[id(node)] = (node, inner)
        return inner

    def function(self, node: cst.FunctionDef, scope: Scope) -> None:
        for decorator in node.decorators:
            self.visit(decorator.decorator, scope)
        self.identify(node.name, scope)
        self.bind(scope, node.name.value, Binding("definition", nested=self.nested, definition=node))
        inner = self.open(node, scope, "function")
        self.parameters(node.params, scope, inner)
        for extra in (node.returns, node.type_parameters):
            if extra is not None:
                self.deferred(extra, scope)
        self.statements(node.body.body, inner)

    def class_(self, node: cst.ClassDef, scope: Scope) -> None:
        for decorator in node.decorators:
            self.visit(decorator.decorator, scope)
        for argument in (*node.bases, *node.keywords):
            self.visit(argument.value, scope)
        if node.type_parameters is not None:
            self.visit(node.type_parameters, scope)
        self.identify(node.name, scope)
        self.bind(scope, node.name.value, Binding("definition", nested=self.nested, definition=node))
        inner = self.open(node, scope, "class")
        self.statements(node.body.body, inner)

    def lambda_(self, node: cst.Lambda, scope: Scope) -> None:
        inner = self.open(node, scope, "lambda")
        self.parameters(node.params, scope, inner)
        self.visit(node.body, inner)

    def comprehension(self, node: cst.BaseComp, scope: Scope) -> None:
        inner = Scope("comprehension", scope, place=scope.at, is_generator=isinstance(node, cst.GeneratorExp))
        self.opened[id(node)] = (node, inner)
        clause: cst.CompFor | None = node.for_in
        outer = scope
        while clause is not None:
            self.visit(clause.iter, outer)  # only the first iterable is evaluated outside
            outer = inner
            self.target(clause.target, inner, "element", clause.iter)
            for condition in clause.ifs:
                self.visit(condition.test, inner)
            clause = clause.inner_for_in
        for part in (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,):  # type: ignore[attr-defined]
            self.visit(part, inner)


def _is_name(node: cst.CSTNode) -> TypeGuard[cst.Name]:
    return isinstance(node, cst.Name)


def _item_values(value: cst.BaseExpression | None, count: int) -> list[cst.BaseExpression] | None:
    """The expressions that `a, b = x, y` assigns to each target, if they correspond one to one."""
    if not isinstance(value, (cst.Tuple, cst.List)) or len(value.elements) != count:
        return None
    if any(isinstance(element, cst.StarredElement) for element in value.elements):
        return None
    return [element.value for element in value.elements]
