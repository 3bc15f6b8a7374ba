"""Plans: what cannot be planned first; then what a plan says of a program, held against running it."""

from __future__ import annotations

import re
from math import log1p
from pathlib import Path
from typing import Any

import pytest
import tokenizers

from analyze import assess, trace_call
from analyze.risk.prices import price
from analyze.risk.program_map import WORDS, load_reliability_map
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from analyze.tokens.vocabulary import byte_alphabet
from corpora.errors import InputError
from corpora.execute import run_call
from rewrite import check_equivalence, rewrite_source
from rewrite.anf.rewrite_result import UNCHANGED
from rewrite.planner.changes import priced_changes
from rewrite.planner.line_forms import LONGER, NO_REPAIR
from rewrite.planner.objective import predict_risk
from rewrite.planner.plan import RIGHT, Plan
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.program import LIMIT
from rewrite.planner.repair import KnownFailure, predict_repair
from tests.analyze.shared_data import rows
from tests.samples import sampled

SOURCE = (
    "def f(text, chars):\n"
    '    parts = text.replace(chars[0], "-").split("-")\n'
    "    total = len(parts) + len(text[::-1].strip())\n"
    '    return "-".join(parts).upper() + str(total)\n'
)
CALL = "f('abcabc', 'a')"


SHORT = "def f(text):\n    return text[::-1]\n"
"""A program whose plan after a failure takes a tenth of the time and has an assumption."""
SHORT_CALL = "f('abcabc')"
TWO = "def f(text):\n    back = text[::-1].upper()\n    return back + str(len(text.strip()) + 1)\n"
"""A program whose plan after a failure changes more; it takes a quarter of the time."""


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_rewrite(TWO, [SHORT_CALL])


@pytest.fixture(scope="module")
def repair() -> Plan:
    """The plan after a failure of which nothing else is known."""
    return plan_rewrite(TWO, [SHORT_CALL], failed=True)


@pytest.mark.parametrize(
    ("source", "calls", "budget", "why"),
    [
        (SOURCE, [], 8192, "needs calls"),
        (SOURCE, ["f("], 8192, "is not a Python expression"),
        (SOURCE, ["g(1)"], 8192, "the program does not define g; it defines f"),
        (SOURCE, [CALL], 0, "budget must be at least 1"),
        ("def f(:\n", [CALL], 8192, "<source>:1"),
    ],
)
def test_what_cannot_be_planned_is_said_in_one_line(source: str, calls: list[str], budget: int, why: str) -> None:
    with pytest.raises(InputError, match=why) as found:
        plan_rewrite(source, calls, budget=budget)
    assert "\n" not in str(found.value)


@pytest.mark.medium
@pytest.mark.parametrize(
    ("source", "call", "why"),
    [
        ("def f():\n    while True:\n        pass\n", "f()", "is not used"),
        ("import nowhere\ndef f(n):\n    return n * 2 + 1\n", "f(1)", "No module named 'nowhere'"),
        (SOURCE, "f(1)", "missing 1 required positional argument"),
        ("import random\ndef f():\n    return random.SystemRandom().random() + 1\n", "f()", "depends on"),
        ("def f(n):\n    return sum(x + 1 for x in range(n))\n", "f(20000)", ""),
    ],
)
@pytest.mark.usefixtures("short_endless_loops")
def test_a_call_without_a_trace_leaves_the_program_alone(source: str, call: str, why: str) -> None:
    plan = plan_rewrite(source, [call])
    assert plan.source == source
    assert plan.tokens is None
    assert not plan.choices
    assert any(why in note for note in plan.notes)
    assert plan.risk is None and plan.original_risk is None  # unknown is not zero


def test_a_budget_below_the_first_frames_leaves_the_program_alone_and_says_what_would_help() -> None:
    plan = plan_rewrite(SOURCE, [CALL], budget=20)
    assert plan.source == SOURCE
    assert plan.tokens == plan.original_tokens
    assert plan.is_over_budget
    said = "\n".join(plan.notes)
    assert "too many" in said
    assert f"--budget {plan.tokens}" in said
    assert "passes without a candidate in this program: count_loop" in said
    assert "no smaller input that fits was found" in said


