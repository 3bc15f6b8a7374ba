"""Where a string operation stands in a program: a call of a method, a membership, a slice with a step.

A site knows its parts in the order in which Python evaluates them, which parameter of a reference implementation each
one is bound to, and how to write the operation again with atoms in the place of its parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from rewrite.string_methods.reference import Reference
from rewrite.syntax import build
from rewrite.syntax.tree import code, substitute

_MEMBERSHIP = {cst.In: "in", cst.NotIn: "not in"}
Nodes = Sequence[cst.BaseExpression]


@dataclass(frozen=True)
class Site:
    """`parts` in the order of evaluation; `bound`: for each parameter, the number of a part, or a literal as source."""

    node: cst.BaseExpression
    parts: tuple[cst.BaseExpression, ...]
    bound: Mapping[str, int | str]

    @property
    def receiver(self) -> int:
        """Which part is the text that is worked on."""
        return next(place for place in self.bound.values() if isinstance(place, int))

    def part(self, parameter: str) -> cst.BaseExpression:
        """The expression that a parameter is bound to."""
        place = self.bound[parameter]
        return self.parts[place] if isinstance(place, int) else cst.parse_expression(place)

    def again(self, atoms: Nodes, method: cst.BaseExpression | None = None) -> cst.BaseExpression:
        """The same operation on atoms; `method`: the bound one, where that has been looked up before."""
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
        """The same, a method called on `str` itself: no other rewrite will take it for something to spell out."""
        if not isinstance(self.node, cst.Call):
            return self.again(atoms)
        assert isinstance(self.node.func, cst.Attribute)
        callee = cst.Attribute(cst.Name("str"), self.node.func.attr)
        return cst.Call(callee, [cst.Arg(build.clone(atoms[0])), *_arguments(self.node, atoms[1:])])


def may_be_site(kind: type[cst.CSTNode], method: str, reference: Reference) -> bool:
    """Whether any node of a kind (of calls, those of this method) may be a site for a reference implementation."""
    if reference.method in _MEMBERSHIP.values():
        return kind is cst.Comparison
    return kind is cst.Subscript if reference.method == "slice" else kind is cst.Call and method == reference.method


def site_of(node: cst.BaseExpression, reference: Reference) -> Site | None:
    """The site that a node is for a reference implementation; None where it is no such operation, or does not fit."""
    if isinstance(node, cst.Call):
        return _call(node, reference)
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        return _membership(node, node.comparisons[0], reference)
    if isinstance(node, cst.Subscript) and reference.method == "slice" and len(node.slice) == 1:
        return _slice(node, node.slice[0].slice, reference)
    return None


def _call(node: cst.Call, reference: Reference) -> Site | None:
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != reference.method:
        return None
    if any(argument.star for argument in node.args):
        return None
    named = [argument.keyword.value for argument in node.args if argument.keyword is not None]
    bound = reference.bind(1 + len(node.args) - len(named), named)
    return None if bound is None else Site(node, (node.func.value, *(a.value for a in node.args)), bound)


def _membership(node: cst.Comparison, target: cst.ComparisonTarget, reference: Reference) -> Site | None:
    if _MEMBERSHIP.get(type(target.operator)) != reference.method:
        return None
    text, member = reference.wanted
    return Site(node, (node.left, target.comparator), {text: 1, member: 0})


def _slice(node: cst.Subscript, inner: cst.BaseSlice, reference: Reference) -> Site | None:
    if not isinstance(inner, cst.Slice) or inner.step is None or code(inner.step) in ("None", "1"):
        return None
    given = (inner.lower, inner.upper, inner.step)
    parts = [node.value, *(part for part in given if part is not None)]
    text, *bounds = reference.wanted
    numbers = {id(part): number for number, part in enumerate(parts)}
    places = [numbers[id(part)] if part is not None else "None" for part in given]
    return Site(node, tuple(parts), {text: 0, **dict(zip(bounds, places, strict=True))})


def _arguments(node: cst.Call, atoms: Nodes) -> list[cst.Arg]:
    return [
        old.with_changes(value=build.clone(atom), comma=cst.MaybeSentinel.DEFAULT)
        for old, atom in zip(node.args, atoms, strict=True)
    ]


def _sliced(node: cst.Subscript, new: Mapping[int, cst.BaseExpression]) -> cst.BaseExpression:
    return substitute(node, {key: build.clone(value) for key, value in new.items()})
