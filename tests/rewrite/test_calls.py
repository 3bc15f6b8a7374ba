"""Rewrites that rest on calls: what is assumed and said, what it costs, and that they are the same program there."""

import json
import re

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from corpora import run_call
from corpora.errors import InputError
from rewrite import check_equivalence, rewrite_source
from rewrite.equivalence.call_inputs import BACKEND
from rewrite.evidence.assumptions import Assumption, read_assumptions
from rewrite.testing import Program, programs
from tests.places import DATA
from tests.rewrite.testing.test_programs import observed

SOURCE = 'def f(text, n):\n    return text.replace(text[n], "-").split(text[:n])\n'


def test_no_bound_method_where_every_call_shows_a_plain_look_up() -> None:
    made = rewrite_source(SOURCE, "expressions", calls=["f('abca', 1)"])
    assert made.source == (
        "def f(text, n):\n"
        "    _t0 = text[n]\n"
        '    _t0 = text.replace(_t0, "-")\n'
        "    _t1 = text[:n]\n"
        "    return _t0.split(_t1)\n"
    )
    assert made.assumes == (
        Assumption(2, 12, "text.replace", "is the method that its type defines"),
        Assumption(2, 12, 'text.replace(text[n], "-").split', "is the method that its type defines"),
    )
    assert made.original_tokens is not None and made.tokens is not None
    assert made.original_tokens < made.tokens
    assert [made.origin(line) for line in range(1, 6)] == [1, 2, 2, 2, 2]


def test_without_calls_a_method_of_a_list_is_bound_where_it_was() -> None:
    source = (
        "def f(g):\n    xs = []\n\n    def h():\n        nonlocal xs\n        xs = [1]\n\n"
        "    xs.append(g(h) + 1)\n    return xs\n"
    )
    assert "_t0 = xs.append\n" in rewrite_source(source, "expressions").source
    assert "_t0 = xs\n" in rewrite_source(source, "expressions", calls=["f(lambda h: 1)"]).source


def test_what_the_source_proves_is_not_assumed() -> None:
    made = rewrite_source("def f(a):\n    return ','.join(a[0].split())\n", calls=["f(['a b'])"])
    assert made.assumes == ()
    assert "_t0 = a[0]\n" in made.source


@pytest.mark.medium
@pytest.mark.parametrize(
    ("source", "calls"),
    [
        (SOURCE, ["f('abca', 1)", "f([1], 0)"]),  # a list has no such method
        ("class A:\n    def __getattr__(self, name): return max\ndef f(n): return A().g(n[0], 1)\n", ["f([1])"]),
        ("class A:\n    @property\n    def g(self): return max\ndef f(n): return A().g(n[0], 1)\n", ["f([1])"]),
        ("class A: pass\ndef f(n):\n    a = A()\n    a.g = max\n    return a.g(n[0], 1)\n", ["f([1])"]),
        ("def f(a, n):\n    if n > 9:\n        return a.index(n + 1)\n    return 1\n", ["f([1], 1)"]),  # not reached
        ("def f(a, n):\n    return a.index(n + 1)\n", []),
    ],
)
def test_a_method_is_bound_first_where_nothing_shows_that_it_need_not_be(source: str, calls: list[str]) -> None:
    made = rewrite_source(source, "expressions", calls=calls)
    assert re.search(r"_t\d+ = \S+\.(replace|g|index)\n", made.source)
    assert (
        check_equivalence(source, made.source, calls, examples=20, assumes=made.assumes, inputs="any").equivalent
        is not False
    )


@pytest.mark.medium
def test_a_call_that_shows_nothing_is_named_and_without_any_other_all_is_as_without_calls() -> None:
    source = "import random\ndef f(a, n):\n    return a.index(n + 1) + random.random()\n"
    made = rewrite_source(source, "expressions", calls=["f([1], 0)"])
    assert made.unobserved == (("f([1], 0)", "not compared, nondeterministic: depends on random"),)
    assert made.source == rewrite_source(source, "expressions").source


def test_where_no_call_came_nothing_is_guarded_and_nothing_assumed() -> None:
    source = "def f(text, n):\n    if n:\n        return text.count('a') + 1\n    return text.count('b') + 1\n"
    made = rewrite_source(source, "strings", calls=["f('abab', 0)"], cost=None)
    assert "type(" not in made.source
    assert "    return text.count('a') + 1\n" in made.source.replace("    " * 2, "    ")
    assert {one.line for one in made.assumes} == {4}
    assert rewrite_source(source, "strings").source.count("type(") == 2