LOOP = (
    "def f(n):\n    a_total_with_a_long_name = 0\n    for i in range(n):\n        if i % 7 != 3:\n"
    "            a_total_with_a_long_name = g(a_total_with_a_long_name, i)\n    return a_total_with_a_long_name\n"
    "def g(t, i):\n    return t * 2 % 1009 + i\n"
)


@pytest.mark.medium
def test_forms_that_save_enough_tokens_are_tried_where_no_shortening_pass_is_enough() -> None:
    source = 'def f(s):\n    count = sum(c in "aeiou" for c in s.lower())\n    return count\n'
    call = "f('Banana and cherry')"
    original = plan_rewrite(source, call, budget=300)
    assert original.source == source and original.is_over_budget and original.tokens is not None
    plan = plan_rewrite(source, call, budget=original.tokens - 100)
    assert "for c in s.lower():" in plan.source
    assert plan.tokens is not None and plan.tokens <= plan.budget and not plan.is_over_budget
    assert plan.risk is not None and plan.original_risk is not None and plan.risk < plan.original_risk


@pytest.mark.medium
def test_a_program_over_budget_says_what_was_tried_and_which_input_fits() -> None:
    calls = ["f(60)", "f(2)"]
    plan = plan_rewrite(LOOP, calls, budget=900)
    assert plan.is_over_budget and plan.source == LOOP
    [needed] = [int(number) for note in plan.notes for number in re.findall(r"--budget (\d+)", note)]
    assert not plan_rewrite(LOOP, calls, budget=needed).is_over_budget
    [smaller] = [note.rpartition(": ")[2] for note in plan.notes if "a smaller input fits" in note]
    assert trace_call(LOOP, smaller).count_tokens(default_tokenizer(), 900) is not None
    assert any("not enough" in one.reason and one.tokens is not None and one.tokens < 0 for one in plan.left)


@pytest.mark.medium
def test_a_trace_of_few_frames_that_is_too_long_to_be_counted_is_over_budget_too() -> None:
    source = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"
    plan = plan_rewrite(source, ["f(3000)"], examples=5)
    assert plan.is_over_budget and plan.tokens is None


@pytest.mark.medium
def test_a_trace_that_is_too_long_to_be_counted_is_over_budget_and_unknown() -> None:
    plan = plan_rewrite(LOOP, ["f(3000)"], budget=900)
    assert plan.is_over_budget and plan.tokens is None and plan.risk is None
    assert any("a smaller input fits" in note for note in plan.notes)


PROGRAMS = {
    "materialized": (SOURCE, CALL),
    "several lines": (
        "def f(text):\n    out = ''\n    for c in text.strip().lower():\n"
        "        out = c + out[::-1].replace('a', 'bb')\n    return out.split('b')[-1].join(text.partition('n'))\n",
        "f(' Bananas ')",
    ),
    "numbers": ("def f(a, b):\n    return (a + b) * (a - b) // max(a * 2, b + 1) + len(str(a))[0]\n", "f(7, 3)"),
    "recursion": (
        "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n",
        "fib(9)",
    ),
    "long names": (
        "def f(measurements):\n    first_long_name_of_a_variable = 1\n    running_total_value_with_a_long_name = 0\n"
        "    for single_measurement_with_a_long_name in measurements:\n"
        "        running_total_value_with_a_long_name += single_measurement_with_a_long_name\n"
        "    return running_total_value_with_a_long_name, first_long_name_of_a_variable\n",
        "f([10, 20, 30])",
    ),
}


SHARES = (0.5, 0.6, 0.75, 0.9, 1.0, 1.3, 4.0)


PAIRS = [(name, share) for name in PROGRAMS for share in SHARES]


