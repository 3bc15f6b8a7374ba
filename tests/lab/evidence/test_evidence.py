"""Pairs, census and effects on small data with known answers: malformed rows first."""

import io
import json

import pytest

from corpora import read_rows
from corpora.errors import InputError
from corpora.outputs.state_lens import PRELUDE
from corpora.rows import BadRow
from lab.evidence.census import judge_pair, smallest_counterexamples, table, write_verdicts
from lab.evidence.pairs import read_pairs
from lab.evidence.rewrite_effects import effects, holm, read_answers, recoveries

BEFORE = "def double(a: List[int]) -> int:\n    return sum(a) * 2\n"
RENAMED = "def f(Var_1: List[int]) -> int:\n    return sum(Var_1) * 2\n"
VAN = {"id": "s", "form": "van", "problem": "p", "code": BEFORE, "call": "double(a = [1, 2])"}
REN = {"id": "s", "form": "ren", "problem": "p", "code": RENAMED, "call": "f(Var_1 = [1, 2])"}
OTHER = {"id": "s", "form": "gbc", "problem": "p", "code": BEFORE.replace("* 2", "* 3"), "call": VAN["call"]}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"before": "x = 1", "call": "f()"}, "needs the fields"),
        ({"before": "x = 1", "after": "x = 1", "calls": [1]}, "a call that is not a string"),
        ({**REN, "id": "alone"}, "or its original"),
        ({**REN, "call": "f"}, "cannot be matched"),
        ({**REN, "call": "f("}, "cannot be matched"),
    ],
)
def test_a_row_that_is_no_pair_is_named(row: dict[str, object], reason: str) -> None:
    _, bad = read_pairs(read_rows([{"before": "x = 1", "after": "x = 1", "call": "f()"}, VAN, row]))
    assert [isinstance(one, BadRow) and reason in one.reason for one in bad] == [True]


def test_a_file_without_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="no pair of programs"):
        read_pairs(read_rows([VAN]))


@pytest.mark.medium
def test_forms_are_compared_with_their_original_and_a_renamed_function_takes_its_calls() -> None:
    pairs, bad = read_pairs(read_rows([VAN, REN, OTHER, {**VAN, "form": "mcc"}]))
    assert not bad and [pair.kind for pair in pairs] == ["ren", "gbc"]
    assert pairs[0].before == PRELUDE + BEFORE and pairs[0].after.endswith("    return f(a)\n")
    verdicts = [judge_pair(pair) for pair in pairs]
    assert [verdict.equivalent for verdict in verdicts] == [True, False]
    assert [row[:4] for row in table(verdicts)] == [("gbc", "1", "0", "1"), ("ren", "1", "0", "0")]
    assert smallest_counterexamples(verdicts)["gbc"].counterexample
    file = io.StringIO()
    write_verdicts(verdicts, file)
    assert [json.loads(line)["equivalent"] for line in file.getvalue().splitlines()] == [True, False]


def test_effects_are_paired_and_exclude_what_is_not_equivalent() -> None:
    rows = [
        {"model": "m", "form": form, "id": f"s{number}", "problem": f"p{number}", "right": form == "van" or number < 5}
        for number in range(20)
        for form in ("van", "ren")
    ]
    answers, problems = read_answers(read_rows([*rows, {"model": "m", "form": "ren", "id": "s0", "right": "yes"}]))
    (found,) = effects(answers, problems)
    assert (found.samples, found.problems, found.original, found.change) == (20, 20, 1.0, -0.75)
    assert found.interval is not None and found.interval[0] < -0.75 < found.interval[1] < 0 and found.p < 0.001
    one, many = found.detectable(1), found.detectable(28)
    assert one is not None and many is not None and 0 < one < many < 1
    (less,) = effects(answers, problems, {(f"s{number}", "ren") for number in range(5, 20)})
    assert (less.samples, less.change, less.p) == (5, 0.0, 1.0) and less.interval is None


def test_answers_without_originals_are_refused() -> None:
    with pytest.raises(InputError, match="no answers to originals"):
        read_answers(read_rows([{"model": "m", "form": "ren", "id": "a", "right": True}]))


def test_a_rewrite_that_changes_nothing_is_the_control() -> None:
    rows = [
        {"benchmark": "c", "status": "wrong", "code": "x = 1", "paper_rewrite": rewrite, "recovered_by": by}
        for rewrite, by in [("x = 2", "string")] * 3 + [("x  =  1  # same", None), (None, None), ("x = 1", "string")]
    ]
    rows += [{"benchmark": "h", "status": "wrong", "code": "x = 1", "paper_rewrite": None, "recovered_by": None}]
    rows += [{**rows[0], "status": "truncated"}]
    found = recoveries(read_rows(rows))
    assert found.keys() == {"c"} and (found["c"].changed, found["c"].unchanged) == ((3, 3), (1, 3))


def test_holm_never_lowers_a_p_value_nor_changes_the_order() -> None:
    assert holm([0.5, 0.001, 0.9]) == pytest.approx([1.0, 0.003, 1.0])
