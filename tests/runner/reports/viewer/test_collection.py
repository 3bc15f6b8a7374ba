"""The records of runs in one table: groups, names of deep links, and programs that cannot be assessed."""

from dataclasses import replace
from typing import Any

import pytest

from analyze.risk.assessment import Assessment, assess
from runner.records.samples import Sample
from runner.reports.viewer import assessments, collection
from runner.reports.viewer.collection import Collection, collect, group_attempts
from tests.runner.reports.viewer.runs import record, rewritten


def collected(**runs: list[Sample]) -> Collection:
    return collect(runs, "llama-3", 30.0)


def test_a_program_that_does_not_parse_is_reported_and_shown() -> None:
    broken = replace(record(), source="def f(", verdict="not asked")
    found = collected(a=[broken, record(name="other")])
    assert found.attempts == 2
    assert len(found.unread) == 1
    assert "does not parse" in found.unread[0]
    assert found.blocks[0]["programs"][0]["frames"] == []


def test_attempts_at_a_sample_are_one_group_in_all_runs() -> None:
    runs = {"a": [record(), record(name="other"), rewritten()], "b": [record()]}
    assert [[number for number, _ in group] for group in group_attempts(runs)] == [[0, 0, 1], [0]]


def test_a_sample_has_another_name_in_another_run_and_is_one_group() -> None:
    named, recorded = [record(), rewritten()], replace(record(), id="7", case_key="of another harness")
    assert [[number for number, _ in group] for group in group_attempts({"a": named, "b": [recorded]})] == [[0, 0, 1]]
    repeated = [record(), record(name="the same program again")]
    assert [len(group) for group in group_attempts({"a": repeated, "b": [recorded]})] == [2, 1]


def test_the_same_attempt_in_two_runs_has_two_names() -> None:
    found = collected(a=[record()], b=[record()])
    names = found.columns["name"]
    assert names == [record().key, f"{record().key}.2"]
    assert len(found.blocks[0]["programs"]) == 1


def test_the_table_says_where_the_details_are() -> None:
    found = collected(a=[record(wrong="'worfw'"), rewritten()])
    about = (
        "name id run benchmark kind attempt verdict divergence frame cause risk hazards reference_tokens output_tokens"
    )
    assert " ".join(found.columns) == f"{about} block place"
    assert all(len(values) == 2 for values in found.columns.values())
    for row in range(2):
        sample = found.blocks[found.columns["block"][row]]["samples"][found.columns["place"][row]]
        assert (sample["row"], sample["attempt"]) == (row, found.columns["attempt"][row])
    assert found.columns["cause"] == ["method semantics", ""]
    assert found.columns["divergence"] == ["return value", "none"]
    assert found.blocks[0]["samples"][1]["rewrite"]["before"] == record().source


@pytest.mark.medium
def test_several_processes_collect_what_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "BATCH", 1)
    runs = {"a": [record(wrong="'worfw'"), replace(record(), case_key="b", source="def f(")], "b": [rewritten()]}
    done: list[tuple[int, int]] = []
    found = collect(runs, "llama-3", 30.0, 2, lambda *counts: done.append(counts))
    assert found == collect(runs, "llama-3", 30.0) and len(found.unread) == 1
    assert done == [(0, 3), (1, 3), (1, 3), (1, 3)]


def test_several_answers_to_a_sample_execute_its_program_once(monkeypatch: pytest.MonkeyPatch) -> None:
    executed: list[str] = []

    def assessed(source: str, *arguments: Any, **options: Any) -> Assessment:
        executed.append(source)
        return assess(source, *arguments, **options)

    monkeypatch.setattr(assessments, "assess", assessed)
    answers = [replace(record(), key=str(number), answer_index=number) for number in range(3)]
    assert collected(a=answers).attempts == 3
    assert len(group_attempts({"a": answers})) == 3 and len(executed) == 1
