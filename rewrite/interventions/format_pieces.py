"""The intervention `format_pieces`: f-strings, `"{}-{}".format(a, b)` and `"%s-%d" % (a, b)` as pieces that are joined.

A width becomes a call of `ljust`, `rjust` or `zfill`.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from string import Formatter
from typing import ClassVar

import libcst as cst

from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly
from rewrite.evidence.facts import assume_any, is_any_known, is_known
from rewrite.string_methods.guards import atoms
from rewrite.syntax import build
from rewrite.syntax.literal_values import literal_value
from rewrite.syntax.tree import code

_TEXT, _NUMBER = exactly("str"), exactly("int")
_ADDED = 3
"""In a condensed rewrite, the largest number of pieces that are added; a larger number is joined."""
_PERCENT = re.compile(r"%(-)?(0)?([1-9]\d*)?(.)", re.DOTALL)
_SPECIFICATION = re.compile(r"(?:([^{}])?([<>]))?(0)?([1-9]\d*)?([sd])?", re.DOTALL)


@dataclass(frozen=True)
class Field:
    """A field of a template.

    Attributes:
        argument: The number of its argument.
        facts: Facts of which one must hold for that, so that it is written as `str` writes it.
        width: The least number of characters; "" for any.
        align: "<" or ">" for the side on which the text is, "0" for zeros behind the sign; "" for that of its type.
        fill: The character that fills the rest.
    """

    argument: int
    facts: tuple[str, ...] = (_TEXT, _NUMBER)
    width: str = ""
    align: str = ""
    fill: str = ""

    def method(self, is_text: bool) -> str:
        """The method that fills a text up to the width."""
        if self.align == "0":
            return "zfill"
        return "ljust" if self.align == "<" or (is_text and not self.align) else "rjust"

    @property
    def padding(self) -> tuple[str, ...]:
        """The source of its arguments."""
        return (self.width, repr(self.fill)) if self.fill not in ("", " ") else (self.width,)


@dataclass(frozen=True)
class Template:
    """A template with its arguments: the pieces in the order of the text, the arguments in that of evaluation."""

    pieces: list[str | Field]
    arguments: list[cst.BaseExpression]

    def fields(self) -> Iterator[tuple[cst.BaseExpression, tuple[str, ...]]]:
        """The argument and the facts of each field."""
        return ((self.arguments[one.argument], one.facts) for one in self.pieces if isinstance(one, Field))


class FormatPieces(Intervention):
    """Lists the pieces and joins them; one field with one literal beside it is a concatenation.

    Not in scope: conversions, other format specifications than a width, other templates than literals, and arguments of
    which no call shows that they are strings or integers.
    """

    name = "format_pieces"
    summary = "f-strings, `str.format` and `%` of strings and integers as a list of pieces that are joined"
    recipes = ("idioms", "elements")
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "One field",
            """
            def f():
                word = "ab"
                return "-{}".format(word)
            """,
            """
            def f():
                word = "ab"
                return '-' + word
            """,
            "f()",
        ),
        RewriteExample(
            "Several fields",
            """
            def f():
                a = "ab"
                b = "cd"
                return "{1}/{0}".format(a, b)
            """,
            """
            def f():
                a = "ab"
                b = "cd"
                _t0 = [b, '/', a]
                return "".join(_t0)
            """,
            "f()",
        ),
        RewriteExample(
            "The operator, and a number",
            """
            def f(word, n):
                return '%s: %d' % (word, n)
            """,
            """
            def f(word, n):
                _t0 = str(n)
                _t1 = [word, ': ', _t0]
                return "".join(_t1)
            """,
            "f('ab', 12)",
            with_call=True,
        ),
        RewriteExample(
            "An f-string with widths",
            """
            def f(word, n):
                return f'{word:<6}={n:04d}'
            """,
            """
            def f(word, n):
                _t0 = str(n)
                _t1 = word.ljust(6)
                _t0 = _t0.zfill(4)
                _t2 = [_t1, '=', _t0]
                return "".join(_t2)
            """,
            "f('ab', 12)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A precision",
            """
            def f():
                word = 'ab'
                return f'{word:.1}'
            """,
        ),
        UntouchedExample(
            "A conversion",
            """
            def f():
                word = 'ab'
                return f'-{word!r}'
            """,
        ),
        UntouchedExample(
            "A value that may not be a string",
            """
            def f(word):
                return "-{}".format(word)
            """,
        ),
        UntouchedExample(
            "A value that may be a tuple",
            """
            def f(word):
                return "-%s" % word
            """,
        ),
        UntouchedExample(
            "A field without a value",
            """
            def f():
                return "%s-%s" % ("a",)
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind in (cst.BinaryOperation, cst.FormattedString) or (kind is cst.Call and method == "format")

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        found = find_template(node)
        if found is None or not plan.scope.is_builtin("str"):
            return False
        return all(is_any_known(*field, plan) for field in found.fields())

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        found = find_template(node)
        assert found is not None
        for value, facts in found.fields():
            assume_any(value, facts, steps)
        parts = list(_written(found, steps))
        few = len(parts) == 2 and any(isinstance(one, str) for one in found.pieces)
        if len(parts) == 1 or few or (steps.condensed and len(parts) <= _ADDED):
            return reduce(lambda left, right: cst.BinaryOperation(left, cst.Add(), right), map(build.clone, parts))
        listed = _computed(cst.List([cst.Element(build.clone(one)) for one in parts]), steps)
        return cst.parse_expression(f'"".join({code(listed)})')


