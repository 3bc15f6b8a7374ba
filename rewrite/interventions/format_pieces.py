"""The intervention `format_pieces`: `"{}-{}".format(a, b)` and `"%s-%d" % (a, b)` as pieces, which are then joined."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from rewrite.syntax.literals import literal_value
from rewrite.syntax.tree import code

STRINGS_AND_NUMBERS = (exactly("str"), exactly("int"))
"""Facts of which one must hold for a value in a plain field: it is written as `str` writes it."""
_DIRECTIVES: Mapping[str, tuple[str, ...]] = {"s": STRINGS_AND_NUMBERS, "d": (exactly("int"),), "i": (exactly("int"),)}
_PERCENT = re.compile("%(.)", re.DOTALL)


@dataclass(frozen=True)
class Field:
    """A field of a template: the number of its argument, and facts of which one must hold for that."""

    argument: int
    facts: tuple[str, ...] = STRINGS_AND_NUMBERS


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

    Not in scope: conversions, format specifications, other templates than literals, and arguments of which no call
    shows that they are strings or integers.
    """

    name = "format_pieces"
    summary = "`str.format` and `%` of strings and integers as a list of pieces that are joined"
    recipes = ("idioms", "elements")
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "One field",
            'def f():\n    word = "ab"\n    return "-{}".format(word)\n',
            "def f():\n    word = \"ab\"\n    return '-' + word\n",
            "f()",
        ),
        RewriteExample(
            "Several fields",
            'def f():\n    a = "ab"\n    b = "cd"\n    return "{1}/{0}".format(a, b)\n',
            'def f():\n    a = "ab"\n    b = "cd"\n    _t0 = [b, \'/\', a]\n    return "".join(_t0)\n',
            "f()",
        ),
        RewriteExample(
            "The operator, and a number",
            "def f(word, n):\n    return '%s: %d' % (word, n)\n",
            "def f(word, n):\n    _t0 = str(n)\n    _t1 = [word, ': ', _t0]\n    return \"\".join(_t1)\n",
            "f('ab', 12)",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample("A format specification", 'def f():\n    word = "ab"\n    return "{:>4}".format(word)\n'),
        UntouchedExample("A value that may not be a string", 'def f(word):\n    return "-{}".format(word)\n'),
        UntouchedExample("A value that may be a tuple", 'def f(word):\n    return "-%s" % word\n'),
        UntouchedExample("A field without a value", 'def f():\n    return "%s-%s" % ("a",)\n'),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.BinaryOperation or (kind is cst.Call and method == "format")

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
        given = _written(found, steps)
        parts = [cst.SimpleString(repr(one)) if isinstance(one, str) else given[one.argument] for one in found.pieces]
        if len(parts) == 2 and any(isinstance(one, str) for one in found.pieces):
            return cst.BinaryOperation(build.clone(parts[0]), cst.Add(), build.clone(parts[1]))
        listed = _computed(cst.List([cst.Element(build.clone(one)) for one in parts]), steps)
        return cst.parse_expression(f'"".join({code(listed)})')


def _written(found: Template, steps: Lowering) -> dict[int, cst.BaseExpression]:
    """The text of each argument that a field has; a number is written once, when all arguments are evaluated."""
    names = atoms(found.arguments, steps)
    used = dict.fromkeys(one.argument for one in found.pieces if isinstance(one, Field))
    return {
        one: names[one]
        if is_known(found.arguments[one], exactly("str"), steps)
        else _computed(cst.parse_expression(f"str({code(names[one])})"), steps)
        for one in used
    }


def _computed(node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
    return node if steps.condensed else steps.materialize(node)


def find_template(node: cst.BaseExpression) -> Template | None:
    """What a call of `str.format`, or `%`, formats by a literal template whose fields are all plain; else None."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.SimpleString() as literal, attr=cst.Name("format")), args=arguments):
            if not arguments or any(one.star for one in arguments):
                return None
            names = [one.keyword.value if one.keyword else str(number) for number, one in enumerate(arguments)]
            find, values = _braces, [one.value for one in arguments]
        case cst.BinaryOperation(cst.SimpleString() as literal, cst.Modulo(), right):
            elements = right.elements if isinstance(right, cst.Tuple) else [cst.Element(right)]
            if not all(isinstance(one, cst.Element) for one in elements):
                return None
            find, values = _directives, [one.value for one in elements]
            names = [str(number) for number in range(len(values))]
        case _:
            return None
    text = literal_value(literal)
    pieces = find(text, names) if isinstance(text, str) else None
    return Template(pieces, values) if pieces is not None and len(pieces) > 1 else None


def _braces(template: str, names: Sequence[str]) -> list[str | Field] | None:
    """The pieces of a template of `str.format`; None unless all fields are plain and have an argument."""
    found: list[str | Field] = []
    automatic = map(str, itertools.count())
    try:
        for text, name, spec, conversion in Formatter().parse(template):
            found += [text] if text else []
            if name is None:
                continue
            name = name or next(automatic)
            if spec or conversion or name not in names:
                return None
            found.append(Field(names.index(name)))
        template.format(*("" for _ in names), **dict.fromkeys(names, ""))  # mixed numbering is an error
    except (ValueError, IndexError):
        return None
    return found


def _directives(template: str, names: Sequence[str]) -> list[str | Field] | None:
    """The pieces of a template of `%`; None unless all directives are plain, and as many as the arguments."""
    found: list[str | Field] = []
    *rounds, end = _PERCENT.split(template)
    fields = 0
    for text, directive in zip(rounds[::2], rounds[1::2], strict=True):
        found += [text] if text else []
        if directive == "%":
            found.append("%")
        elif directive in _DIRECTIVES and fields < len(names):
            found.append(Field(fields, _DIRECTIVES[directive]))
            fields += 1
        else:
            return None
    if fields != len(names) or "%" in end:
        return None
    return [*found, end] if end else found
