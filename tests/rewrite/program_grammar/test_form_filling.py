"""Templates of forms: what a hole gets follows from its place, and every form of the tables is well-formed."""

import ast
import random

import pytest

from rewrite.program_grammar.choices import RandomChoices
from rewrite.program_grammar.form import GrammarForm, forms
from rewrite.program_grammar.form_filling import FormFiller
from rewrite.program_grammar.form_tables import FORMS
from rewrite.program_grammar.hole_context import ATOM, HoleContext, contexts_of_holes, precedence
from rewrite.program_grammar.logged_programs import LOGGED
from rewrite.program_grammar.mixed_programs import MIXED


def context(template: str) -> HoleContext:
    return contexts_of_holes(template.replace("?", "_hole0_"))["_hole0_"]


def drawn(form: GrammarForm, seed: int) -> list[str]:
    drawing = FormFiller(RandomChoices(random.Random(seed)), LOGGED, frozenset({"expression", "assign"}))
    return drawing.lines(form, LOGGED.scope(2))


@pytest.mark.parametrize("text", ["{int} +", "{nothing}"])
def test_a_hole_that_nothing_fills_is_an_error(text: str) -> None:
    with pytest.raises((KeyError, SyntaxError)):
        drawn(GrammarForm("expression", "int", text), 0)


@pytest.mark.parametrize(
    ("template", "level"),
    [
        *[("? + x", 10), ("x + ?", 11), ("f(?)", 0), ("?.x", ATOM), ("x if ? else y", 2), ("not ?", 4), ("? < x", 6)],
        *[("x ** ?", 12), ("? ** x", 14), ("[*?]", 6), ("f'{ ?}'", 1), ("x = ?", 1), ("for x in y: z = ? * 2", 11)],
    ],
)
def test_an_operand_has_parentheses_only_where_it_needs_them(template: str, level: int) -> None:
    assert context(template).level == level


@pytest.mark.parametrize(
    ("text", "level"),
    [("(a := b)", ATOM), ("a or b", 2), ("a <= b", 5), ("a // b", 11), ("await a", 14), ("a[0]", ATOM)],
)
def test_the_precedence_of_a_form(text: str, level: int) -> None:
    assert precedence(text) == level


@pytest.mark.parametrize(
    ("template", "syntax"),
    [
        *[
            ("class C: x = ?", "walrus"),
            ("[x for x in ?]", "walrus"),
            ("lambda: ?", "yield"),
            ("[? for x in y]", "await"),
        ],
        *[("def f():\n for x in y: pass\n ?", "loop"), ("try: x\nfinally: ?", "loop"), ("f'{?}'", "fstring")],
    ],
)
def test_syntax_that_is_not_legal_in_a_place(template: str, syntax: str) -> None:
    assert syntax in context(template).illegal
    assert syntax not in context(template).legal


@pytest.mark.parametrize(
    ("template", "syntax"),
    [
        *[("while x: ?", "loop"), ("def f(_parameters=0): ?", "walrus"), ("def f():\n yield 1\n ?", "yield")],
        ("async def f(): ?", "await"),
    ],
)
def test_syntax_that_is_legal_in_a_place(template: str, syntax: str) -> None:
    assert syntax in context(template).legal


def test_a_function_without_open_parameters_and_a_class_hide_the_variables_around_them() -> None:
    assert context("def f(k): ?") == HoleContext(
        level=1, inner=True, bound=("k",), readable=frozenset("k"), legal=frozenset({"def"}),
        illegal=frozenset({"walrus", "loop", "yield", "await"}),
    )  # fmt: skip
    assert context("class C: ?").readable == frozenset()
    assert context("def f(_parameters=0): ?").readable is None


def test_each_variable_of_an_open_function_is_a_parameter_or_nonlocal() -> None:
    [form] = forms("def", "statement", """
        def g({parameters}):
            a, s = b, p
    """)  # fmt: skip
    for seed in range(20):
        [function] = ast.parse("\n".join(drawn(form, seed)).replace("§", "0")).body
        assert isinstance(function, ast.FunctionDef)
        outer = {name for node in function.body if isinstance(node, ast.Nonlocal) for name in node.names}
        assert sorted([*outer, *(one.arg for one in function.args.args)]) == ["a", "b", "p", "s"]


def test_alternatives_with_holes_are_forms_of_their_own_and_equal_signs_stand_for_the_kind() -> None:
    assert [one.text for one in forms("x", "int, str", "«a|{=}» «+|-» b")] == [
        *("a «+|-» b", "a «+|-» b", "{int} «+|-» b", "{str} «+|-» b"),
    ]


def test_a_named_hole_is_filled_once() -> None:
    [form] = forms("x", "statement", "{n=new i} = {n} + {n}; {new i}")
    assert drawn(form, 0) == ["i1 = i1 + i1; i2"]


@pytest.mark.medium
@pytest.mark.parametrize("profile", [LOGGED, MIXED], ids=["logged", "mixed"])
def test_each_form_of_a_profile_can_be_filled(profile: object) -> None:
    assert profile in (LOGGED, MIXED)
    used = LOGGED if profile is LOGGED else MIXED
    drawing = FormFiller(RandomChoices(random.Random(0)), used, frozenset({"expression", "assign", "display"}))
    for form in used.forms:
        assert drawing.lines(form, used.scope(1)), form


def test_every_form_belongs_to_a_profile() -> None:
    assert set(FORMS) == {*LOGGED.forms, *MIXED.forms}
