"""Questions that passes ask about `for` loops before they replace a loop by a builtin.

A loop is plain if only its function observes it: `for name in …` without `else`, outside of `try` and `with`, which
could see it end early, its variable read nowhere else, and no expression in it that binds, yields or awaits.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from analyze.operations.catalogue import functions
from rewrite.analysis.exact_types import SIMPLE, STRING_TYPES, element_type, exact_type
from rewrite.analysis.legality import FunctionLocals
from rewrite.analysis.scopes import Scope
from rewrite.passes.parsed_program import ParsedProgram, StatementSite
from rewrite.syntax.tree import walk

_TIGHT = (cst.Name, cst.Call, cst.Attribute, cst.Subscript, cst.SimpleString, cst.FormattedString)
SIZED = frozenset({"str", "char", "list", "tuple", "dict", "set", "range", "bytes"})
CATCHING = (cst.Try, cst.TryStar, cst.With)
_BY_THE_WAY = (cst.NamedExpr, cst.Yield, cst.Await, cst.FunctionDef, cst.ClassDef, cst.Lambda)
# Builtins of one argument that run no code of the program for numbers and strings.
_APPLIED = functions(lambda one: one.is_pure and one.takes_one_value)


@dataclass(frozen=True)
class ForLoop:
    """A `for` loop over a plain name."""

    node: cst.For
    site: StatementSite
    program: ParsedProgram
    variable: str

    @property
    def function(self) -> FunctionLocals:
        """The function that contains the loop."""
        return self.site.function

    @property
    def iterable(self) -> str:
        """Source of the iterable."""
        return self.program.inline_code(self.node.iter)

    @property
    def guarded_statement(self) -> tuple[list[cst.BaseExpression], cst.CSTNode | None]:
        """The condition of the `if` that is the whole body, if it is one, and the only statement; None for several."""
        only = self.only_statement
        if isinstance(only, cst.If) and only.orelse is None:
            return [only.test], _only_statement(only.body)
        return [], only

    @property
    def only_statement(self) -> cst.CSTNode | None:
        """The statement of the body if there is only one."""
        return _only_statement(self.node.body)

    @property
    def receiver(self) -> str:
        """Source of the iterable, in parentheses where an attribute access needs them."""
        node = self.node.iter
        tight = isinstance(node, _TIGHT) or node.lpar
        return self.iterable if tight or self.iterable.startswith("(") else f"({self.iterable})"

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

    def comprehension(self, value: cst.BaseExpression, tests: Sequence[cst.BaseExpression] = ()) -> str | None:
        """The inside of a comprehension of the values of an expression, of all items or of those that pass a test.

        None if an expression means something else there, or may call a function of the program, which would run one
        frame deeper.
        """
        calls = (part for node in (value, *tests) for part in walk(node) if isinstance(part, cst.Call))
        external = all(is_external_call(call.func, self.function.scope, self.program) for call in calls)
        if not external or not self.function.may_enclose((value, *tests), self.variable):
            return None
        conditions = "".join(f" if {self.program.inline_code(test)}" for test in tests)
        return f"{self.program.inline_code(value)} for {self.variable} in {self.iterable}{conditions}"

    def mapped(self, node: cst.BaseExpression) -> str | None:
        """The iterable itself if it is sized and the expression the item, or `map` with the function of a call.

        That is `int` for `int(c)`, `str.isdigit` for `c.isdigit()`. `map` would end at a StopIteration that the
        function raises, so the items must be numbers or strings.
        """
        if self.is_variable(node):
            return self.iterable if self.kind(self.node.iter) in SIZED else None
        function = self._applied_function(node) if self.is_builtin("map") else None
        return f"map({function}, {self.iterable})" if function else None

    def _applied_function(self, node: cst.BaseExpression) -> str | None:
        match node:
            case cst.Call(cst.Name(name), [cst.Arg(value, keyword=None, star="")]) if self.is_variable(value):
                known = name in _APPLIED and self.is_builtin(name)
                return name if known and self.kind(value) in SIMPLE else None
            case cst.Call(cst.Attribute(receiver, cst.Name(name)), []) if self.is_variable(receiver):
                text = element_type(self.node.iter, self.function.scope) in STRING_TYPES or self.kind(receiver) == "str"
                return f"str.{name}" if text and hasattr(str, name) and self.is_builtin("str") else None
        return None

    def is_variable(self, node: cst.CSTNode) -> bool:
        """Whether a node is the loop variable."""
        return isinstance(node, cst.Name) and node.value == self.variable


def plain_loops(program: ParsedProgram) -> Iterator[ForLoop]:
    """The plain loops of all functions."""
    for loop in for_loops(program):
        caught = any(isinstance(around, CATCHING) for around in loop.site.around)
        by_the_way = any(_is_by_the_way(part) for part in (*walk(loop.node.iter), *walk(loop.node.body)))
        if not caught and not by_the_way:
            yield loop


def for_loops(program: ParsedProgram) -> Iterator[ForLoop]:
    """The loops over a plain name that is read nowhere else."""
    for site in program.sites:
        node = site.node
        if not isinstance(node, cst.For) or node.asynchronous or node.orelse or not isinstance(node.target, cst.Name):
            continue
        name = node.target.value
        read = name in program.mentioned_names(node.iter)
        alone = site.function.owns(name) and is_dead_outside(program, name, node, site)
        if not read and alone and not program.is_kept(node):
            yield ForLoop(node, site, program, name)


def _is_by_the_way(node: cst.CSTNode) -> bool:
    """Whether a node binds a name, suspends, or contains a scope that may."""
    return isinstance(node, _BY_THE_WAY) or (isinstance(node, cst.CompFor) and node.asynchronous is not None)


def _only_statement(block: cst.BaseSuite) -> cst.CSTNode | None:
    """The statement of a block; None if there are several."""
    match block.body:
        case [cst.SimpleStatementLine(body=[only])] | [only] if not isinstance(only, cst.SimpleStatementLine):
            return only
    return None


def is_dead_outside(program: ParsedProgram, name: str, node: cst.CSTNode, spot: StatementSite) -> bool:
    """Whether all other mentions of a variable are in loops that bind it themselves."""
    if any(isinstance(around, cst.For) and _binds(around, name) for around in spot.around):
        return False
    mine = {id(found.node) for found in program.mentions(node)}
    for other in walk(spot.function.node.body):
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
