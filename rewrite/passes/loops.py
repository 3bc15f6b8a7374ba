"""The loops that builtins may stand for, and what has to be known of them.

A loop is plain when only its function sees it: `for name in …` without `else`, in no `try` or `with` that could see it
stop half-way, its variable read nowhere but in it, and nothing in it that binds by the way, yields or awaits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst

from rewrite.analysis.exact_types import SIMPLE, element, kind
from rewrite.analysis.scopes import Scope
from rewrite.passes.parsed_program import FunctionVariables, ParsedProgram, StatementSite
from rewrite.passes.type_evidence import TypeEvidence
from rewrite.syntax.tree import walk

_TIGHT = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.SimpleString, cst.FormattedString)
TEXTS = ("str", "char")
SIZED = frozenset({"str", "char", "list", "tuple", "dict", "set", "range", "bytes"})
CATCHING = (cst.Try, cst.TryStar, cst.With)
_BY_THE_WAY = (cst.NamedExpr, cst.Yield, cst.Await, cst.FunctionDef, cst.ClassDef, cst.Lambda)
# Builtins of one argument that run no code of the program when they are given numbers and strings.
_APPLIED = frozenset({"int", "str", "len", "ord", "chr", "abs", "bool", "float", "bin", "hex", "oct", "repr"})


@dataclass(frozen=True)
class ForLoop:
    """A plain loop: its variable, what it goes through, and its body."""

    node: cst.For
    site: StatementSite
    program: ParsedProgram
    variable: str
    body: list[cst.CSTNode]

    @property
    def function(self) -> FunctionVariables:
        """The function that it stands in."""
        return self.site.function

    @property
    def iterable(self) -> str:
        """What it goes through, as text."""
        return self.program.inline_code(self.node.iter)

    @property
    def only_statement(self) -> cst.CSTNode | None:
        """The one statement of its body."""
        return self.body[0] if len(self.body) == 1 else None

    @property
    def receiver(self) -> str:
        """What it goes through, as text before a dot."""
        node = self.node.iter
        tight = isinstance(node, _TIGHT) or node.lpar
        return self.iterable if tight or self.iterable.startswith("(") else f"({self.iterable})"

    def type_evidence(self) -> TypeEvidence:
        """Something to ask for types, which keeps what it takes for granted."""
        return self.program.type_evidence(self.function.scope)

    def is_builtin(self, *names: str) -> bool:
        """Whether the names are Python's own there."""
        return all(self.function.scope.is_builtin(name) for name in names)

    def kind(self, node: cst.BaseExpression) -> str | None:
        """The proven kind of an expression in its function."""
        return kind(node, self.function.scope)

    def mentions(self, name: str, *nodes: cst.CSTNode) -> bool:
        """Whether one of the nodes mentions a variable."""
        return any(name in self.program.mentioned_names(node) for node in nodes)

    def is_accumulator(self, name: str) -> bool:
        """Whether a variable is the function's alone, and has a value before the loop."""
        return name != self.variable and self.function.owns(name) and self.function.is_certainly_bound(name)

    def keeps_type(
        self, name: str, added: cst.BaseExpression, kinds: Collection[str], more: Collection[str] | None = None
    ) -> bool:
        """Whether a variable is always of one of some types, given that what the loop itself makes it is.

        Args:
            name: the variable.
            added: what the loop adds to it or gives it.
            kinds: the types that it may have.
            more: the types of what may be added to it elsewhere (default: the same).

        """
        if self.kind(cst.Name(name)) in kinds:
            return True
        for binding in self.function.scope.bindings[name]:
            is_sum = isinstance(binding.operator, cst.AddAssign)
            allowed = kinds if binding.how == "value" else (more or kinds) if is_sum else ()
            mine = binding.expression is added
            if not mine and (binding.expression is None or self.kind(binding.expression) not in allowed):
                return False
        return True

    def can_enclose(self, *nodes: cst.CSTNode) -> bool:
        """Whether expressions of the loop mean the same in a comprehension that goes through the same items."""
        return self.function.may_enclose(nodes, self.variable) and not self.calls_back(*nodes)

    def mapped_function(self, node: cst.BaseExpression, types: TypeEvidence | None = None) -> str | None:
        """The builtin that makes an expression of the loop's variable: `int` of `int(c)`, `str.isdigit` of a string.

        `map` takes a StopIteration out of it for its own end, so that the items have to be numbers or strings.

        Args:
            node: the expression.
            types: what may be assumed of the items (default: nothing, only what is proven counts).

        """
        if not isinstance(node, cst.Call) or not self.is_builtin("map"):
            return None
        function, scope = node.func, self.function.scope
        types = types or TypeEvidence(scope)
        if isinstance(function, cst.Name) and len(node.args) == 1:
            argument = node.args[0]
            plain = not argument.star and argument.keyword is None and self.is_variable(argument.value)
            known = function.value in _APPLIED and scope.is_builtin(function.value)
            return function.value if plain and known and types.has_type(argument.value, SIMPLE) else None
        if isinstance(function, cst.Attribute) and not node.args and self.is_variable(function.value):
            method = function.attr.value
            known = hasattr(str, method) and scope.is_builtin("str")
            text = element(self.node.iter, scope) in TEXTS or (known and types.has_type(function.value, ("str",)))
            return f"str.{method}" if known and text else None
        return None

    def calls_back(self, *nodes: cst.CSTNode) -> bool:
        """Whether the nodes may call a function of the program, then a frame deeper."""
        return any(
            isinstance(inner, cst.Call) and not is_external_call(inner.func, self.function.scope, self.program)
            for n in nodes
            for inner in walk(n)
        )

    def is_any_variable(self, *nodes: cst.CSTNode) -> bool:
        """Whether one of the nodes is its variable."""
        return any(self.is_variable(node) for node in nodes)

    def is_variable(self, node: cst.CSTNode) -> bool:
        """Whether a node is its variable."""
        return isinstance(node, cst.Name) and node.value == self.variable