@pytest.mark.medium
@pytest.mark.parametrize(("name", "share"), sampled(PAIRS, [f"{name} {share}" for name, share in PAIRS]))
def test_the_rows_of_a_plan_add_up_to_its_totals(name: str, share: float) -> None:
    source, call = PROGRAMS[name]
    original = trace_call(source, call).tokens
    plan = plan_rewrite(source, [call], budget=max(1, int((original or 0) * share)), examples=0)
    adds_up(plan)
    if plan.source != source:  # whatever is assumed is said of the original
        verdict = check_equivalence(source, plan.source, [call], examples=5, assumes=plan.assumes, inputs="any")
        assert verdict.counterexample is None


def adds_up(plan: Plan) -> None:
    assert plan.tokens is not None and plan.original_tokens is not None
    assert plan.tokens - plan.original_tokens == sum(one.tokens for one in plan.choices)
    assert plan.risk is not None and plan.original_risk is not None
    removed = [one.risk for one in plan.choices if one.risk is not None]
    assert len(removed) == len(plan.choices)
    assert abs(plan.original_risk - plan.risk - sum(removed)) < 1e-9


@pytest.mark.parametrize("number", range(0, 400, 25))
@pytest.mark.parametrize("share", [0.8, 2.0])
@pytest.mark.slow
def test_the_rows_of_a_plan_of_cruxeval_add_up(number: int, share: float) -> None:
    row = rows("cruxeval_even.jsonl")[number]
    call = f"f({row['input']})"
    budget = max(1, int(share * (trace_call(row["code"], call).tokens or 0)))
    adds_up(plan_rewrite(row["code"], [call], budget=budget))


def test_an_option_that_there_is_not_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(InputError, match=r"unknown option 'budgets' \(did you mean 'budget'\?\)"):
        plan_rewrite(SOURCE, [CALL], budgets=3)
    with pytest.raises(InputError, match=r"unknown option 'call' \(did you mean 'calls'\?\)"):
        rewrite_source(SOURCE, call=[CALL])
    with pytest.raises(InputError, match=r"unknown option 'treshold' \(did you mean 'threshold'\?\)"):
        rewrite_source(SOURCE, "planned", calls=[CALL], treshold=3)


def test_a_call_that_is_no_string_is_refused() -> None:
    for refused in ([3], [None], [b"f()"]):
        with pytest.raises(InputError, match="a call must be a string such as"):
            plan_rewrite(SOURCE, refused)  # type: ignore[arg-type]


@pytest.mark.parametrize("source", [None, b"def f(): pass", 3])
def test_a_program_that_is_no_string_is_refused_by_name_of_its_type(source: Any) -> None:
    for use in (
        lambda: plan_rewrite(source, "f()"),
        lambda: rewrite_source(source),
        lambda: check_equivalence("", source, inputs="any"),
    ):
        with pytest.raises(InputError, match=f"the program must be a string, not {type(source).__name__}"):
            use()
    with pytest.raises(InputError, match="calls must be a string or several, not 3"):
        rewrite_source(SOURCE, calls=3)  # type: ignore[arg-type]


@pytest.mark.medium
def test_a_single_call_may_be_a_string() -> None:
    made = plan_rewrite(SHORT, SHORT_CALL, examples=0, failed=True)
    assert made.choices and made == plan_rewrite(SHORT, [SHORT_CALL], examples=0, failed=True)
    assert rewrite_source(SHORT, calls=SHORT_CALL) == rewrite_source(SHORT, calls=[SHORT_CALL])
    assert check_equivalence(SHORT, SHORT + "\n", SHORT_CALL, examples=0, inputs="any").tried == 1


@pytest.mark.medium
def test_assumptions_and_the_text_are_those_of_the_original_with_form_feeds() -> None:
    source = SHORT.replace("    return", "\f    return")
    plan = plan_rewrite(source, [SHORT_CALL], failed=True)
    assert plan.source != source and plan.assumes
    verdict = check_equivalence(source, plan.source, [SHORT_CALL], examples=5, assumes=plan.assumes, inputs="any")
    assert verdict.counterexample is None
    assert plan_rewrite(source, ["f(1)"]).source == source


