"""Memoization: results of a pure function that calls itself several times are kept in a dict.

    known_fib = {}                              # before the function

    if type(n) is int and n in known_fib:       # before the statement with the first recursive call
        return known_fib[n]
    if type(n) is int:                          # before `return fib(n - 1) + fib(n - 2)`
        known_fib[n] = fib(n - 1) + fib(n - 2)
        return known_fib[n]

A dict and not `functools.cache`, whose calls count towards the recursion limit; the function stays the same object.
Purity (`rewrite.passes.purity`) is proved from the source for parameters of exact types. The calls show these types, or
a test guards them: other arguments run as before. A call that ends in a RecursionError may succeed with memoization.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import libcst as cst

from rewrite.analysis.effects import is_constant
from rewrite.analysis.evaluation_order import operands
from rewrite.analysis.legality import FunctionLocals
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.passes.purity import is_pure
from rewrite.passes.shortening.function_inlining import is_defined_once, plain_parameters
from rewrite.syntax.tree import walk

MAX_PARAMETERS = 4


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """Functions at module level that call themselves in two or more places."""
    for function in program.functions:
        parameters = _parameters(program, function)
        if parameters and _calls_itself_twice(function) and all(map(function.scope.is_builtin, ("type", "int", "str"))):
            for given in product(("int", "str"), repeat=len(parameters)):
                kinds = dict(zip(parameters, given, strict=True))
                if any(is_pure(function, kinds, result) for result in ("int", "bool", "str")):
                    remembered = _Memoization(program, function, kinds)
                    edits = remembered.edits()
                    if edits:
                        what = f"memoize {function.node.name.value}"
                        yield program.candidate(function.node, what, edits, remembered.types.assumptions())
                    break


def _parameters(program: ParsedProgram, function: FunctionLocals) -> list[str]:
    """The parameters of a function that is defined once, at module level, with plain parameters; else none."""
    node, bindings = function.node, function.scope.bindings
    seen = function.scope.reflection or not program.can_add_names or program.is_kept(node)
    if seen or node.decorators or node.asynchronous or node not in program.module.body:
        return []
    names = plain_parameters(node) or []
    rebound = node.name.value in bindings or any(len(bindings[name]) > 1 for name in names)
    fits = len(names) <= MAX_PARAMETERS and is_defined_once(function, program.scopes.module)
    return names if fits and not rebound else []


def _is_own(function: FunctionLocals, node: cst.CSTNode) -> bool:
    """Whether a node is a recursive call."""
    return (
        isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == function.node.name.value
    )


def _calls_itself_twice(function: FunctionLocals) -> bool:
    return sum(_is_own(function, node) for node in walk(function.node.body)) > 1


class _Memoization:
    """The edits for one function: the dict, the lookup and the stores."""

    def __init__(self, program: ParsedProgram, function: FunctionLocals, kinds: dict[str, str]) -> None:
        self.program, self.function = program, function
        self.store = program.fresh_name(f"known_{function.node.name.value}")
        self.first = next((at for at, line in enumerate(function.node.body.body) if self._calls(line)), None)
        self.types = program.type_evidence(function.scope)
        self.tests = [f"type({name}) is {kind}" for name, kind in kinds.items() if not self._is_shown(name, kind)]
        self.key = ", ".join(kinds)
        self.sought = self.key if len(kinds) == 1 else f"({self.key})"

    def edits(self) -> list[Edit]:
        """All edits; none if a `return` shares a line with another statement."""
        body, first = self.function.node.body.body, self.first
        if first is None or not isinstance(self.function.node.body, cst.IndentedBlock):
            return []
        found = [self._made(), self._asked(body[first])]
        for node in (inner for line in body[first:] for inner in walk(line)):
            small = node.body[-1] if isinstance(node, (cst.SimpleStatementLine, cst.SimpleStatementSuite)) else None
            if not isinstance(small, cst.Return) or small.value is None or is_constant(small.value):
                continue
            if not isinstance(node, cst.SimpleStatementLine) or len(node.body) > 1:
                return []
            found.append(self._filled(node, self.program.printed.source_of(small.value)))
        return found

    def _is_shown(self, name: str, kind: str) -> bool:
        """Whether the calls show the type of a parameter whenever the dict is asked."""
        sure = (one for line in self.function.node.body.body[: (self.first or 0) + 1] for one in _evaluated(line))
        found = next((one for one in sure if isinstance(one, cst.Name) and one.value == name), None)
        return found is not None and self.types.has_type(found, (kind,))

    def _calls(self, line: cst.CSTNode) -> bool:
        return any(_is_own(self.function, node) for node in walk(line))

    def _made(self) -> Edit:
        """Create the dict above the function and its comments."""
        start, newline = self.program.insertion_point(self.function.node), self.program.newline
        return Edit(start, start, f"{self.store} = {{}}{newline * 3}")

    def _asked(self, node: cst.CSTNode) -> Edit:
        assert isinstance(node, cst.BaseStatement)
        indent, step, newline = self.program.indent(node), self.program.module.default_indent, self.program.newline
        start = self.program.line_start(self.program.printed.line_of(node))
        test = " and ".join([*self.tests, f"{self.sought} in {self.store}"])
        return Edit(start, start, f"{indent}if {test}:{newline}{indent}{step}return {self.store}[{self.key}]{newline}")

    def _filled(self, node: cst.SimpleStatementLine, value: str) -> Edit:
        outer = self.program.newline + self.program.indent(node)
        inner = outer + self.program.module.default_indent if self.tests else outer
        put = f"{self.store}[{self.key}] = {value}{inner}return {self.store}[{self.key}]"
        guarded = f"if {' and '.join(self.tests)}:{inner}{put}{outer}return {value}"
        return self.program.replacement(node, node, guarded if self.tests else put)


def _evaluated(line: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """What a statement evaluates in any case, unless it raises."""
    match line:
        case cst.If(test=found) | cst.While(test=found):
            yield from _operands(found)
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression() as found), *_]):
            yield from _operands(found)
        case cst.SimpleStatementLine(body=[cst.Assign(value=found) | cst.AugAssign(value=found), *_]):
            yield from _operands(found)


def _operands(node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    yield node
    for operand in operands(node).expressions:
        yield from _operands(operand)