def test_without_calls_there_is_nothing_to_assume_and_with_them_one_may_choose_not_to() -> None:
    with pytest.raises(InputError, match="needs calls"):
        rewrite_source(SOURCE, unproven="assume")
    with pytest.raises(InputError, match="unproven must be assume, guard, leave or None, not 'hope'"):
        rewrite_source(SOURCE, unproven="hope")
    guarded = rewrite_source(SOURCE, "expressions", calls=["f('abca', 1)"], unproven="guard")
    assert guarded.assumes == ()
    assert "_t0 = text.replace\n" in guarded.source


@pytest.mark.parametrize("call", ["f(", "f(1); f(2)", "import os", "f(\0)"])
def test_what_is_no_call_is_refused(call: str) -> None:
    with pytest.raises(InputError, match="is not a Python expression"):
        rewrite_source(SOURCE, calls=[call])


@pytest.mark.parametrize("cost", [0.5, "much", float("nan"), True])
def test_what_is_no_limit_is_refused(cost: object) -> None:
    with pytest.raises(InputError, match="cost must be a number >= 1"):
        rewrite_source(SOURCE, calls=["f('a', 0)"], cost=cost)  # type: ignore[arg-type]


DEAR = "def f(n):\n    a = [i * i + 1 for i in range(n)]\n    return sum(a) + len(a)\n"


@pytest.mark.medium
def test_what_is_too_dear_is_left_out_dearest_first_and_said_with_its_price() -> None:
    whole = rewrite_source(DEAR, calls=["f(9)"], cost=None)
    assert "for i in range(n):\n" in whole.source
    cheap = rewrite_source(DEAR, calls=["f(9)", "f(2)"], cost=1.5)
    assert "a = [i * i + 1 for i in range(n)]\n" in cheap.source
    assert "_t0 = sum(a)\n" in cheap.source
    assert whole.tokens and cheap.tokens and cheap.original_tokens
    assert cheap.tokens <= 1.5 * cheap.original_tokens < whole.tokens
    (left,) = cheap.left
    assert left.line == 2
    limit = int(1.5 * cheap.original_tokens)
    assert left.reason.startswith(f"over the token limit of {limit}, ")
    assert left.reason.endswith(" tokens more in the longest trace: nested expressions in i * i + 1")


@pytest.mark.medium
def test_what_fitted_into_the_budget_still_does() -> None:
    source = DEAR.replace("range(n)", "range(n) if i % 3 + 1 > 1")
    whole = rewrite_source(source, calls=["f(60)"], cost=None)
    limited = rewrite_source(source, calls=["f(60)"], cost=50.0)
    assert whole.tokens and limited.tokens and limited.original_tokens
    assert limited.original_tokens <= 8192 < whole.tokens < 50 * limited.original_tokens
    assert limited.tokens <= 8192
    assert limited.left[0].reason.startswith("over the token limit of 8,192 (the budget of a trace), ")


def test_a_truth_that_is_asked_for_twice_must_be_of_a_builtin_type() -> None:
    source = "def f(a, b):\n    if a.x() or b.y():\n        return 1\n    return 2\n"
    head = (
        "class T:\n    def __bool__(self):\n        print('asked')\n        return True\n    def x(self): return self\n"
    )
    made = rewrite_source(head + source, "expressions", calls=["f(T(), T())"])
    assert made.assumes == ()
    assert run_call(made.source, "f(T(), T())").stdout == run_call(head + source, "f(T(), T())").stdout == "asked\n"


@pytest.mark.medium
def test_assumptions_are_read_back_from_what_json_made_of_them() -> None:
    found = rewrite_source(SOURCE, calls=["f('abca', 1)"]).assumes
    assert read_assumptions(json.loads(json.dumps(found))) == found
    assert read_assumptions([one._asdict() for one in found]) == found


@pytest.mark.parametrize("wrong", [None, {}, [1], [[1, 2, "a"]], [[1, 2, "a", "is nice"]], [{"line": 1}]])
def test_what_is_no_assumption_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="assumption"):
        read_assumptions(wrong)


ALL_NEW = settings(backend=BACKEND, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)


