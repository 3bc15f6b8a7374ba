"""Questions that passes ask about `for` loops before they replace a loop by a builtin.

A loop is plain if only its function observes it: `for name in …` without `else`, outside of `try` and `with`, which
could see it end early, its variable read nowhere else, and no expression in it that binds, yields or awaits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import libcst as cst

from analyze.operations.catalogue import functions
from rewrite.analysis.exact_types import SIMPLE, element_type, exact_type
from rewrite.analysis.scopes import Scope
from rewrite.passes.parsed_program import FunctionVariables, ParsedProgram, StatementSite
from rewrite.passes.patterns import plain_arguments
from rewrite.passes.type_evidence import TypeEvidence
from rewrite.syntax.tree import walk

_TIGHT = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.SimpleString, cst.FormattedString)
TEXTS = ("str", "char")
SIZED = frozenset({"str", "char", "list", "tuple", "dict", "set", "range", "bytes"})
CATCHING = (cst.Try, cst.TryStar, cst.With)
_BY_THE_WAY = (cst.NamedExpr, cst.Yield, cst.Await, cst.FunctionDef, cst.ClassDef, cst.Lambda)
# Builtins of one argument that run no code of the program for numbers and strings.
_APPLIED = functions(lambda one: one.is_pure and one.takes_one_value)


@dataclass(frozen=True)
class ForLoop:
    """A `for` loop over a plain name: its variable, its iterable and its body."""

    node: cst.For
    site: StatementSite
    program: ParsedProgram
    variable: str
    body: list[cst.CSTNode]

    @property
    def function(self) -> FunctionVariables:
        """The function that contains the loop."""
        return self.site.function

    @property
    def iterable(self) -> str:
        """Source of the iterable."""
        return self.program.inline_code(self.node.iter)

    @property
    def only_statement(self) -> cst.CSTNode | None:
        """The statement of the body if there is only one."""
        return self.body[0] if len(self.body) == 1 else None

    @property
    def receiver(self) -> str:
        """Source of the iterable, in parentheses where an attribute access needs them."""
        node = self.node.iter
        tight = isinstance(node, _TIGHT) or node.lpar
        return self.iterable if tight or self.iterable.startswith("(") else f"({self.iterable})"

    def type_evidence(self) -> TypeEvidence:
        """Type evidence for one candidate."""
        return self.program.type_evidence(self.function.scope)

    def is_builtin(self, *names: str) -> bool:
        """Whether the names mean Python's builtins in the function."""
        return all(self.function.scope.is_builtin(name) for name in names)

    def kind(self, node: cst.BaseExpression) -> str | None:
        """The type of an expression in the function if the source proves it."""
        return exact_type(node, self.function.scope)

    def mentions(self, name: str, *nodes: cst.CSTNode) -> bool:
        """Whether one of the nodes mentions a variable."""
        return any(name in self.program.mentioned_names(node) for node in nodes)

    def is_accumulator(self, name: str) -> bool:
        """Whether a variable is local, read by no other function, and bound before the loop."""
        return name != self.variable and self.function.owns(name) and self.function.is_certainly_bound(name)

    def keeps_type(
        self, name: str, added: cst.BaseExpression, kinds: Collection[str], more: Collection[str] | None = None
    ) -> bool:
        """Whether a variable always has one of some types, provided that the loop's own binding gives it one.

        Args:
            name: The variable.
            added: What the loop adds to the variable or assigns to it.
            kinds: The types that the variable may have.
            more: The types that may be added to it elsewhere (default: `kinds`).

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
        """Whether expressions of the loop mean the same in a comprehension over the same iterable."""
        return self.function.may_enclose(nodes, self.variable) and not self.calls_back(*nodes)

    def mapped_function(self, node: cst.BaseExpression, types: TypeEvidence | None = None) -> str | None:
        """The function that `map` can apply to the items: `int` for `int(c)`, `str.isdigit` for `c.isdigit()`.

        `map` would end at a StopIteration that the function raises, so the items must be numbers or strings.

        Args:
            node: The expression.
            types: Type evidence for the items (default: only what the source proves).

        """
        if not isinstance(node, cst.Call) or not self.is_builtin("map"):
            return None
        function, scope = node.func, self.function.scope
        types = types or TypeEvidence(scope)
        if isinstance(function, cst.Name) and len(node.args) == 1:
            values = plain_arguments(node) if function.value in _APPLIED and scope.is_builtin(function.value) else None
            found = values is not None and self.is_variable(values[0]) and types.has_type(values[0], SIMPLE)
            return function.value if found else None
        if isinstance(function, cst.Attribute) and not node.args and self.is_variable(function.value):
            method = function.attr.value
            known = hasattr(str, method) and scope.is_builtin("str")
            text = element_type(self.node.iter, scope) in TEXTS or (known and types.has_type(function.value, ("str",)))
            return f"str.{method}" if known and text else None
        return None

    def calls_back(self, *nodes: cst.CSTNode) -> bool:
        """Whether the nodes may call a function of the program, which would then run one frame deeper."""
        return any(
            isinstance(inner, cst.Call) and not is_external_call(inner.func, self.function.scope, self.program)
            for n in nodes
            for inner in walk(n)
        )

    def is_any_variable(self, *nodes: cst.CSTNode) -> bool:
        """Whether one of the nodes is the loop variable."""
        return any(self.is_variable(node) for node in nodes)

    def is_variable(self, node: cst.CSTNode) -> bool:
        """Whether a node is the loop variable."""
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
    """Whether a node binds a name, suspends, or contains a scope that may."""
    return isinstance(node, _BY_THE_WAY) or (isinstance(node, cst.CompFor) and node.asynchronous is not None)


def for_loops(program: ParsedProgram) -> Iterator[ForLoop]:
    """The loops over a plain name that is read nowhere else."""
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
    """Whether all other mentions of a variable are in loops that bind it themselves."""
    if any(isinstance(around, cst.For) and _binds(around, name) for around in spot.around):
        return False
    mine = {id(found.node) for found in program.mentions(node)}
    for other in spot.function.nodes.get(cst.For, ()):
        if isinstance(other, cst.For) and _binds(other, name):
            mine |= {id(found.node) for part in (other.target, other.body) for found in program.mentions(part)}
    return all(id(found.node) in mine for found in spot.function.references.get(name, ()))


def _binds(node: cst.For, name: str) -> bool:
    return isinstance(node.target, cst.Name) and node.target.value == name


def is_external_call(function: cst.BaseExpression, scope: Scope, program: ParsedProgram) -> bool:
    """Whether the callee is a builtin, or a method whose name the module does not define."""
    if isinstance(function, cst.Name):
        return scope.is_builtin(function.value)
    return isinstance(function, cst.Attribute) and function.attr.value not in program.defined_names


def guarded_statement(node: cst.CSTNode | None) -> tuple[cst.BaseExpression, cst.CSTNode] | None:
    """The test and the only statement of an `if` without `else`; None for anything else."""
    if not isinstance(node, cst.If) or node.orelse is not None:
        return None
    inner = [small for line in node.body.body for small in _smalls(line)]
    return (node.test, inner[0]) if len(inner) == 1 else None


def comparison_sides(
    node: cst.BaseExpression, operator: type[cst.BaseCompOp]
) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The two sides of a single comparison with an operator; two Ellipsis nodes for anything else."""
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        if isinstance(target.operator, operator):
            return node.left, target.comparator
    return cst.Ellipsis(), cst.Ellipsis()
