"""Lists of concatenated strings: operands that are no strings stay in one expression; parts are evaluated in order."""

import pytest

from rewrite import check_equivalence, rewrite_source


def rewritten(expression: str, call: str) -> str:
    source = f"def f(a, b):\n    return {expression}\n"
    made = rewrite_source(source, "idioms", calls=[call])
    assert check_equivalence(source, made.source, [call], examples=40, assumes=made.assumes, inputs="any").equivalent
    return "".join(line[4:] + "\n" for line in made.source.splitlines()[1:])


@pytest.mark.medium
@pytest.mark.parametrize(
    ("expression", "call"),
    [
        ("(a + b)[::-1]", "f([1], [2])"),
        ("(a * b)[::-1]", "f(2, 'xy')"),  # the factor comes first
        ("('x' + 'y')[::-1]", "f(1, 2)"),
        ("(a % b)[::-1]", "f('%s', 'xy')"),
    ],
)
def test_other_operands_are_not_listed(expression: str, call: str) -> None:
    assert "list(a)" not in rewritten(expression, call)
    assert "+ list(" not in rewritten(expression, call)


@pytest.mark.medium
def test_the_parts_of_a_concatenation_are_listed() -> None:
    made = rewritten("((a + b) * 2)[::-1]", "f('ab', 'cd')")
    assert made == "_t0 = (list(a) + list(b)) * 2\n_t0.reverse()\nreturn ''.join(_t0)\n"


@pytest.mark.medium
def test_a_part_that_is_an_expression_is_evaluated_first() -> None:
    made = rewritten("(a.title() + '-' + b)[::-1]", "f('ab', 'cd')")
    assert made.startswith("_t0 = a.title()\n_t1 = list(_t0) + list('-') + list(b)\n")


@pytest.mark.medium
def test_an_idiom_that_needs_the_string_itself_gets_it() -> None:
    assert rewritten("(a + b).replace('an', 'x')", "f('ba', 'nan')").startswith("_t0 = a + b\n")


def test_a_long_repetition_stays_a_string() -> None:
    source = "def f(a, n):\n    return (a * n)[::-1]\n"
    assert "list(a) * n" in rewrite_source(source, "idioms", calls=["f('ab', 9)"]).source
    assert "list(a) * n" not in rewrite_source(source, "idioms", calls=["f('', 10**8)"]).source


@pytest.mark.medium
def test_the_sorted_list_of_a_concatenation_is_the_result() -> None:
    made = rewritten("sorted(a + b)[0]", "f('ba', 'dc')")
    assert made == "_t0 = list(a) + list(b)\n_t0.sort()\nreturn _t0[0]\n" or "_t0.sort()\n_t1 = _t0\n" in made
