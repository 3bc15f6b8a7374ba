"""Form feeds in indentation: the program stays the same, and they stay where they stood."""

from __future__ import annotations

import ast

import pytest

from rewrite import rewrite_source
from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.syntax.form_feeds import remove_form_feeds


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n\f    return x.y.z + 1\n",
        "def f(x):\n  \f    return x.y.z + 1\n",
        "def f(x):\n\f    if x.a.b:\n        return x.y.z + 1\n    return x.a.b + 1\n",
        "def f(x):\n \f    if x.a.b and x.c.d:\n        return x.y.z + 1\n",
        "class A:\n\f  def f(x):\n    return x.y.z + 1\n  y = len(str(1))\n",
        "def f(x):\n \f \f  if x.a.b and x.c.d:\n       return x.y.z + 1\n    \f  return x\n",
        "if 1:\n  \f  x = 1\n  if x:\n     x = x.a.b\n",
        "\fx = 1\n\f\ny = x.a.b\n\f# comment\n\fz = y.a.b  # \f\n",
    ],
)
def test_what_is_indented_behind_a_form_feed_compiles_and_keeps_it(source: str) -> None:
    compile(source, "<before>", "exec")
    result = rewrite_source(source)
    compile(result.source, "<after>", "exec")
    assert result.changed
    assert result.source.count("\f") == source.count("\f")
    plain, _ = remove_form_feeds(source)
    assert ast.dump(ast.parse(plain)) == ast.dump(ast.parse(source))
    assert ast.dump(ast.parse(result.source)) == ast.dump(ast.parse(rewrite_source(plain).source))


def test_form_feeds_that_are_text_stay_and_columns_count_them() -> None:
    source = 'def f(x):\n  \f    y = """\n\f    a\n"""\n    \f    return [x,\n\f    y.z.w]\n'
    result = rewrite_source(source)
    assert '"""\n\f    a\n"""' in result.source
    assert [(change.line, change.column) for change in result.changes][:1] == [(6, 6)]
    assert rewrite_source("x = 1\n\f\n").source == "x = 1\n\f\n"


@pytest.mark.parametrize(
    "source",
    [
        "def f(s, t):\n\f    return s.replace('a', 'b').find(t)\n",
        "def f(s, t):\n  \f  x = 1\n  \f  return [x,\n\f  s.replace('a', 'b').find(t)]\n",
        "def f(s, t):\r\n\f\treturn '\f😀é', s.replace('a', 'b').find(t)\r\n",
    ],
)
@pytest.mark.parametrize("recipe", ["decompose", "methods"])
def test_assumptions_stand_where_the_original_has_the_expression(source: str, recipe: str) -> None:
    made = rewrite_source(source, recipe, calls=["f('ab', 'b')"])
    assert made.assumes
    lines = source.split("\n")
    for one in made.assumes:
        assert lines[one.line - 1][one.column - 1 :].startswith(one.expression)
    assert AssumptionFilter(source, made.assumes).broken_assumptions(["f('ab', 'b')", "f('ab', 1)"], 5).keys() == {
        "f('ab', 1)"
    }
