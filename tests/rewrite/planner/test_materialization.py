"""What a plan adds to a program, and what it never adds."""

from __future__ import annotations

import pytest

from rewrite import plan_rewrite

ASSERTS = """\
def f(a, n):
    assert 0 <= n < len(a) * a[-1] + 1, 'out'
    return a[n] * 3 + a[n - 1] * 2 - a[0] * 5
"""
GENERATES = """\
def h(c):
    return c + 'x'

def f(a, n):
    return ''.join(h(str(ord(c) * 2)[1:] + str(n * 3)) for c in a.upper())

def g(a):
    return ''.join(bin(ord(c))[2:].zfill(8) for c in a.decode('utf-8')).strip('1').zfill(20)
"""


@pytest.mark.medium
@pytest.mark.parametrize(
    ("source", "call", "text", "reason"),
    [
        (ASSERTS, "f([2, 3], 1)", "__debug__", "steps of an assertion would need a test of __debug__"),
        (GENERATES, "g(b'ab')", "def _t", "steps of a generator expression would need a function"),
    ],
    ids=["assertion", "generator"],
)
def test_a_form_that_nobody_would_write_is_left_with_its_reason(source: str, call: str, text: str, reason: str) -> None:
    plan = plan_rewrite(source, [call], failed=True, examples=5)
    assert plan.source != source and text not in plan.source
    assert reason in {one.reason for one in plan.left}


@pytest.mark.medium
def test_what_is_not_chosen_stays_as_it_is() -> None:
    """Comprehensions and conditional expressions of other lines, though their parts could have steps."""
    source = (
        "T = {k: 1 / len(k) for k in ('a', 'bc')}\n\ndef f(x, y):\n    z = x if x not in T else y\n"
        "    return round(T[x] * T[y] * 3 + len(z), 3)\n"
    )
    plan = plan_rewrite(source, ["f('a', 'bc')"], failed=True, examples=5)
    before, after = source.splitlines(), plan.source.splitlines()
    assert plan.source != source
    for number, line in enumerate(before, 1):
        assert line in after or number in {one.line for one in plan.choices}


@pytest.mark.medium
def test_a_new_loop_has_its_body_on_lines_of_its_own() -> None:
    plan = plan_rewrite(GENERATES, ["f('ab', 4)"], failed=True, examples=5)
    assert not [line for line in plan.source.splitlines() if line.lstrip().startswith("for") and line[-1] != ":"]


@pytest.mark.parametrize("value", ["b[:]", "b[::]", "b.copy()"])
def test_a_plan_names_no_copy_of_a_variable(value: str) -> None:
    source = f"def f(a, k):\n    b = a[:k]\n    return a[k:] + {value}\n"
    made = plan_rewrite(source, "f([12, 10, 5, 6, 52, 36], 2)", examples=0).source
    assert f"+ {value}" in made or f"+{value}" in made


def test_a_plan_names_no_view_of_a_variable() -> None:
    source = "def f(d):\n    return sorted(d.items())[::-1][1:]\n"
    made = plan_rewrite(source, "f({3: 4, 1: 2, 9: 9})", examples=0).source
    assert made != source and "= d.items()" not in made


@pytest.mark.parametrize("value", ["-n", "{a: n}", "{a, n}", "[a, n]"])
def test_a_plan_names_no_display_of_variables_and_no_negated_one(value: str) -> None:
    source = f"def f(a, n):\n    return repr([a * n, {value}])[::-1].upper()\n"
    assert f", {value}" in plan_rewrite(source, "f('ab', 3)", examples=0).source
