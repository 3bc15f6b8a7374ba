"""When Python evaluates each part of an expression, and in which order: one table, `ORDER`.

*Operands* are the parts that are always evaluated, once, before the operation itself, in the scope of the expression.
Other parts are evaluated conditionally (the right side of `and`, the branches of a conditional expression), once per
item (of a comprehension), or later (the body of a lambda). The fields of an f-string are formatted in between. Source:
the Python language reference, "Evaluation order", and CPython's compiler where the reference is silent.

Not in scope: what may be moved (`rewrite.analysis.effects`), and what statements evaluate
(`rewrite.anf.simple_statements`, `rewrite.anf.compound_statements`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import libcst as cst

from rewrite.syntax.tree import children, is_expression


@dataclass(frozen=True)
class Operands:
    """The operands of an expression.

    From operand number `splittable` on, something has already happened that cannot be a step of its own: a key has been
    hashed, or `**rest` merged. Steps may only come before that operand.

    Attributes:
        expressions: the operands in evaluation order.
        splittable: the number of operands that may be followed by other steps.
        reason: why the others may not.
        iterated: the ids of operands that are unpacked (`*rest`) before the next one is evaluated.
    """

    expressions: tuple[cst.BaseExpression, ...]
    splittable: int
    reason: str = ""
    iterated: frozenset[int] = frozenset()


def _no_parts(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    return ()


class EvaluationRule(NamedTuple):
    """The evaluation order of a kind of expression.

    Attributes:
        operands: finds the operands.
        non_operands: finds the other parts, in order.
    """

    operands: Callable[[Any], Operands]
    non_operands: Callable[[Any], tuple[cst.BaseExpression, ...]] = _no_parts


NO_OPERANDS = Operands((), 0)
_BIG = 15  # above this many items CPython builds a dict or set incrementally and hashes in between


def operands(node: cst.CSTNode) -> Operands:
    """Return the operands of an expression or of a part of a statement; none for atoms."""
    row = ORDER.get(type(node))
    return NO_OPERANDS if row is None else row.operands(node)


def non_operands(node: cst.CSTNode) -> tuple[cst.BaseExpression, ...]:
    """Return the parts of an expression that are not operands."""
    row = ORDER.get(type(node))
    return () if row is None else row.non_operands(node)


def _all(*expressions: cst.BaseExpression | None) -> Operands:
    found = tuple(e for e in expressions if e is not None)
    return Operands(found, len(found))


def _call(node: cst.Call) -> Operands:
    # The method is bound before the arguments are evaluated; positional and *arguments come before keywords.
    callee = node.func.value if isinstance(node.func, cst.Attribute) else node.func
    positional = [a for a in node.args if a.star != "**" and a.keyword is None]
    named = [a for a in node.args if a.star == "**" or a.keyword is not None]
    ordered = [*positional, *named]
    expressions = (callee, *(a.value for a in ordered))
    merged = next((i for i, a in enumerate(ordered) if a.star == "**"), len(ordered))
    # A single `*rest` is only unpacked when the call is made.
    starred = [id(a.value) for a in positional if a.star] if len(positional) > 1 else []
    return Operands(expressions, min(merged + 2, len(expressions)), "after a ** argument", frozenset(starred))


def _subscript(node: cst.Subscript) -> Operands:
    parts: list[cst.BaseExpression] = [node.value]
    for item in node.slice:
        if isinstance(item.slice, cst.Index):
            parts.append(item.slice.value)
            if item.slice.star:
                return Operands(tuple(parts), len(parts), "after a starred index")
        elif isinstance(item.slice, cst.Slice):
            parts.extend(p for p in (item.slice.lower, item.slice.upper, item.slice.step) if p is not None)
    return _all(*parts)


def _display(node: cst.Tuple | cst.List | cst.Set) -> Operands:
    expressions = tuple(element.value for element in node.elements)
    stars = [i for i, element in enumerate(node.elements) if isinstance(element, cst.StarredElement)]
    if isinstance(node, cst.Set):
        if len(expressions) > _BIG:
            return Operands(expressions, 1, "in a large set, which hashes incrementally")
        if stars and not all(map(_has_pure_hash, expressions[: stars[0]])):
            reason = "a starred item of a set is evaluated after the hashes of the items before it"
            return Operands(expressions, stars[0], reason)
        return Operands(expressions, stars[0] + 1 if stars else len(expressions), "after a starred item of a set")
    return Operands(expressions, len(expressions), iterated=frozenset(id(expressions[i]) for i in stars))


def _dict(node: cst.Dict) -> Operands:
    parts: list[cst.BaseExpression] = []
    keys: list[cst.BaseExpression] = []
    merged: tuple[int, str] | None = None
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            parts += [element.key, element.value]
            keys.append(element.key)
        elif isinstance(element, cst.StarredDictElement):
            quiet = all(map(_has_pure_hash, keys))
            reason = "after a ** item" if quiet else "a ** item is evaluated after the hashes of the keys before it"
            merged = merged or (len(parts) + quiet, reason)
            parts.append(element.value)
    if len(node.elements) > _BIG and not all(map(_has_pure_hash, keys)):
        return Operands(tuple(parts), 1, "in a large dict, which hashes incrementally")
    return Operands(tuple(parts), *(merged or (len(parts), "")))


def _has_pure_hash(key: cst.CSTNode) -> bool:
    """Whether hashing a key and comparing it with other such keys runs no foreign code and cannot fail."""
    if isinstance(key, cst.Tuple):
        return all(isinstance(e, cst.Element) and _has_pure_hash(e.value) for e in key.elements)
    if isinstance(key, cst.UnaryOperation):
        return isinstance(key.expression, (cst.Integer, cst.Float))
    if isinstance(key, cst.ConcatenatedString):
        return _has_pure_hash(key.left) and _has_pure_hash(key.right)
    name = isinstance(key, cst.Name) and key.value in ("None", "True", "False")
    return name or isinstance(key, (cst.SimpleString, cst.Integer, cst.Float, cst.Imaginary, cst.Ellipsis))


def fields_of(
    parts: Sequence[cst.BaseFormattedStringContent],
) -> Iterator[cst.FormattedStringExpression]:
    """The replacement fields of an f-string, those in format specifications excluded."""
    return (part for part in parts if isinstance(part, cst.FormattedStringExpression))


def expressions_of(field: cst.FormattedStringExpression) -> list[cst.BaseExpression]:
    """What a replacement field evaluates: its value, then the fields of its format specification."""
    return [field.expression, *(inner.expression for inner in fields_of(field.format_spec or ()))]


def _fields(node: cst.BaseExpression) -> tuple[cst.BaseExpression, ...]:
    """The expressions in the fields of an f-string, or of adjacent strings."""
    if isinstance(node, cst.ConcatenatedString):
        return (*_fields(node.left), *_fields(node.right))
    found = fields_of(node.parts) if isinstance(node, cst.FormattedString) else ()
    return tuple(expression for field in found for expression in expressions_of(field))


def flatten_boolean(node: cst.BooleanOperation) -> list[cst.BaseExpression]:
    """Return the operands of `a and b and c`, which Python nests to the left."""
    left = node.left
    same = isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator)
    return [*(flatten_boolean(left) if same else [left]), node.right]  # type: ignore[arg-type]


def _first(node: cst.BooleanOperation) -> Operands:
    # The very first operand, through nested and/or: the others may never be evaluated.
    return _first(node.left) if isinstance(node.left, cst.BooleanOperation) else _all(node.left)


def defaults(parameters: cst.Parameters) -> Operands:
    """Return the default values of parameters: positional parameters first, then keyword-only ones."""
    every = (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params)
    return _all(*(parameter.default for parameter in every))


def clauses(node: cst.BaseComp) -> list[cst.CompFor]:
    """Return the `for` clauses of a comprehension, outermost first."""
    found: list[cst.CompFor] = []
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        found.append(clause)
        clause = clause.inner_for_in
    return found


def elements(node: cst.BaseComp) -> list[cst.BaseExpression]:
    """Return what a comprehension evaluates for each item: the element, or key and value."""
    return [node.key, node.value] if isinstance(node, cst.DictComp) else [node.elt]  # type: ignore[attr-defined]


def _inside(node: cst.BaseComp) -> tuple[cst.BaseExpression, ...]:
    """The parts that are evaluated per item."""
    first, *inner = clauses(node)
    found = [condition.test for condition in first.ifs]
    for clause in inner:
        found += [clause.iter, *(condition.test for condition in clause.ifs)]
    return (*found, *elements(node))


def _yield(node: cst.Yield) -> Operands:
    return _all(node.value.item if isinstance(node.value, cst.From) else node.value)


def _await(node: cst.Await) -> Operands:
    # The coroutine is awaited where it is created, so it is not an operand.
    return operands(node.expression) if isinstance(node.expression, cst.Call) else _all(node.expression)


def type_test(node: cst.CSTNode) -> tuple[str, str] | None:
    """Return the names `x` and `T` of a type test `type(x) is T`, or None. The test counts as one operation."""
    if type(node) is not cst.Comparison or len(node.comparisons) != 1:
        return None
    left, (target,) = node.left, node.comparisons
    if not isinstance(left, cst.Call) or len(left.args) != 1 or not isinstance(target.operator, cst.Is):
        return None
    tested, wanted = left.args[0].value, target.comparator
    if not (isinstance(left.func, cst.Name) and isinstance(tested, cst.Name) and isinstance(wanted, cst.Name)):
        return None
    return (tested.value, wanted.value) if left.func.value == "type" else None


def operations(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """Yield the expressions in a node, itself included, that compute a value of their own.

    Nodes that only carry others (`parts`) and annotations are left out.
    """
    if type(node) is cst.Annotation:
        return
    if is_expression(type(node)):
        yield node  # type: ignore[misc]
    for part in parts(node):
        yield from operations(part)


def parts(node: cst.CSTNode) -> Sequence[cst.CSTNode]:
    """Return the child nodes; a node that only carries other expressions is replaced by those.

    Such nodes are the `a.b` of `a.b(c)`, the call of `await a(b)`, the `a and b` of `a and b and c`, adjacent strings,
    and names of keywords and attributes.
    """
    return _PARTS.get(type(node), children)(node)


def _called(node: cst.Call) -> Sequence[cst.CSTNode]:
    return (node.func.value, *node.args) if isinstance(node.func, cst.Attribute) else (node.func, *node.args)


def _awaited(node: cst.Await) -> Sequence[cst.CSTNode]:
    return parts(node.expression) if isinstance(node.expression, cst.Call) else (node.expression,)


def _joined(node: cst.BooleanOperation) -> Sequence[cst.CSTNode]:
    left = node.left
    same = isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator)
    return (*(parts(left) if same else (left,)), node.right)


_PARTS: dict[type[cst.CSTNode], Callable[[Any], Sequence[cst.CSTNode]]] = {
    cst.Arg: lambda node: (node.value,),
    cst.Attribute: lambda node: (node.value,),
    cst.Await: _awaited,
    cst.BooleanOperation: _joined,
    cst.Call: _called,
    cst.ConcatenatedString: _fields,
    cst.FormattedString: _fields,
}


_COMPREHENSION = EvaluationRule(lambda node: _all(node.for_in.iter), _inside)
_STRING = EvaluationRule(lambda node: NO_OPERANDS, _fields)
# The evaluation rule of each kind of expression.
ORDER: dict[type[cst.CSTNode], EvaluationRule] = {
    cst.Attribute: EvaluationRule(lambda node: _all(node.value)),
    cst.Await: EvaluationRule(_await),
    cst.BinaryOperation: EvaluationRule(lambda node: _all(node.left, node.right)),
    cst.BooleanOperation: EvaluationRule(_first, lambda node: tuple(flatten_boolean(node)[1:])),
    cst.Call: EvaluationRule(_call),
    cst.Comparison: EvaluationRule(
        lambda node: _all(node.left, node.comparisons[0].comparator),
        lambda node: tuple(target.comparator for target in node.comparisons[1:]),
    ),
    cst.ConcatenatedString: _STRING,
    cst.Dict: EvaluationRule(_dict),
    cst.DictComp: _COMPREHENSION,
    cst.FormattedString: _STRING,
    cst.GeneratorExp: _COMPREHENSION,
    cst.IfExp: EvaluationRule(lambda node: _all(node.test), lambda node: (node.body, node.orelse)),
    cst.Lambda: EvaluationRule(lambda node: defaults(node.params), lambda node: (node.body,)),
    cst.List: EvaluationRule(_display),
    cst.ListComp: _COMPREHENSION,
    cst.NamedExpr: EvaluationRule(lambda node: _all(node.value)),
    cst.Set: EvaluationRule(_display),
    cst.SetComp: _COMPREHENSION,
    cst.Subscript: EvaluationRule(_subscript),
    cst.Tuple: EvaluationRule(_display),
    cst.UnaryOperation: EvaluationRule(lambda node: _all(node.expression)),
    cst.Yield: EvaluationRule(_yield),
}
