"""Productions for text as it may be written: quotes, backslashes, raw, triple, adjacent; f-strings of every shape."""

from __future__ import annotations

import sys
from dataclasses import replace

from hypothesis import strategies as st

from rewrite.program_grammar.text import Expression, Scope, expression, form, logged

STRINGS = [
    *(r"'it\'s'", r'"\"q\""', r"r'\d\n'", r"'\x41\u00e9\N{DIGIT ONE}'", r"'tab\there'", "'''two\nlines'''"),
    *('"""a "quoted" b"""', "'a' \"b\" 'c'", "('a'\n'b')", "'\\\nx'", "''", "u'x'", "'{}' '%s'"),
]
NESTING = sys.version_info >= (3, 12)
FIELDS = ["{{{0}!s}}", "{{{0}!a:>{{t(§, 5)}}}}", "{{{0}:{{t(§, 3)}}.{{t(§, 1)}}f}}", "{{{{k}}}}{{{0}}}"]
SHAPES = ['f"{0}"', "f'''{0}\n'''", 'rf"{0}\\d"', "'x' f\"{0}\" 'y'", 'f"{{{{}}}} {0} %"', 'f"\\t{0}"']


@form("string literal", "str")
def written_text(draw: st.DrawFn, scope: Scope) -> Expression:
    if not scope.fstring:  # before 3.12 neither a backslash nor the same quote may stand in an f-string
        return Expression(logged("ab"))
    text = draw(st.sampled_from(STRINGS))
    return Expression(text) if draw(st.booleans()) else Expression(f"t(§, {text})")


@form("string literal", "str")
def formatted(draw: st.DrawFn, scope: Scope) -> Expression:
    """Printf-style and `format`: the template once, then the operands in turn."""
    operands = [draw(expression("int", scope.closed())).at(1) for _ in range(2)]
    template = draw(
        st.sampled_from(["'%s-%r' % ({0}, {1})", "'{{}}{{k}}'.format({0}, k={1})", "'{{0[0]}}'.format([{0}])"])
    )
    return Expression(f"({template.format(*operands)})")


@form("f-string", "str")
def f_string_of_another_shape(draw: st.DrawFn, scope: Scope) -> Expression:
    if not scope.fstring:
        return Expression(logged("ab"))
    inside = draw(expression("int", replace(scope.closed(), fstring=False)))
    field = draw(st.sampled_from(FIELDS)).format(f"({inside.at(1)})")
    return Expression(draw(st.sampled_from(SHAPES)).format(field))


if NESTING:

    @form("nested f-string", "str")
    def f_string_in_an_f_string(draw: st.DrawFn, scope: Scope) -> Expression:
        """With the same quotes, with a backslash, and over several lines."""
        inside = draw(expression("str", scope.closed()))
        shape = draw(st.sampled_from(['f"{{f"{{{0}}}"}}"', 'f"{{ {0} +\n "\\n"}}"', "f'{{ {{1: {0}}}[1]!r}}'"]))
        return Expression(shape.format(f"({inside.at(1)})"))