@pytest.mark.medium
def test_a_call_that_raises_is_planned_as_any_other() -> None:
    plan = plan_rewrite(SOURCE, ["f('abc', '')"])
    assert run_call(plan.source, "f('abc', '')").exception == run_call(SOURCE, "f('abc', '')").exception


@pytest.mark.medium
def test_a_plan_says_what_it_did_and_what_that_costs(plan: Plan) -> None:
    assert plan.choices
    assert plan.risk is not None and plan.original_risk is not None
    assert plan.risk < plan.original_risk
    assert plan.support.startswith("standard error of the change of the risk")
    assert plan.compared > 20
    assert {choice.line for choice in plan.choices} <= {2, 3}
    assert plan.original_tokens == trace_call(TWO, SHORT_CALL).tokens
    assert plan.tokens == trace_call(plan.source, SHORT_CALL).tokens
    assert plan.tokens is not None and plan.original_tokens is not None
    assert plan.tokens <= LIMIT * plan.original_tokens
    assert check_equivalence(TWO, plan.source, [SHORT_CALL], examples=20, assumes=plan.assumes, inputs="any").equivalent


@pytest.mark.medium
def test_the_same_program_gets_the_same_plan(plan: Plan) -> None:
    assert plan_rewrite(TWO, [SHORT_CALL]) == plan


@pytest.mark.medium
@pytest.mark.parametrize("number", sampled(range(0, 400, 40), map(str, range(0, 400, 40)), every=3))
def test_a_program_that_fits_still_fits_and_does_the_same(number: int) -> None:
    row = rows("cruxeval_even.jsonl")[number]
    call = f"f({row['input']})"
    before = trace_call(row["code"], call).tokens
    assert before is not None
    plan = plan_rewrite(row["code"], [call], budget=before + 40)
    assert plan.tokens is not None
    assert plan.tokens <= before + 40
    risks = [assess(source, call).risk for source in (row["code"], plan.source)]
    assert risks == [pytest.approx(plan.original_risk), pytest.approx(plan.risk)]
    assert all(one.risk is not None and one.risk > 0 for one in plan.choices)
    assert run_call(plan.source, call).value == run_call(row["code"], call).value


@pytest.mark.medium
def test_a_call_that_never_came_to_the_program_is_named_and_the_others_count() -> None:
    plan = plan_rewrite(TWO, [SHORT_CALL, "f()"])
    assert plan.choices
    assert [note for note in plan.notes if "f()" in note]
    assert plan.compared > 20


def test_a_loop_that_shows_each_character_gets_no_list_beside_it_and_no_name_in_each_round() -> None:
    source = (
        "def f(text):\n    a = []\n    for i in range(len(text)):\n        if not text[i].isdecimal():\n"
        "            a.append(text[i])\n    return ''.join(a)\n"
    )
    plan = plan_rewrite(source, ["f('seiq7229 d27')"])
    assert "list(text)" not in plan.source
    assert "        if not text[i].isdecimal():\n            a.append(text[i])\n" in plan.source
    assert plan.tokens is not None and plan.original_tokens is not None
    assert plan.tokens <= 1.4 * plan.original_tokens


@pytest.mark.medium
def test_an_operation_works_on_the_list_rather_than_beside_it() -> None:
    plan = plan_rewrite("def f(text):\n    return sorted(text)\n", ["f('E jIkx HtDpV G')"], failed=True)
    assert plan.source == "def f(text):\n    characters = list(text)\n    characters.sort()\n    return characters\n"
    assert plan.risk is not None and plan.original_risk is not None
    assert plan.risk < plan.original_risk


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


@pytest.mark.medium
def test_another_tokenizer_counts_otherwise(plan: Plan) -> None:
    names = ("frame", "action", "return", "call", "line", "exception", "arg")
    other = plan_rewrite(TWO, [SHORT_CALL], tokenizer=bytewise(*(f"<|{name}_sep|>" for name in names)))
    assert other.original_tokens is not None and plan.original_tokens is not None
    assert other.original_tokens > 2 * plan.original_tokens


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(t):\n    return len(t.upper()) + 1  # spellout: leave\n", "protected by a comment"),
        ("def f(t):\n    b = locals()\n    return len(t.upper()) + len(b)\n", "the scope uses locals"),
    ],
)
def test_values_that_may_not_change_are_named(source: str, reason: str) -> None:
    plan = plan_rewrite(source, ["f('ab')"])
    assert plan.source == source
    assert (source.count("\n"), reason) in {(one.line, one.reason) for one in plan.left}


