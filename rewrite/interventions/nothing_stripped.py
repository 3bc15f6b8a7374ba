"""The intervention `nothing_stripped`: `strip`, `lstrip` or `rstrip` behind a test, if calls show that nothing goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import libcst as cst

from analyze.operations.catalogue import select
from analyze.operations.operation import Occurrences
from rewrite.anf.intervention import Intervention, RewriteExample, UntouchedExample
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.evidence.assumptions import exactly, has_length, has_min_length
from rewrite.evidence.facts import assume, is_known
from rewrite.string_methods.discharge import known_lengths
from rewrite.string_methods.guards import atoms, is_short
from rewrite.syntax.literal_values import NOT_LITERAL, literal_value
from rewrite.syntax.tree import code

_SIDES = {
    Occurrences.RUNS_AT_ENDS: ("0", "-1"),
    Occurrences.RUN_AT_START: ("0",),
    Occurrences.RUN_AT_END: ("-1",),
}
_ENDS = {one.name: _SIDES[one.finds] for one in select(lambda one: one.receiver == "str") if one.finds in _SIDES}
"""By method, the indices of the characters that it looks at first."""
_SLICES = {"0": ":1", "-1": "-1:"}


class NothingStripped(Intervention):
    """Tests the characters at the ends, so that a step shows that nothing is stripped.

    The lengths show that nothing is: the result is as long as the string, which had the same length each time. The
    rewrite depends only on the types, and on the length if the string is never empty.
    """

    name = "nothing_stripped"
    summary = "`strip` only where an end needs it, if the calls show that nothing is stripped"
    recipes = ("idioms",)
    kind = "idioms"
    order = 9
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample(
            "Whitespace",
            """
            def f(text):
                return text.strip()
            """,
            """
            def f(text):
                if text[0].isspace() or text[-1].isspace():
                    text = text.strip()
                return text
            """,
            "f('banana')",
            with_call=True,
        ),
        RewriteExample(
            "A character, and a string that may be empty",
            """
            def f(text):
                return text.rstrip('-')
            """,
            """
            def f(text):
                if text[-1:] == '-':
                    text = text.rstrip('-')
                return text
            """,
            "f('')",
            with_call=True,
        ),
        RewriteExample(
            "Several characters",
            """
            def f(text, ends):
                return text.lstrip(ends)
            """,
            """
            def f(text, ends):
                _t0 = list(ends)
                if text[0] in _t0:
                    text = text.lstrip(ends)
                return text
            """,
            "f('banana', '-+')",
            with_call=True,
        ),
    )
    UNTOUCHED: ClassVar[tuple[UntouchedExample, ...]] = (
        UntouchedExample(
            "A call is needed",
            """
            def f(text):
                return text.strip()
            """,
        ),
        UntouchedExample(
            "A list",
            """
            def f(parts):
                return [part.strip() for part in parts]
            """,
        ),
        UntouchedExample(
            "Called on the class",
            """
            def f(text):
                return str.strip(text, '-')
            """,
        ),
    )

    @classmethod
    def concerns(cls, kind: type[cst.CSTNode], method: str) -> bool:
        return kind is cst.Call and method in _ENDS

    def claims(self, node: cst.BaseExpression, plan: LoweringPlan) -> bool:
        _, operands = _stripped(node)
        if not operands or any(not is_known(one, exactly("str"), plan) for one in operands):
            return False
        before, after = known_lengths(operands[0], plan), known_lengths(node, plan)
        return before is not None and before == after and before[0] == before[1]

    def expand(self, node: cst.BaseExpression, steps: Lowering) -> cst.BaseExpression:
        method, operands = _stripped(node)
        for one in operands:
            assume(one, exactly("str"), steps)
        places = _ENDS[method]
        if not _assume_if_known(operands[0], has_min_length(1), steps):
            places = tuple(_SLICES[place] for place in places)
        compared = len(operands) > 1 and _assume_if_known(operands[1], has_length(1), steps)
        text, *characters = map(code, atoms(operands, steps))
        result = steps.fresh_temporary("str", node)
        listed = "" if compared or places[0] not in _SLICES else self._listed(operands[1:], steps)
        sought = [listed] if listed else characters
        test = " or ".join(_test(f"{result}[{place}]", sought, compared) for place in places)
        lines = [f"{result} = {text}", *([f"{listed} = list({characters[0]})"] if listed else [])]
        lines += [f"if {test}:", f"    {result} = {result}.{method}({', '.join(characters)})"]
        steps.emit_text("\n".join(lines) + "\n", node)
        return cst.Name(result)

    def _listed(self, operands: Sequence[cst.BaseExpression], steps: Lowering) -> str:
        """The variable for the list of the characters to strip; "" if the source or a state shows them."""
        if not operands or literal_value(operands[0]) is not NOT_LITERAL or is_short(operands[0], steps):
            return ""
        return steps.fresh_temporary("list", "characters") if steps.scope.is_builtin("list") else ""


def _assume_if_known(node: cst.BaseExpression, what: str, steps: Lowering) -> bool:
    return is_known(node, what, steps) and assume(node, what, steps)


def _test(end: str, characters: list[str], compared: bool) -> str:
    if not characters:
        return f"{end}.isspace()"
    return f"{end} {'==' if compared else 'in'} {characters[0]}"


def _stripped(node: cst.BaseExpression) -> tuple[str, list[cst.BaseExpression]]:
    """The method, the string and what is stripped from it, if it is given; empty for any other expression."""
    match node:
        case cst.Call(func=cst.Attribute(text, cst.Name(method)), args=arguments) if method in _ENDS:
            if len(arguments) < 2 and all(one.keyword is None and not one.star for one in arguments):
                return method, [text, *(one.value for one in arguments)]
    return "", []
