"""Finds the expressions that Python evaluates, and wraps each one that an observer needs in a probe.

A probe is a call that returns its first argument. All other instructions (operators, look-ups, calls, `super()`,
private names, `await`) stay in the program's code. Statements are in `analyze.instrumentation.transformer`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from analyze.instrumentation.injection import Placeholder, placeholder
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.positions import SourcePositions, located
from analyze.instrumentation.sites import InstrumentedExpression, InstrumentedSite, Marker, Position

_EVALUATED = Marker.EVALUATED
Results = tuple[int, int] | None


class ExpressionInstrumenter(ast.NodeTransformer):
    """Transforms the expressions of one source in place.

    Attributes:
        expressions: The wrapped expressions; a probe is called with the value and the index.
        sites: The operations that the observer wants.
        probe: The constant that is called as `probe(value, index)`.
        probe_augmented: The constant that is called as `probe_augmented(left, value, index)`.
    """

    def __init__(self, source: str, observer: Observer) -> None:
        self.expressions: list[InstrumentedExpression] = []
        self.sites: list[InstrumentedSite] = []
        self.probe, self.probe_augmented = placeholder(), placeholder()
        self._observer = observer
        self._positions = SourcePositions(source)
        self._scopes = ["module"]  # "class NAME" or "function", innermost last
        self._is_target = False  # while visiting an augmented assignment's target, which is read before the value
        self._operations: dict[type[ast.expr], Callable[[Any, Position | None], Results]] = {
            ast.Call: self._call,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.Compare: self._comparison,
            ast.BoolOp: self._boolean,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.JoinedStr: self._formatted,
        }

    def visit(self, node: ast.AST) -> Any:
        """Visits any node; an expression may be returned inside a probe."""
        return self._expression(node) if isinstance(node, ast.expr) else super().visit(node)

    def _expression(
        self, node: ast.expr, *operand_of: tuple[int, int], method: tuple[str, Position] | None = None
    ) -> ast.expr:
        """Returns the expression, in a probe if its value is wanted: for itself, as an operand or as a result."""
        if isinstance(node, ast.IfExp) and operand_of and not self._observer.values:
            # Each branch gets its own probe, because the branches may end on different lines.
            node.test = self.visit(node.test)
            node.body, node.orelse = (self._expression(branch, *operand_of) for branch in (node.body, node.orelse))
            return node
        place = self._positions.of(node)
        is_value = self._observer.values and place is not None and (_is_value(node) or method is not None)
        evaluate = self._operations.get(type(node))
        results = evaluate(node, place) if evaluate else None
        if evaluate is None:
            super().visit(node)
        if not (is_value or results or operand_of):
            return node
        expression = InstrumentedExpression(place, is_value, method if is_value else None, results, operand_of)
        return self._probed(self.probe, expression, node, node)

    def _probed(
        self, probe: Placeholder, expression: InstrumentedExpression, node: ast.expr, *values: ast.expr
    ) -> ast.expr:
        """Returns a call of a probe with the values, at the position of `node`."""
        self.expressions.append(expression)
        number = ast.Constant(len(self.expressions) - 1)
        return located(ast.Call(ast.Constant(probe), [*values, number], []), node)  # type: ignore[arg-type]

    def _operand(
        self, node: ast.expr, site: int | None, index: int, method: tuple[str, Position] | None = None
    ) -> ast.expr:
        if site is None or self.sites[site].operands[index] is not _EVALUATED:
            return self._expression(node, method=method)
        return self._expression(node, (site, index), method=method)

    def _call(self, node: Any, place: Position | None) -> Results:
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        passed = ["*" if isinstance(held, ast.Starred) else "" for held in node.args]
        passed += ["**" if keyword.arg is None else keyword.arg for keyword in node.keywords]
        function, is_method = node.func, isinstance(node.func, ast.Attribute)
        called = function.value if is_method else function
        kind = "method" if is_method else "call"
        name = self._mangled(function.attr) if is_method else function.id if isinstance(function, ast.Name) else ""
        operands = [_given(called), *map(_given, arguments)]
        method = self._looked_up(function) if is_method else None
        with self._site(kind, name, place, operands, ("", *passed)) as site:
            if is_method:
                function.value = self._operand(called, site, 0, method)
            elif site is not None or not isinstance(called, ast.Name):  # a plain name needs no probe
                node.func = self._operand(called, site, 0)
            for index, argument in enumerate(node.args, 1):
                if isinstance(argument, ast.Starred):
                    argument.value = self._operand(argument.value, site, index)
                else:
                    node.args[index - 1] = self._operand(argument, site, index)
            for index, keyword in enumerate(node.keywords, 1 + len(node.args)):
                keyword.value = self._operand(keyword.value, site, index)
        return _one(site)

    def _looked_up(self, function: ast.Attribute) -> tuple[str, Position] | None:
        """Returns the name and position of a method whose look-up is observed; None if the name is mangled."""
        place = self._positions.of(function)
        return None if place is None or _is_private(function.attr) else (function.attr, place)

    def _binary(self, node: Any, place: Position | None) -> Results:
        operands = [_given(node.left), _given(node.right)]
        with self._site("operator", type(node.op).__name__, place, operands) as site:
            node.left = self._operand(node.left, site, 0)
            node.right = self._operand(node.right, site, 1)
        return _one(site)

    def _unary(self, node: Any, place: Position | None) -> Results:
        """Handles unary operators; a sign before a number is part of the number."""
        if isinstance(node.operand, ast.Constant):
            return None
        with self._site("operator", type(node.op).__name__, place, [_EVALUATED]) as site:
            node.operand = self._operand(node.operand, site, 0)
        return _one(site)

    def _comparison(self, node: Any, place: Position | None) -> Results:
        """Handles each link of a chain as an operation; an operand between two links is evaluated once."""
        parts, is_chained = [node.left, *node.comparators], len(node.ops) > 1
        given = _begun([_EVALUATED if is_chained else _given(part) for part in parts])
        names = [type(operator).__name__ for operator in node.ops]
        if not all(self._observer.wants("operator", name, is_chained) for name in names):
            node.left, *node.comparators = (self.visit(part) for part in parts)
            return None
        first, end = len(self.sites), len(self.sites) + len(names)
        for link, name in enumerate(names):
            self._open(InstrumentedSite("operator", name, place, given[link : link + 2]))
        visited = []
        for index, part in enumerate(parts):
            links = [(first + index - 1, 1)] * (index > 0) + [(first + index, 0)] * (index < len(names))
            visited.append(self._expression(part, *(links if given[index] is _EVALUATED else ())))
        node.left, *node.comparators = visited
        for link in range(first, end):
            self._close(link)
        return first, end

    def _boolean(self, node: Any, place: Position | None) -> Results:
        with self._site("boolean", type(node.op).__name__, place, [_EVALUATED] * len(node.values)) as site:
            node.values = [self._operand(value, site, index) for index, value in enumerate(node.values)]
        return _one(site)

    def _attribute(self, node: Any, place: Position | None) -> Results:
        is_read = self._takes(node)
        if is_read is None:
            node.value = self.visit(node.value)
            return None
        with self._site("attribute", self._mangled(node.attr), place, [_given(node.value)], is_seen=is_read) as site:
            node.value = self._operand(node.value, site, 0)
        return _one(site) if is_read else None

    def _takes(self, node: Any) -> bool | None:
        """Returns whether the value of a look-up is seen.

        False for the target of an augmented assignment, None for a store.
        """
        is_target, self._is_target = self._is_target, False
        return True if isinstance(node.ctx, ast.Load) else False if is_target else None

    def _subscript(self, node: Any, place: Position | None) -> Results:
        """Handles reads; stores and deletions are not operations, but the expressions inside them are visited."""
        index = node.slice
        is_slice, is_table = isinstance(index, ast.Slice), isinstance(index, ast.Tuple) and not _is_value(index)
        parts = [index.lower, index.upper, index.step] if is_slice else [index]
        operands = [_given(node.value), *(None if part is None else _given(part) for part in parts)]
        if is_table:
            operands[1] = Marker.UNSEEN
        is_read = self._takes(node)
        if is_read is None:
            self.generic_visit(node)
            return None
        with self._site("slice" if is_slice else "item", "", place, operands, is_seen=is_read) as site:
            node.value = self._operand(node.value, site, 0)
            if is_slice:
                index.lower, index.upper, index.step = (
                    part and self._operand(part, site, number) for number, part in enumerate(parts, 1)
                )
            else:
                node.slice = self._operand(index, site, 1)
        return _one(site) if is_read else None

    def _formatted(self, node: Any, place: Position | None) -> Results:
        """Handles the values of the fields, and of the fields in their format specifications."""
        fields = list(_fields(node))
        if not fields:
            return None  # a constant
        before, self._positions.text = self._positions.text, self._positions.text or node
        with self._site("format", "", place, [_given(field.value) for field in fields]) as site:
            for index, field in enumerate(fields):
                field.value = self._operand(field.value, site, index)
        self._positions.text = before
        return _one(site)

    # Sites.

    @contextmanager
    def _site(
        self,
        kind: str,
        name: str,
        place: Position | None,
        operands: Sequence[object],
        passed: Sequence[str] = (),
        *,
        is_seen: bool = True,
    ) -> Iterator[int | None]:
        """Yields the number of a site around what is visited meanwhile; None if the observer does not want it."""
        if not self._observer.wants(kind, name, False):
            yield None
            return
        number = self._open(InstrumentedSite(kind, name, place, _begun(operands), tuple(passed), is_seen=is_seen))
        yield number
        self._close(number)

    def _open(self, site: InstrumentedSite) -> int:
        self.sites.append(site)
        return len(self.sites) - 1

    def _close(self, number: int) -> None:
        self.sites[number] = replace(self.sites[number], last=len(self.sites) - 1)

    def _mangled(self, name: str) -> str:
        """Returns a private name as the enclosing class mangles it."""
        classes = [scope.removeprefix("class ").lstrip("_") for scope in self._scopes if scope.startswith("class ")]
        return f"_{classes[-1]}{name}" if classes and classes[-1] and _is_private(name) else name


def _fields(node: ast.JoinedStr) -> Iterator[ast.FormattedValue]:
    """Yields the fields of an f-string in the order of evaluation."""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            yield part
            if isinstance(part.format_spec, ast.JoinedStr):
                yield from _fields(part.format_spec)


def _one(site: int | None) -> Results:
    return None if site is None else (site, site + 1)


def _given(node: ast.expr) -> object:
    """Returns the value of a constant; EVALUATED for all other expressions."""
    return node.value if isinstance(node, ast.Constant) else _EVALUATED


def _begun(operands: Sequence[object]) -> tuple[object, ...]:
    """Ensures that at least one operand has a probe, so that an operation that raises is known to have begun."""
    return tuple(operands) if _EVALUATED in operands else (_EVALUATED, *operands[1:])


def _is_private(name: str) -> bool:
    return name.startswith("__") and not name.endswith("__")


def _is_value(node: ast.expr) -> bool:
    """Whether an expression evaluates, at its position, to an object of its own."""
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.FormattedValue | ast.Starred | ast.Slice):
        return False
    if isinstance(node, ast.Tuple) and any(isinstance(part, ast.Slice) for part in node.elts):
        return False
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