def test_a_condition_is_not_taken_apart_if_that_needs_a_flag() -> None:
    source = "def f(a, b):\n    if b and a.endswith(b):\n        return b + a\n    else:\n        return a[:1]\n"
    plan = plan_rewrite(source, "f('spider', 'er')")
    assert plan.source == source
    assert "its condition would need a flag" in {one.reason for one in plan.left}


def test_a_failure_of_a_model_that_answers_in_words_is_refused() -> None:
    with pytest.raises(InputError, match="is not known: plan without the failure"):
        plan_rewrite(SOURCE, [CALL], failed=True, in_words=True)


def test_a_program_whose_output_is_right_stays_as_it_is() -> None:
    plan = plan_rewrite(SOURCE, [CALL], output=trace_call(SOURCE, CALL).text)
    assert plan.source == SOURCE
    assert plan.notes == (RIGHT,)
    assert plan.repair is None


@pytest.mark.medium
def test_a_plan_after_a_failure_repairs_at_least_as_often_as_the_plan_without(plan: Plan, repair: Plan) -> None:
    assert plan.repair is None
    assert repair.repair is not None
    before, after, other = (predict_risk([trace_call(one, SHORT_CALL)]) for one in (TWO, repair.source, plan.source))
    assert before is not None and after is not None and other is not None
    assert repair.repair == pytest.approx(predict_repair(before.steps, after.steps, KnownFailure()).chance)
    assert repair.repair >= predict_repair(before.steps, other.steps, KnownFailure()).chance
    assert repair.repair == pytest.approx(sum(one.repair or 0.0 for one in repair.choices))
    assert repair.risk is not None and repair.original_risk is not None
    assert repair.risk < repair.original_risk


@pytest.mark.medium
def test_an_output_for_a_call_that_never_enters_the_program_says_nothing_of_the_steps_of_another_call() -> None:
    source = "def f(text):\n    back = text[::-1]\n    return back + '1'\n"
    output = trace_call(source, SHORT_CALL).text.replace("cbacba1", "cbacbb1")
    found = plan_rewrite(source, ["f()", SHORT_CALL], output=output, examples=0)
    assert found.source == plan_rewrite(source, ["f()", SHORT_CALL], failed=True, examples=0).source
    assert found.source != plan_rewrite(source, [SHORT_CALL], output=output, examples=0).source


@pytest.mark.medium
def test_the_recipe_repair_is_the_plan_after_a_failure(repair: Plan) -> None:
    assert rewrite_source(TWO, "repair", calls=[SHORT_CALL]).source == repair.source != TWO


@pytest.mark.medium
def test_a_known_divergence_is_where_a_plan_acts() -> None:
    wrong = trace_call(SOURCE, CALL).text.replace('"total": "9"', '"total": "8"').replace("BC9", "BC8")
    plan = plan_rewrite(SOURCE, [CALL], output=wrong, examples=5)
    assert plan.repair is not None and plan.repair > 0
    assert {one.line for one in plan.choices if one.repair} == {3}
    assert any(NO_REPAIR in str(one) for one in plan.left if one.line == 2)


@pytest.mark.medium
def test_a_step_whose_other_forms_are_as_hard_is_said_not_to_be_repaired() -> None:
    wrong = trace_call(SOURCE, CALL).text.replace("'-BC-BC9'", "'-BC-BC8'")
    plan = plan_rewrite(SOURCE, [CALL], output=wrong, examples=5)
    assert (plan.source, plan.repair) == (SOURCE, 0)
    assert plan.notes == (f"{UNCHANGED}: no other form of line 4, where the model went wrong, is predicted to help",)


