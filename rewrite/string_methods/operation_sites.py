"""Sites of string operations in a program: a method call, a call of a builtin, a membership test, or a slice.

A site has operands in evaluation order and their binding to the parameters of a reference implementation. It can
rebuild the operation with atoms as operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import libcst as cst

from analyze.operations.catalogue import find
from rewrite.string_methods.reference import BUILTIN_FUNCTIONS, ReferenceImplementation
from rewrite.syntax import build
from rewrite.syntax.tree import code, substitute

_SLICES = ("slice", "part")
_BINARY_DIGITS = "bin digits"
_MEMBERSHIP = {cst.In: "in", cst.NotIn: "not in"}
Nodes = Sequence[cst.BaseExpression]
MAX_SHOWN = 40
"""Characters of an operation that a reason shows."""


@dataclass(frozen=True)
class OperationSite:
    """A string operation that a reference implementation can replace.

    Attributes:
        node: The operation.
        parts: Its operands in evaluation order, without last arguments that are defaults.
        bound: For each parameter, the index of an operand or the source of a literal.
    """

    node: cst.BaseExpression
    parts: tuple[cst.BaseExpression, ...]
    bound: Mapping[str, int | str]

    @property
    def receiver(self) -> int:
        """The index of the operand that is the string operated on."""
        return next(place for place in self.bound.values() if isinstance(place, int))

    def part(self, parameter: str) -> cst.BaseExpression:
        """The operand that is bound to a parameter."""
        place = self.bound[parameter]
        return self.parts[place] if isinstance(place, int) else _default(place)

    def again(self, atoms: Nodes, method: cst.BaseExpression | None = None) -> cst.BaseExpression:
        """The operation on atoms; `method` is the bound method if it was looked up before."""
        node = self.node
        if isinstance(node, cst.Call):
            assert isinstance(node.func, cst.Attribute)
            callee = method or cst.Attribute(build.clone(atoms[0]), node.func.attr)
            return cst.Call(build.clone(callee), _arguments(node, atoms[1:]))
        if isinstance(node, cst.Comparison):
            same = cst.ComparisonTarget(node.comparisons[0].operator, build.clone(atoms[1]))
            return cst.Comparison(build.clone(atoms[0]), [same])
        assert isinstance(node, cst.Subscript)
        new = {id(old): atom for old, atom in zip(self.parts, atoms, strict=True)}
        return _sliced(node, new)

    def on_str(self, atoms: Nodes) -> cst.BaseExpression:
        """The operation on atoms with the method called as `str.method(…)`, which no intervention matches again."""
        if not isinstance(self.node, cst.Call):
            return self.again(atoms)
        assert isinstance(self.node.func, cst.Attribute)
        callee = cst.Attribute(cst.Name("str"), self.node.func.attr)
        return cst.Call(callee, [cst.Arg(build.clone(atoms[0])), *_arguments(self.node, atoms[1:])])


@cache
def _default(text: str) -> cst.BaseExpression:
    """The default of a parameter, a literal. It is looked at and never written, so that one node may stand for all."""
    return cst.parse_expression(text)


def may_match_site(kind: type[cst.CSTNode], method: str, reference: ReferenceImplementation) -> bool:
    """Whether a node of this type, or a call of this method, may match a reference implementation."""
    if reference.method in _MEMBERSHIP.values():
        return kind is cst.Comparison
    if reference.method in (*_SLICES, _BINARY_DIGITS):
        return kind is cst.Subscript
    return kind is cst.Call and method == ("" if reference.method in BUILTIN_FUNCTIONS else reference.method)


def match_site(node: cst.BaseExpression, reference: ReferenceImplementation) -> OperationSite | None:
    """Match a node against a reference implementation; None if it does not match."""
    if isinstance(node, cst.Call):
        return (_builtin if reference.method in BUILTIN_FUNCTIONS else _call)(node, reference)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        return _membership(node, node.comparisons[0], reference)
    if isinstance(node, cst.Subscript) and reference.method in _SLICES and len(node.slice) == 1:
        return _slice(node, node.slice[0].slice, reference)
    if reference.method == _BINARY_DIGITS:
        return _digits(node, reference)
    return None


def _call(node: cst.Call, reference: ReferenceImplementation) -> OperationSite | None:
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != reference.method:
        return None
    if any(argument.star for argument in node.args):
        return None
    given = _without_defaults(node.args, reference.method)
    named = [argument.keyword.value for argument in given if argument.keyword is not None]
    bound = reference.bind(1 + len(given) - len(named), tuple(named))
    return None if bound is None else OperationSite(node, (node.func.value, *(one.value for one in given)), bound)


def _without_defaults(arguments: Sequence[cst.Arg], method: str) -> Sequence[cst.Arg]:
    """The arguments without the last ones that are what the method of `str` has by default: the 0 of `find(sub, 0)`."""
    known = find(method, "str")
    parameters = known.parameters if known else ()
    while arguments and arguments[-1].keyword is None and len(arguments) <= len(parameters):
        if code(arguments[-1].value) != parameters[len(arguments) - 1].default:
            break
        arguments = arguments[:-1]
    return arguments


def operation_text(node: cst.BaseExpression) -> str:
    """An operation for a reason: on one line, a method without its receiver, cut where it is long.

    >>> [operation_text(cst.parse_expression(text)) for text in ("a.strip().split(',')", "(a[::-1])", "str.upper")]
    [".split(',')", 'a[::-1]', '.upper']
    """
    match node:
        case cst.Call(func=cst.Attribute(attr=name)):
            text = f".{code(node.with_changes(func=name, lpar=(), rpar=()))}"
        case cst.Attribute(attr=name):
            text = f".{name.value}"
        case _:
            text = code(node.with_changes(lpar=(), rpar=()))
    shown = " ".join(text.split())
    return shown if len(shown) <= MAX_SHOWN else f"{shown[:MAX_SHOWN]}…"


def replace_operands(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The string, the pattern and the replacement of `text.replace(old, new)`; empty for any other expression."""
    match node:
        case cst.Call(
            func=cst.Attribute(value=text, attr=cst.Name("replace")),
            args=[cst.Arg(value=old, keyword=None, star=""), cst.Arg(value=new, keyword=None, star="")],
        ):
            return [text, old, new]
    return []


