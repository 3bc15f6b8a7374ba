"""The true traces against 96 published outputs of the 32B CWM, and the table of its failures."""

from collections import Counter
from collections.abc import Callable

import pytest

from analyze.diagnosis.divergence import DIVERGENCE_KINDS, Diagnosis, diagnose
from analyze.gold_trace.trace import trace_call
from tests.analyze.shared_data import rows

# Frames that agree before each output's first mistake, memory addresses left out; the format's notes name the figure.
AGREEING_FRAMES = 4939


@pytest.fixture(scope="module")
def diagnoses() -> list[tuple[str, Diagnosis]]:
    """Benchmark and diagnosis of each published output. None of the outputs reaches frame 1,000."""
    found = []
    for row in rows("cwm_failures_even.jsonl"):
        trace = trace_call(row["code"], row["call"], max_frames=1000)
        found.append((row["benchmark"], diagnose(trace, row["output"])))
    return found


@pytest.mark.medium
def test_the_true_traces_agree_with_the_published_outputs_up_to_their_first_mistakes(
    diagnoses: list[tuple[str, Diagnosis]], record_property: Callable[[str, object], None]
) -> None:
    agreeing = sum(diagnosis.frame for _, diagnosis in diagnoses)
    record_property("figure", f"{agreeing} frames agree with the published outputs before their first mistakes")
    assert agreeing >= AGREEING_FRAMES


@pytest.mark.medium
def test_the_failures_part_where_the_table_of_all_published_failures_says(
    diagnoses: list[tuple[str, Diagnosis]], record_property: Callable[[str, object], None]
) -> None:
    """The format's table is of all 115 + 52 failures; these are the half with even numbers."""
    table = {
        name: Counter(d.kind for benchmark, d in diagnoses if benchmark == name) for name in ("cruxeval", "humaneval")
    }
    for name, kinds in table.items():
        shares = ", ".join(f"{kind} {kinds[kind]}" for kind in DIVERGENCE_KINDS)
        record_property("figure", f"first divergences, {name}, {kinds.total()} outputs: {shares}")
    assert table["cruxeval"] == {
        "return value": 29,
        "state": 24,
        "action": 5,
        "event": 2,
        "cut off while right": 3,
        "none": 2,
    }
    assert table["humaneval"]["cut off while right"] == 10
    assert table["humaneval"]["state"] == table["humaneval"]["return value"] == table["humaneval"]["none"] == 6


def test_failures_with_a_wholly_right_trace_are_graded_as_right(diagnoses: list[tuple[str, Diagnosis]]) -> None:
    assert all(diagnosis.correct for _, diagnosis in diagnoses if diagnosis.kind == "none")