STARTS = "def f(s, o):\n    if s.startswith(o):\n        return s\n    return o + f(s, o[-2::-1])\n"


@pytest.mark.medium
def test_for_answers_in_words_a_form_that_gains_no_more_than_its_price_is_left_and_the_plan_says_so() -> None:
    call = "f('abba', 'bab')"
    in_states, in_words = (plan_rewrite(STARTS, call, in_words=is_word) for is_word in (False, True))
    net = "net of the price of its changes"
    assert not any(one.reason.endswith(net) for one in in_states.left)
    assert in_words.source == STARTS and in_words.risk == in_words.original_risk
    assert in_words.support.startswith("left as it is: no form surely lowers the predicted risk")
    assert any(one.reason.endswith(net) for one in in_words.left)


@pytest.mark.medium
def test_a_plan_for_answers_in_words_has_the_risk_that_assess_prints_with_that_map() -> None:
    source, call = "def f(text, suffix):\n    return text[:-len(suffix)].upper()\n", "f('aababab', 'ab')"
    found = plan_rewrite(source, call, in_words=True)
    risk_map = load_reliability_map(Path(WORDS))
    for text, risk in ((source, found.original_risk), (found.source, found.risk)):
        assert risk == pytest.approx(assess(text, call, risk_map=risk_map).risk)
    assert found.source != source and found.risk is not None and found.original_risk is not None
    assert found.risk < found.original_risk


@pytest.mark.medium
@pytest.mark.parametrize("number", sampled(range(0, 400, 100), map(str, range(0, 400, 100)), every=2))
def test_a_plan_for_answers_in_words_gains_more_than_its_price(number: int) -> None:
    row = rows("cruxeval_even.jsonl")[number]
    found = plan_rewrite(row["code"], f"f({row['input']})", in_words=True)
    assert found.risk is not None and found.original_risk is not None
    gain = log1p(-found.risk) - log1p(-found.original_risk)
    assert gain >= price(priced_changes(row["code"], found.source)).estimate


@pytest.mark.medium
def test_a_form_on_elements_is_chosen_where_it_lowers_the_risk() -> None:
    source = "def f(items):\n    items = items + items\n    return items[-1] + items[-2]\n"
    plan = plan_rewrite(source, "f([3, 5, 8])", examples=0, failed=True)
    assert plan.made is not None and "negative_literal" in {one.intervention for one in plan.made.changes}
    assert plan.risk is not None and plan.original_risk is not None and plan.risk < plan.original_risk


@pytest.mark.medium
def test_loops_are_measured_together_where_no_shorter_form_gains() -> None:
    source = "def f(text, old):\n    index = text.rfind(old, 0, text.find(old))\n    return index\n"
    plan = plan_rewrite(source, ["f('jysrhfm ojwesf xgwwdyr dlrul ymba bpq', 'j')"], examples=0, failed=True)
    assert ".find(" not in plan.source and ".rfind(" not in plan.source
    assert plan.risk is not None and plan.original_risk is not None and plan.risk < plan.original_risk / 2


@pytest.mark.parametrize(
    "source",
    [
        "def f(text):\n    return text[::-1]\n",
        "def f(text):\n    return sorted(text)\n",
        "def f(text):\n    return [c.upper().lower() + '1' for c in text]\n",
    ],
)
def test_without_a_failure_no_form_lengthens_the_trace_but_temporaries(source: str) -> None:
    plan = plan_rewrite(source, "f('banana')", examples=0)
    assert plan.source == source
    assert LONGER in {one.reason for one in plan.left}


@pytest.mark.parametrize("body", ["all(x > 1 for x in items)", "tuple(x + 1 for x in items)"])
def test_a_form_that_shortens_the_trace_needs_no_failure(body: str) -> None:
    plan = plan_rewrite(f"def f(items):\n    return {body}\n", "f([3, 1, 2])", examples=0)
    assert "    for x in items:\n" in plan.source
    assert plan.tokens is not None and plan.original_tokens is not None and plan.tokens < plan.original_tokens
