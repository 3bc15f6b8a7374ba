"""The intervention `translation_table`: `str.maketrans(old, new)` by pairs of characters.

A table that only `translate` uses is made of a dict of the pairs, `dict(zip(old, new))`, and the idiom for `translate`
goes through that dict. Any other table needs the codes: a loop enters one pair after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import dropwhile
from typing import ClassVar

import libcst as cst

from corpora.source_block import source_block
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_length
from rewrite.evidence.facts import assume, is_known
from rewrite.interventions.local_variables import assigned_local, uses_of
from rewrite.string_methods.discharge import known_lengths
from rewrite.string_methods.guards import atoms
from rewrite.syntax.tree import code, walk

_LOOP = source_block("""
    {table} = {{}}
    for {one}, {other} in zip({old}, {new}):
        {table}[ord({one})] = ord({other})
""")


class TranslationTable(Intervention):
    """Makes the table of a dict that shows its pairs of characters, or enters the codes of one pair in each round.

    Not in scope: tables with deletions, tables from a dict, and strings of which no call shows that they are equally
    long.
    """

    name = "translation_table"
    summary = "`str.maketrans` of two strings by a dict of pairs of characters, or a loop over them"
    recipes = ("idioms", "elements")
    kind = "idioms"
    order = 12
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Two strings",
            """
            def f(old):
                return str.maketrans(old, 'xy')
            """,
            """
            def f(old):
                _t0 = {}
                for _t1, _t2 in zip(old, 'xy'):
                    _t0[ord(_t1)] = ord(_t2)
                return _t0
            """,
            "f('an')",
            with_call=True,
        ),
        RewriteExample(
            "A table that only `translate` uses",
            """
            def f(text, old):
                table = str.maketrans(old, 'xy')
                return text.translate(table)
            """,
            """
            def f(text, old):
                _t0 = dict(zip(old, 'xy'))
                table = str.maketrans(_t0)
                return text.translate(table)
            """,
            "f('banana', 'an')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "Strings of unknown length",
            """
            def f(old, new):
                return str.maketrans(old, new)
            """,
        ),
        UntouchedExample(
            "Deletions",
            """
            def f():
                return str.maketrans('a', 'b', 'c')
            """,
        ),
        UntouchedExample(
            "Strings of different lengths",
            """
            def f():
                return str.maketrans('a', 'bc')
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method == "maketrans"

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        operands = _operands(node, plan)
        if not operands or not all(plan.scope.is_builtin(name) for name in ("str", "zip", "ord")):
            return False
        length = _length(operands[0], plan)
        return length is not None and all(
            is_known(one, what, plan) for one in operands for what in (exactly("str"), has_length(length))
        )

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        operands = _operands(node, steps)
        length = _length(operands[0], steps)
        assert length is not None and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)
        assume(node.func.value, exactly("str"), steps)
        for one in operands:
            assume(one, exactly("str"), steps)
            assume(one, has_length(length), steps)
        old, new = (code(one) for one in atoms(operands, steps))
        variable = assigned_local(node, steps)
        translated = _translated_strings(variable, steps) if variable else _translated_string(node, steps)
        if translated is not None:
            for text in translated:
                assume(text, exactly("str"), steps)
            pairs = steps.fresh_temporary("dict", "pairs")
            steps.emit_text(f"{pairs} = dict(zip({old}, {new}))\n", node)
            table = cst.parse_expression(f"str.maketrans({pairs})")
            made = table if variable else steps.materialize(table)
            steps.tables[variable or code(made)] = pairs
            return made
        codes = steps.fresh_temporary("dict", "table")
        first, second = (steps.fresh_temporary("char", name) for name in ("old", "new"))
        steps.emit_text(_LOOP.format(table=codes, one=first, other=second, old=old, new=new), node)
        return cst.Name(codes)


def _operands(node: cst.BaseExpression, plan: LoweringPlan) -> list[cst.BaseExpression]:
    """The two strings of a call of `maketrans` of `str` or of a string; empty for any other expression."""
    match node:
        case cst.Call(
            func=cst.Attribute(cst.Name() as called, cst.Name("maketrans")),
            args=[cst.Arg(value=old, keyword=None, star=""), cst.Arg(value=new, keyword=None, star="")],
        ) if called.value == "str" or is_known(called, exactly("str"), plan):
            return [old, new]
    return []


def _translated_strings(name: str, plan: LoweringPlan) -> list[cst.BaseExpression] | None:
    """The strings that a table translates; None if there is any other use, or one elsewhere.

    `text.translate(table)` takes a table of characters, too. Each use comes in a statement of the function after the
    assignment, which is one of the function's own statements, so that it has run.
    """
    body = plan.scope.node.body.body if isinstance(plan.scope.node, cst.FunctionDef) else ()
    rest = dropwhile(lambda one: one is not plan.around, body)
    texts = dict(pair for one in rest for inner in walk(one) for pair in _translation(inner))
    uses = list(uses_of(name, plan))
    if not plan.scope.is_builtin("dict") or any(use.scope is not plan.scope for use in uses):
        return None
    found = [texts.get(id(use.node)) for use in uses]
    known = [one for one in found if one and is_known(one, exactly("str"), plan)]
    return known if len(known) == len(uses) else None


def _translated_string(table: cst.BaseExpression, plan: LoweringPlan) -> list[cst.BaseExpression] | None:
    """The string that a table in place translates; None for any other table."""
    text = next((text for one in walk(plan.around) for known, text in _translation(one) if known == id(table)), None)
    is_known_text = text is not None and plan.scope.is_builtin("dict") and is_known(text, exactly("str"), plan)
    return [text] if text is not None and is_known_text else None


def _translation(node: cst.CSTNode) -> Iterator[tuple[int, cst.BaseExpression]]:
    """The id of the table and the string of `text.translate(table)`; nothing for any other node."""
    match node:
        case cst.Call(
            func=cst.Attribute(text, cst.Name("translate")), args=[cst.Arg(value=table, keyword=None, star="")]
        ):
            yield id(table), text


def _length(node: cst.BaseExpression, plan: LoweringPlan) -> int | None:
    """The length of a string, if it is a literal or had the same length in every call."""
    lengths = known_lengths(node, plan)
    return lengths[0] if lengths is not None and lengths[0] == lengths[1] else None