def plain_loops(program: ParsedProgram) -> Iterator[ForLoop]:
    """The plain loops of all functions."""
    for loop in for_loops(program):
        inside = [loop.node.iter, loop.node.body]
        caught = any(isinstance(node, CATCHING) for node in loop.site.around)
        by_the_way = any(_is_by_the_way(node) for part in inside for node in walk(part))
        if not caught and not by_the_way:
            yield loop


def _is_by_the_way(node: cst.CSTNode) -> bool:
    """Whether it binds, suspends, or holds what may."""
    return isinstance(node, _BY_THE_WAY) or (isinstance(node, cst.CompFor) and node.asynchronous is not None)


def for_loops(program: ParsedProgram) -> Iterator[ForLoop]:
    """The loops whose variable, a plain name, is read nowhere but in them."""
    for spot in program.sites:
        node = spot.node
        if not isinstance(node, cst.For) or node.asynchronous or node.orelse or not isinstance(node.target, cst.Name):
            continue
        name = node.target.value
        read = name in program.mentioned_names(node.iter)
        alone = spot.function.owns(name) and is_dead_outside(program, name, node, spot)
        if not read and alone and not program.is_kept(node):
            body = [small for line in node.body.body for small in _smalls(line)]
            yield ForLoop(node, spot, program, name, body)


def _smalls(line: cst.CSTNode) -> list[cst.CSTNode]:
    return list(line.body) if isinstance(line, cst.SimpleStatementLine) else [line]


def is_dead_outside(program: ParsedProgram, name: str, node: cst.CSTNode, spot: StatementSite) -> bool:
    """Whether all mentions of a variable but those in a node stand in loops that bind it themselves."""
    if any(isinstance(around, cst.For) and _binds(around, name) for around in spot.around):
        return False
    mine = {id(found.node) for found in program.mentions(node)}
    for other in spot.function.nodes.get(cst.For, ()):
        if isinstance(other, cst.For) and _binds(other, name):
            mine |= {id(found.node) for part in (other.target, other.body) for found in program.mentions(part)}
    return all(id(found.node) in mine for found in spot.function.mentions.get(name, ()))


def _binds(node: cst.For, name: str) -> bool:
    return isinstance(node.target, cst.Name) and node.target.value == name


def is_external_call(function: cst.BaseExpression, scope: Scope, program: ParsedProgram) -> bool:
    """Whether what is called is a builtin, or a method of a name under which the module defines nothing."""
    if isinstance(function, cst.Name):
        return scope.is_builtin(function.value)
    return isinstance(function, cst.Attribute) and function.attr.value not in program.defined_names


def guarded_statement(node: cst.CSTNode | None) -> tuple[cst.BaseExpression, cst.CSTNode] | None:
    """Test and only statement of an `if` without `else`."""
    if not isinstance(node, cst.If) or node.orelse is not None:
        return None
    inner = [small for line in node.body.body for small in _smalls(line)]
    return (node.test, inner[0]) if len(inner) == 1 else None


def comparison_sides(
    node: cst.BaseExpression, operator: type[cst.BaseCompOp]
) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The two sides of a single comparison by an operator; Ellipsis twice for anything else."""
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        if isinstance(target.operator, operator):
            return node.left, target.comparator
    return cst.Ellipsis(), cst.Ellipsis()