def _written(found: Template, steps: Lowering) -> Iterator[cst.BaseExpression]:
    """The text of each piece; a number is written once, when all arguments are evaluated."""
    names = atoms(found.arguments, steps)
    used = dict.fromkeys(one.argument for one in found.pieces if isinstance(one, Field))
    texts = {one for one in used if is_known(found.arguments[one], _TEXT, steps)}
    given = {one: names[one] if one in texts else _called(cst.Name("str"), [names[one]], steps) for one in used}
    for one in found.pieces:
        if isinstance(one, str):
            yield cst.SimpleString(repr(one))
        elif one.width:
            method = cst.Attribute(_copied(given[one.argument], steps), cst.Name(one.method(one.argument in texts)))
            yield _called(method, map(cst.parse_expression, one.padding), steps)
        else:
            yield given[one.argument]


def _copied(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    """A copy with the position of the original, so that what is known about the value is not lost."""
    copy = build.clone(node)
    steps.module.comments.old.record_copy(copy, node)
    return copy


def _called(
    function: cst.BaseExpression, arguments: Iterable[cst.BaseExpression], steps: Lowering
) -> cst.BaseExpression:
    """The value of a call, for which the recipe may have a form."""
    call = cst.Call(function, [cst.Arg(_copied(one, steps)) for one in arguments])
    return _computed(steps.lower_operand(call), steps)


def _computed(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    return node if steps.condensed else steps.materialize(node)


def find_template(node: cst.BaseExpression) -> Template | None:
    """What an f-string, a call of `str.format`, or `%` formats by a literal template; None if a field is not simple."""
    match node:
        case cst.FormattedString():
            values = [one.expression for one in node.parts if isinstance(one, cst.FormattedStringExpression)]
            pieces = _parsed_fields(code(node))
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as literal, attr=cst.Name("format")), args=arguments):
            if not arguments or any(one.star for one in arguments):
                return None
            names = [one.keyword.value if one.keyword else str(number) for number, one in enumerate(arguments)]
            values = [one.value for one in arguments]
            text = literal_value(literal)
            pieces = _braces(text, names) if isinstance(text, str) else None
        case cst.BinaryOperation(cst.SimpleString() as literal, cst.Modulo(), right):
            elements = right.elements if isinstance(right, cst.Tuple) else [cst.Element(right)]
            if not all(isinstance(one, cst.Element) for one in elements):
                return None
            values = [one.value for one in elements]
            text = literal_value(literal)
            pieces = _directives(text, len(values)) if isinstance(text, str) else None
        case _:
            return None
    return Template(pieces, values) if pieces and any(isinstance(one, Field) for one in pieces) else None


def _parsed_fields(text: str) -> list[str | Field] | None:
    """The pieces of an f-string; None unless all fields are simple."""
    found: list[str | Field] = []
    number = itertools.count()
    parsed = ast.parse(text, mode="eval").body
    for part in parsed.values if isinstance(parsed, ast.JoinedStr) else ():
        match part:
            case ast.Constant(str(value)):
                found.append(value)
            case ast.FormattedValue(conversion=-1, format_spec=None) if field := _field(next(number), ""):
                found.append(field)
            case ast.FormattedValue(conversion=-1, format_spec=ast.JoinedStr([ast.Constant(str(specification))])) if (
                field := _field(next(number), specification)
            ):
                found.append(field)
            case _:
                return None
    return found


def _field(argument: int, specification: str) -> Field | None:
    """A field with a format specification; None if that is more than a width."""
    found = _SPECIFICATION.fullmatch(specification)
    if found is None:
        return None
    fill, align, zero, width, kind = (one or "" for one in found.groups())
    facts = {"": (_NUMBER,) if zero else (_TEXT, _NUMBER), "s": (_TEXT,), "d": (_NUMBER,)}[kind]
    is_clear = not zero or (not align and width and kind != "s")
    return Field(argument, facts, width, "0" if zero else align, fill) if is_clear else None


def _braces(template: str, names: Sequence[str]) -> list[str | Field] | None:
    """The pieces of a template of `str.format`; None unless all fields are simple and have an argument."""
    found: list[str | Field] = []
    automatic = map(str, itertools.count())
    try:
        parsed = list(Formatter().parse(template))
    except ValueError:
        return None
    given = {name or "" for _, name, _, _ in parsed if name is not None}
    if "" in given and any(map(str.isdecimal, given)):
        return None  # mixed numbering is an error
    for text, name, specification, conversion in parsed:
        found += [text] if text else []
        if name is not None:
            name = name or next(automatic)
            field = _field(names.index(name), specification or "") if name in names and not conversion else None
            if field is None:
                return None
            found.append(field)
    return found


def _directives(template: str, count: int) -> list[str | Field] | None:
    """The pieces of a template of `%`; None unless all directives are simple, and as many as the arguments."""
    found: list[str | Field] = []
    *rounds, end = _PERCENT.split(template)
    fields = 0
    for text, left, zero, width, directive in zip(*(rounds[place::5] for place in range(5)), strict=True):
        found += [text] if text else []
        if directive == "%" and not (left or zero or width):
            found.append("%")
        elif directive not in ("s", "d", "i") or fields == count or (zero and (left or not width or directive == "s")):
            return None
        else:
            facts = (_TEXT, _NUMBER) if directive == "s" else (_NUMBER,)
            found.append(Field(fields, facts, width or "", "<" if left else "0" if zero else ">"))
            fields += 1
    if fields != count or "%" in end:
        return None
    return [*found, end] if end else found
