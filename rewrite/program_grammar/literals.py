"""Productions for string literals (quotes, backslashes, raw, triple, adjacent) and for f-strings of every kind."""

from __future__ import annotations

import sys
from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.productions import GeneratedExpression, GrammarScope, expression, form, logged

STRINGS = [
    *(r"'it\'s'", r'"\"q\""', r"r'\d\n'", r"'\x41\u00e9\N{DIGIT ONE}'", r"'tab\there'", "'''two\nlines'''"),
    *('"""a "quoted" b"""', "'a' \"b\" 'c'", "('a'\n'b')", "'\\\nx'", "''", "u'x'", "'{}' '%s'"),
]
NESTING = sys.version_info >= (3, 12)
FIELDS = ["{{{0}!s}}", "{{{0}!a:>{{t(§, 5)}}}}", "{{{0}:{{t(§, 3)}}.{{t(§, 1)}}f}}", "{{{{k}}}}{{{0}}}"]
SHAPES = ['f"{0}"', "f'''{0}\n'''", 'rf"{0}\\d"', "'x' f\"{0}\" 'y'", 'f"{{{{}}}} {0} %"', 'f"\\t{0}"']


@form("string literal", "str")
def written_text(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    if not scope.fstring:  # before Python 3.12, an f-string field cannot contain a backslash or the same quote
        return GeneratedExpression(logged("ab"))
    text = draw(st.sampled_from(STRINGS))
    return GeneratedExpression(text) if draw(st.booleans()) else GeneratedExpression(f"t(§, {text})")


@form("string literal", "str")
def formatted(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    """Formatting with `%` and `format`: the template is evaluated once, then the operands in order."""
    operands = [draw(expression("int", scope.closed())).at(1) for _ in range(2)]
    templates = ["'%s-%r' % ({0}, {1})", "'{{}}{{k}}'.format({0}, k={1})", "'{{0[0]}}'.format([{0}])"]
    return GeneratedExpression(f"({draw(st.sampled_from(templates)).format(*operands)})")


@form("f-string", "str")
def f_string_of_another_shape(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
    if not scope.fstring:
        return GeneratedExpression(logged("ab"))
    inside = draw(expression("int", replace(scope.closed(), fstring=False)))
    field = draw(st.sampled_from(FIELDS)).format(f"({inside.at(1)})")
    return GeneratedExpression(draw(st.sampled_from(SHAPES)).format(field))


if NESTING:

    @form("nested f-string", "str")
    def f_string_in_an_f_string(draw: st.DrawFn, scope: GrammarScope) -> GeneratedExpression:
        """Nested f-strings with the same quotes, with a backslash, and on several lines."""
        inside = draw(expression("str", scope.closed()))
        shape = draw(st.sampled_from(['f"{{f"{{{0}}}"}}"', 'f"{{ {0} +\n "\\n"}}"', "f'{{ {{1: {0}}}[1]!r}}'"]))
        return GeneratedExpression(shape.format(f"({inside.at(1)})"))