@pytest.mark.medium
@settings(ALL_NEW, max_examples=4)
@given(programs(depth=2, size=3))
def test_a_drawn_program_does_the_same_on_its_calls_and_within_its_assumptions(program: Program) -> None:
    does_the_same(program)


@pytest.mark.slow
@settings(ALL_NEW, max_examples=15)
@given(programs(depth=3, size=4))
def test_many_drawn_programs_do_the_same_on_their_calls_and_within_their_assumptions(program: Program) -> None:
    does_the_same(program)


def does_the_same(program: Program) -> None:
    made = rewrite_source(program.source, calls=program.calls)
    assert observed(Program(made.source, program.calls)) == observed(program)
    assert not [left for left in made.left if "did something else" in left.reason]
    verdict = check_equivalence(
        program.source, made.source, program.calls, examples=20, assumes=made.assumes, inputs="any"
    )
    assert verdict.equivalent is not False, verdict.counterexample


FAILURES = DATA / "cwm_failures_even.jsonl"


@pytest.mark.medium
@pytest.mark.skipif(not FAILURES.exists(), reason=f"{FAILURES} is not there")
def test_failures_of_the_model_get_no_bound_method_and_stay_within_their_price() -> None:
    rows = [json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines()]
    for row in [row for row in rows if row["status"] == "wrong"][:40:4]:
        made = rewrite_source(row["code"], "expressions", calls=[row["call"]])
        before, after = run_call(row["code"], row["call"]), run_call(made.source, row["call"])
        assert before == after, row["id"]
        assert made.tokens is not None and made.original_tokens is not None
        assert made.tokens <= 4 * made.original_tokens
        assert not [line for line in made.source.splitlines() if line.strip() in ("_t0 = text.replace", "_t0 = a.join")]


def test_what_would_show_no_more_than_an_address_gets_no_name() -> None:
    source = "def f(xs, n):\n    return sorted(map(str.upper, xs[n + 1:])), max(zip(xs, reversed(xs)))[0] + 'a'\n"
    made = rewrite_source(source, "expressions", calls=["f(['a', 'b', 'c'], 0)"])
    assert re.search(r"= sorted\(map\(str.upper, _t\d\)\)\n", made.source)
    assert "= max(zip(xs, reversed(xs)))\n" in made.source
    assert "= map(" in rewrite_source(source, "expressions").source


def test_what_is_not_proven_is_left_and_said_where_no_type_test_is_wanted() -> None:
    source = "def f(text):\n    return text.count('a') + 1\n"
    made = rewrite_source(source, "strings", unproven="leave")
    assert not made.changed
    assert made.left == ((2, "not proven to be a str, not shown by a call, and no type test requested"),)
    assert rewrite_source(source, "strings", calls=["f(['a'])"]).left == ()


@pytest.mark.parametrize(
    ("head", "inside"),
    [
        ("for i in range(len(text)):", "out.append(text[i])"),
        ("for i in range(1, len(text) - 1):", "out.append(text[i])"),
        ("for i in range(n - 1):", "if not text[i].isdigit():\n            out.append(text[i + 1])"),
    ],
)
def test_with_calls_nothing_that_a_frame_shows_gets_a_name(head: str, inside: str) -> None:
    source = f"def f(text, n):\n    out = []\n    {head}\n        {inside}\n    return out\n"
    made = rewrite_source(source, "expressions", calls=["f('ab1cd', 4)"])
    named = re.findall(r"_t\d+ = (.*)", made.source)
    assert set(named) <= {"i + 1"}
    assert "_t0" in rewrite_source(source, "expressions").source  # without calls a name shows it


@pytest.mark.parametrize(
    ("source", "call", "named"),
    [
        ("def f(a, n):\n    return g(a[n])\ndef g(x): return x\n", "f('abc', 1)", "a[n]"),  # not counted
        ("def f(a):\n    for i in range(2):\n        print(a[i] + 1)\n", "f([1, 2])", "a[i]"),  # a list
        ("def f(a):\n    if not a.get(1):\n        return 2\n", "f({1: 3})", "a.get(1)"),  # more than a truth
        ("def f(a):\n    for i in range(len(a) * 2):\n        print(i)\n", "f('ab')", "len(a)"),  # not at a glance
    ],
)
def test_with_calls_what_no_frame_shows_still_gets_a_name(source: str, call: str, named: str) -> None:
    assert f"= {named}\n" in rewrite_source(source, "expressions", calls=[call]).source
