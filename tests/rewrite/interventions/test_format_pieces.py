"""Formatting by pieces: on drawn templates and values it does the same, or breaks an assumption."""

from __future__ import annotations

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once
from tests.rewrite.drawn import assert_same_or_broken
from tests.samples import example_counts

VALUES: st.SearchStrategy[object] = st.one_of(
    st.text("ab%{", max_size=3), st.integers(-9, 99), st.sampled_from([True, 2.5, None, ("a",), [1], {"a": 1}])
)
SPECIFICATIONS = ["", ">4", "<4", "*>5", "0<4", "4", "04", "03d", "5d", "4s", "<3s", "^5", "+d", ".2", ".1f", ">", "0"]
SPECIFICATIONS += ["=4", "<04", ",", "x", "}", "{>4", "{b}"]
PERCENT = st.lists(
    st.sampled_from(
        ["%s", "%d", "%i", "%%", "%5s", "%-4s", "%-4d", "%04d", "%05s", "%-04d", "%5%", "%+d", "%.1f", "%r"]
    )
    | st.sampled_from(["%(a)s", "%", "a", " ", "{"]),
    max_size=4,
)
BRACES = st.lists(
    st.sampled_from(["{}", "{0}", "{1}", "{b}", "{{", "}}", "{", "{!r}", "{0.x}", "a", "%s"])
    | st.builds("{{:{}}}".format, st.sampled_from(SPECIFICATIONS)),
    max_size=4,
)
FIELDS = st.lists(
    st.sampled_from(["{a}", "{b}", "{a + b}", "{{", "}}", "\\n", "a", "{a!r}", "{a!s}", "{a=}"])
    | st.builds("{{a:{}}}".format, st.sampled_from(SPECIFICATIONS)),
    max_size=4,
)
ARGUMENTS = ("a, b", "b, a", "a, b=b", "a", "a + b, b", "b=a, a=b", "a, b, a", "*[a, b]", "**{'b': a}")


@pytest.mark.parametrize(
    ("expression", "rewritten"),
    [
        ("f'-{a}'[1:]", "('-' + a)[1:]"),
        ("f'-{a}'.strip()", "('-' + a).strip()"),
        ("'-%s' % (a,) * 2", "('-' + a) * 2"),
        ("b * '{}-'.format(a)", "b * (a + '-')"),
        ("f'-{a}' + a", "'-' + a + a"),
        ("len(f'-{a}')", "len('-' + a)"),
        ("not f'-{a}'", "not '-' + a"),
    ],
)
def test_a_sum_in_place_of_an_operand_has_parentheses_where_it_needs_them(expression: str, rewritten: str) -> None:
    made = rewrite_source(f"def f(a, b):\n    return {expression}\n", "format_pieces", calls=["f('a ', 2)"])
    assert made.source == f"def f(a, b):\n    return {rewritten}\n"


@pytest.mark.medium
@example_counts(50, 400)
def test_a_program_does_the_same(examples: int) -> None:
    programs = st.one_of(
        st.builds(lambda pieces: f"f'{''.join(pieces)}'", FIELDS),
        st.builds(lambda pieces, given: f"{''.join(pieces)!r}.format({given})", BRACES, st.sampled_from(ARGUMENTS)),
        st.builds(
            lambda pieces, given: f"{''.join(pieces)!r} % {given}",
            PERCENT,
            st.sampled_from(["(a, b)", "a", "(a,)", "(b, a)", "(a + b, b)", "(*[a, b],)", "(a)", "(a, b, a)", "()"]),
        ),
    )

    @seed(1)
    @settings(max_examples=examples, database=None)
    @given(programs, *[st.tuples(VALUES, VALUES)] * 2)
    def same(expression: str, seen: tuple[object, ...], unseen: tuple[object, ...]) -> None:
        source = f"def f(a, b):\n    r = {expression}\n    return r\n"
        try:
            compile(source, "", "exec")
        except SyntaxError:
            return  # a single brace in an f-string
        assert_same_or_broken(source, "format_pieces", f"f{seen!r}", f"f{unseen!r}")

    same()


def test_automatic_numbers_do_not_count_names() -> None:
    source = "def f(a, b, c):\n    return '{c}{}-{}'.format(a, b, c=c)\n"
    made = rewrite_source(source, "format_pieces", calls=["f('a', 'b', 'c')"], cost=None)
    assert "[c, a, '-', b]" in made.source


@pytest.mark.parametrize(
    ("expression", "call"),
    [
        ("'%d' % a", "f('a')"),
        ("'%d-' % a", "f(True)"),
        ("'%s-' % a", "f(('a',))"),
        ("'%s-' % a", "f(2.5)"),
        ("'{}-{0}'.format(a)", "f('a')"),
        ("'{}-{}'.format(a)", "f('a')"),
        ("'{a[0]}-'.format(a=a)", "f('a')"),
        ("a.format(a)", "f('{}-')"),
        ("a % (a,)", "f('%s-')"),
        ("b'%s-' % a", "f(b'a')"),
        ("f'{a:04}'", "f('a')"),
        ("f'{a:>4d}'", "f('a')"),
        ("f'{a:^4}'", "f('a')"),
        ("f'{a:.2f}'", "f(2)"),
        ("f'{a:5}'", "f(2.5)"),
        ("f'{a:{a}}'", "f(2)"),
        ("f'{a!s:>4}'", "f('a')"),
        ("'%05s' % a", "f('a')"),
        ("'{:<04}'.format(a)", "f(2)"),
    ],
)
def test_other_formatting_stays(expression: str, call: str) -> None:
    source = f"def f(a):\n    return {expression}\n"
    assert not rewrite_source(source, "format_pieces", calls=[call], cost=None).changed


@pytest.mark.parametrize(
    ("pieces", "written"), [("{a}0b{b}", "a + '0b' + b"), ("{a}{b}-{a}", "\"\".join([a, b, '-', a])")]
)
def test_a_plan_adds_a_few_pieces_and_joins_more(pieces: str, written: str) -> None:
    source = f"def f(a, b):\n    return f'{pieces}'\n"
    context = RewriteContext("assume", gather_evidence(source, ["f('-', '1')"]), condensed=True)
    made = rewrite_once(source, "format_pieces", context, options={})
    assert made.source == f"def f(a, b):\n    return {written}\n"
