"""Plans: what cannot be planned first; then what a plan says of a program, held against running it."""

from __future__ import annotations

import pytest
import tokenizers

from analyze import trace_call
from analyze.tokens.tokenizer import Tokenizer
from analyze.tokens.vocabulary import byte_alphabet
from corpora.errors import InputError
from corpora.execute import run_call
from rewrite import check_equivalence
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.weights import published
from tests.analyze.shared_data import rows

SOURCE = (
    "def f(text, chars):\n"
    '    parts = text.replace(chars[0], "-").split("-")\n'
    "    total = len(parts) + len(text[::-1].strip())\n"
    '    return "-".join(parts).upper() + str(total)\n'
)
CALL = "f('abcabc', 'a')"


@pytest.mark.parametrize(
    ("source", "calls", "budget", "why"),
    [
        (SOURCE, [], 8192, "needs calls"),
        (SOURCE, ["f("], 8192, "no call that Python can read"),
        (SOURCE, [CALL], 0, "budget must be at least 1"),
        ("def f(:\n", [CALL], 8192, "<source>:1"),
    ],
)
def test_what_cannot_be_planned_is_said_in_one_line(source: str, calls: list[str], budget: int, why: str) -> None:
    with pytest.raises(InputError, match=why) as found:
        plan_rewrite(source, calls, budget=budget)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    ("source", "call", "why"),
    [
        ("def f():\n    while True:\n        pass\n", "f()", "shows nothing"),
        ("import nowhere\ndef f(n):\n    return n * 2 + 1\n", "f(1)", "No module named 'nowhere'"),
        (SOURCE, "g(1)", "name 'g' is not defined"),
        (SOURCE, "f(1)", "missing 1 required positional argument"),
        ("import random\ndef f():\n    return random.SystemRandom().random() + 1\n", "f()", "depends on"),
        ("def f(n):\n    return sum(x + 1 for x in range(n))\n", "f(100000)", ""),
    ],
)
def test_a_call_without_a_trace_leaves_the_program_alone(source: str, call: str, why: str) -> None:
    plan = plan_rewrite(source, [call])
    assert plan.source == source
    assert plan.tokens is None
    assert not plan.choices
    assert any(why in left.reason for left in plan.left)


def test_a_budget_below_the_first_frames_leaves_the_program_alone_and_says_by_how_much() -> None:
    plan = plan_rewrite(SOURCE, [CALL], budget=20)
    assert plan.source == SOURCE
    assert plan.tokens == plan.original_tokens
    assert any("too many" in left.reason for left in plan.left)


def test_a_call_that_raises_is_planned_as_any_other() -> None:
    plan = plan_rewrite(SOURCE, ["f('abc', '')"])
    assert run_call(plan.source, "f('abc', '')").exception == run_call(SOURCE, "f('abc', '')").exception


def test_a_plan_says_what_it_did_and_what_that_costs() -> None:
    plan = plan_rewrite(SOURCE, [CALL])
    assert plan.choices
    assert plan.risk < plan.original_risk
    assert {choice.line for choice in plan.choices} <= {2, 3, 4}
    assert plan.original_tokens == trace_call(SOURCE, CALL).tokens
    assert plan.tokens == trace_call(plan.source, CALL).tokens
    assert plan.tokens is not None
    assert plan.tokens <= published().most * plan.original_tokens
    assert check_equivalence(SOURCE, plan.source, [CALL], examples=20, assumes=plan.assumes).equivalent


def test_the_same_program_gets_the_same_plan() -> None:
    assert plan_rewrite(SOURCE, [CALL]) == plan_rewrite(SOURCE, [CALL])


@pytest.mark.parametrize("number", range(0, 400, 40))
def test_a_program_that_fits_still_fits_and_does_the_same(number: int) -> None:
    row = rows("cruxeval_even.jsonl")[number]
    call = f"f({row['input']})"
    before = trace_call(row["code"], call).tokens
    plan = plan_rewrite(row["code"], [call], budget=before + 40)
    assert plan.tokens is not None
    assert plan.tokens <= before + 40
    assert run_call(plan.source, call).value == run_call(row["code"], call).value


def test_a_call_that_never_came_to_the_program_is_named_and_the_others_count() -> None:
    plan = plan_rewrite(SOURCE, [CALL, "g(1)"])
    assert plan.choices
    assert [left.reason for left in plan.left if "g(1)" in left.reason]


def test_a_loop_over_a_text_gets_a_list_of_its_characters_once_and_no_name_in_each_round() -> None:
    source = (
        "def f(text):\n    a = []\n    for i in range(len(text)):\n        if not text[i].isdecimal():\n"
        "            a.append(text[i])\n    return ''.join(a)\n"
    )
    plan = plan_rewrite(source, ["f('seiq7229 d27')"])
    assert "    _t0 = list(text)\n    del _t0\n    for i in range(len(text)):\n" in plan.source
    assert "        if not text[i].isdecimal():\n            a.append(text[i])\n" in plan.source
    assert plan.tokens is not None and plan.original_tokens is not None
    assert plan.tokens <= 1.3 * plan.original_tokens


def bytewise(*special: str) -> Tokenizer:
    """A vocabulary with a token for each byte."""
    alphabet = {character: number for number, character in enumerate(byte_alphabet().values())}
    reference = tokenizers.Tokenizer(tokenizers.models.BPE(alphabet, []))
    reference.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    reference.add_special_tokens(list(special))
    return Tokenizer(reference, "bytes")


def test_a_tokenizer_that_cannot_write_traces_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"no special token <\|call_sep\|>"):
        plan_rewrite(SOURCE, [CALL], tokenizer=bytewise())


def test_another_tokenizer_counts_otherwise() -> None:
    names = ("frame", "action", "return", "call", "line", "exception", "arg")
    plan = plan_rewrite(SOURCE, [CALL], tokenizer=bytewise(*(f"<|{name}_sep|>" for name in names)))
    usual = plan_rewrite(SOURCE, [CALL])
    assert plan.original_tokens is not None and usual.original_tokens is not None
    assert plan.original_tokens > 2 * usual.original_tokens