def _builtin(node: cst.Call, reference: ReferenceImplementation) -> OperationSite | None:
    match node:
        case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=text, keyword=None, star="")]):
            return (
                OperationSite(node, (text,), {next(iter(reference.requirements)): 0})
                if name == reference.method
                else None
            )
    return None


def _membership(
    node: cst.Comparison, target: cst.ComparisonTarget, reference: ReferenceImplementation
) -> OperationSite | None:
    if _MEMBERSHIP.get(type(target.operator)) != reference.method:
        return None
    text, member = reference.requirements
    return OperationSite(node, (node.left, target.comparator), {text: 1, member: 0})


def _slice(node: cst.Subscript, inner: cst.BaseSlice, reference: ReferenceImplementation) -> OperationSite | None:
    if not isinstance(inner, cst.Slice):
        return None
    plain = inner.step is None or code(inner.step) in ("None", "1")
    if plain != (reference.method == "part") or (plain and inner.step is not None):
        return None
    given = (inner.lower, inner.upper) if plain else (inner.lower, inner.upper, inner.step)
    parts = [node.value, *(part for part in given if part is not None)]
    text, *bounds = reference.requirements
    numbers = {id(part): number for number, part in enumerate(parts)}
    places = [numbers[id(part)] if part is not None else "None" for part in given]
    return OperationSite(node, tuple(parts), {text: 0, **dict(zip(bounds, places, strict=True))})


def _digits(node: cst.BaseExpression, reference: ReferenceImplementation) -> OperationSite | None:
    match node:
        case cst.Subscript(
            value=cst.Call(func=cst.Name("bin"), args=[cst.Arg(value=number, keyword=None, star="")]),
            slice=[cst.SubscriptElement(slice=cst.Slice(lower=cst.Integer("2"), upper=None, step=None))],
        ):
            return OperationSite(node, (number,), {next(iter(reference.requirements)): 0})
    return None


def _arguments(node: cst.Call, atoms: Nodes) -> list[cst.Arg]:
    """The arguments of a call as atoms; literals that are no operands stay."""
    values = [*atoms, *(one.value for one in node.args[len(atoms) :])]
    return [
        old.with_changes(value=build.clone(value), comma=cst.MaybeSentinel.DEFAULT)
        for old, value in zip(node.args, values, strict=True)
    ]


def _sliced(node: cst.Subscript, new: Mapping[int, cst.BaseExpression]) -> cst.BaseExpression:
    return substitute(node, {key: build.clone(value) for key, value in new.items()})
