"""Lower f-strings: for each replacement field its value, then its format specification, then `__format__`.

Steps for a later field must come after the earlier fields have been formatted. The text up to there becomes an f-string
of its own, and the rest continues from its value: `f"{a()} is {b()}"` becomes

    _t0 = a()
    _t1 = f"{_t0} is "
    _t2 = b()
    f"{_t1}{_t2}"

The value of such a prefix must be exactly a `str`, which formats as itself. That is certain if it holds more than one
field without text, since `__format__` may return an instance of a subclass. Otherwise the later fields are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import libcst as cst

from rewrite.analysis.evaluation_order import expressions_of, fields_of
from rewrite.analysis.exact_types import is_str
from rewrite.anf.lowering import Lowering, register
from rewrite.anf.lowering_plan import Answer, HiddenValue, LoweringPlan
from rewrite.syntax.tree import code

LATER = "after a formatted field of an f-string"
OWN_SOURCE = "in an f-string that prints its own source (=)"
COMMENTED = "in an f-string with comments between its lines"


class FStringPart(NamedTuple):
    """A string, or a literal text or replacement field of the f-string `owner`."""

    node: Any
    owner: cst.FormattedString | None

    @property
    def is_field(self) -> bool:
        """Whether the part is a replacement field."""
        return isinstance(self.node, cst.FormattedStringExpression)


class FieldPlan(NamedTuple):
    """How one field is lowered.

    Attributes:
        ends: whether the prefix ends before it.
        value: whether its value needs steps.
        specification: whether its format specification needs steps.
        kept: the values that stay hidden.
    """

    ends: bool = False
    value: bool = False
    specification: bool = False
    kept: tuple[HiddenValue, ...] = ()


def becomes_statements(node: cst.BaseExpression, plan: LoweringPlan) -> Answer:
    """Whether a field of the f-string (or of adjacent strings) needs steps, and which cannot have them."""
    choices = _choices(node, plan)
    work = any(choice.value or choice.specification for choice in choices)
    return Answer(work, tuple(kept for choice in choices for kept in choice.kept))


def expand(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """Write the steps.

    Returns:
        The remaining f-string of atoms.
    """
    beginning: list[FStringPart] = []
    for part, choice in zip(list(_parts(node)), _choices(node, steps), strict=True):
        field: Any = part.node
        if choice.ends:
            name = steps.materialize(_joined(beginning, node))
            beginning = [FStringPart(cst.FormattedStringExpression(name), None)]
        if choice.value:
            field = field.with_changes(expression=steps.lower_operand(field.expression))
        if choice.specification:
            inner = next(fields_of(field.format_spec))
            kept = steps.stabilize(field.expression, [inner.expression])
            new = inner.with_changes(expression=steps.lower_operand(inner.expression))
            specification = [new if one is inner else one for one in field.format_spec]
            field = field.with_changes(expression=kept, format_spec=specification)
        beginning.append(FStringPart(field, part.owner))
    remains: cst.BaseExpression = _joined(beginning, node)
    return remains


def _parts(node: cst.BaseExpression) -> Iterator[FStringPart]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _parts(node.left)
        yield from _parts(node.right)
    elif isinstance(node, cst.FormattedString):
        yield from (FStringPart(part, node) for part in node.parts)
    else:
        yield FStringPart(node, None)


def _choices(node: cst.BaseExpression, plan: LoweringPlan) -> list[FieldPlan]:
    parts = list(_parts(node))
    fields = [part.node for part in parts if part.is_field]
    reason = OWN_SOURCE if any(field.equal is not None for field in fields) else COMMENTED if _commented(node) else ""
    if reason:
        return [
            FieldPlan(kept=plan.all_hidden_values(expressions_of(part.node), reason) if part.is_field else ())
            for part in parts
        ]
    choices: list[FieldPlan] = []
    size, formatted, exact = (
        0,
        False,
        False,
    )  # of the prefix: parts, has a field, is exactly a str
    for part in parts:
        choice = FieldPlan()
        if part.is_field:
            choice = _choice(part.node, formatted, exact, plan)
            size = 1 if choice.ends else size
            exact = size > 0 or (not part.node.format_spec and is_str(part.node.expression, plan.scope))
            formatted = True
        else:
            exact = size > 0 or exact
        size += 1
        choices.append(choice)
    return choices


def _choice(field: cst.FormattedStringExpression, formatted: bool, exact: bool, plan: LoweringPlan) -> FieldPlan:
    value, *inner = expressions_of(field)
    wanted = plan.emits(value)
    # The second field of a specification is evaluated after the first has been formatted. Whether a conversion comes
    # before or after the specification depends on the version of Python.
    kept = plan.all_hidden_values(inner[1:] if field.conversion is None else inner, LATER)
    nested = field.conversion is None and bool(inner) and plan.emits(inner[0])
    if formatted and not exact:
        return FieldPlan(kept=plan.all_hidden_values((value, *inner), LATER))
    return FieldPlan(formatted and (wanted or nested), wanted, nested, kept)


def _commented(node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.ConcatenatedString):
        return False
    return "#" in code(node.whitespace_between) or _commented(node.left) or _commented(node.right)


def _joined(parts: Sequence[FStringPart], original: cst.BaseExpression) -> Any:
    """The parts as one string: parts of the same f-string stay together, other text joins the next one."""
    strings: list[Any] = []
    owner: cst.FormattedString | None = None
    for part in parts:
        if not isinstance(part.node, (cst.FormattedStringExpression, cst.FormattedStringText)):
            strings.append(part.node)
        elif strings and isinstance(strings[-1], cst.FormattedString) and (owner is None or part.owner is owner):
            whole = [*strings[-1].parts, part.node]
            strings[-1] = (part.owner or strings[-1]).with_changes(parts=whole, lpar=(), rpar=())
        else:
            base = part.owner or cst.FormattedString([])
            strings.append(base.with_changes(parts=[part.node], lpar=(), rpar=()))
        owner = part.owner
    joined = strings.pop()
    while strings:
        joined = cst.ConcatenatedString(strings.pop(), joined, whitespace_between=cst.SimpleWhitespace(" "))
    return joined.with_changes(lpar=original.lpar, rpar=original.rpar) if original.lpar else joined


register(becomes_statements, expand, cst.FormattedString, cst.ConcatenatedString)
