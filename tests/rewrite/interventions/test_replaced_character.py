"""A replaced character: what may be longer stays; then operands are evaluated in the order of the original."""

import pytest

from rewrite import check_equivalence, rewrite_source


def rewritten(body: str, *calls: str, recipe: str = "replaced_character") -> str:
    source = f"def f(a, b, c):\n    {body}\n"
    made = rewrite_source(source, recipe, calls=calls)
    assert (
        check_equivalence(source, made.source, calls, examples=30, assumes=made.assumes, inputs="any").equivalent
        is not False
    )
    return made.source.partition("\n")[2][4:-1].replace("\n    ", "\n")


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("return a.replace(b, c)", "f('xy', 'x', 'z')"),
        ("return a.replace(b, c)", "f('x', 'xy', 'z')"),
        ("return a.replace(b, c)", "f('x', '', 'z')"),
        ("return a.replace(b, c, 1)", "f('x', 'x', 'z')"),
        ("return a.replace(*b)", "f('x', 'xz', '')"),
        ("return a.replace(b, c)", "f(b'x', b'x', b'z')"),
    ],
)
def test_what_is_no_single_character_stays(body: str, call: str) -> None:
    assert rewritten(body, call) == body


def test_a_call_with_a_longer_string_keeps_the_method() -> None:
    body = "return a.replace(b, c)"
    assert rewritten(body, "f('x', 'x', 'z')", "f('xy', 'x', 'z')") == body


@pytest.mark.medium
def test_operands_before_it_stay_in_place_where_it_writes_no_step() -> None:
    body = "return b.upper() + a.replace(b, c) + c.lower()"
    assert rewritten(body, "f('x', 'x', 'z')") == "return b.upper() + (c if a == b else a) + c.lower()"


@pytest.mark.medium
def test_operands_before_it_are_evaluated_first_where_it_writes_a_step() -> None:
    made = rewritten("c = list(c)\n    return c.pop() + a.replace(b, c.pop())", "f('x', 'x', 'yz')")
    assert made == "c = list(c)\n_t0 = c.pop()\n_t1 = c.pop()\nreturn _t0 + (_t1 if a == b else a)"


@pytest.mark.medium
def test_it_is_evaluated_before_the_steps_of_a_later_operand() -> None:
    made = rewritten("return a.replace(b, c) + (c + 'yz')[::-1]", "f('x', 'x', 'z')", recipe="idioms")
    assert made.startswith("_t0 = c if a == b else a\n") and made.endswith("\nreturn _t0 + _t2")
