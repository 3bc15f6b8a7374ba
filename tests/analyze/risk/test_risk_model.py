"""The published weights: sane, named, and no stranger to what they say they were made from."""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.risk.features import FEATURE_DESCRIPTIONS, StepFeatures, classify_operation
from analyze.risk.risk_model import FILE, published_weights, read_weights, sample_risk
from analyze.risk.steps import Operand, RecordedOperation
from corpora.errors import InputError

VALUES = st.fixed_dictionaries({name: st.floats(0, 12) for name in FEATURE_DESCRIPTIONS})


def test_weights_and_words_name_the_same_features() -> None:
    assert list(json.loads(FILE.read_text())["weights"]) == list(FEATURE_DESCRIPTIONS)


def test_weights_of_other_features_are_refused_with_the_command_that_refits_them(tmp_path: Path) -> None:
    content = json.loads(FILE.read_text())
    content["weights"] = {("old" if name == "pad" else name): weight for name, weight in content["weights"].items()}
    stale = tmp_path / "weights.json"
    stale.write_text(json.dumps(content))
    with pytest.raises(InputError, match="without a weight: pad; no longer a feature: old") as raised:
        read_weights(stale)
    assert "python -m lab.risk.fit --write" in str(raised.value)


@given(VALUES)
def test_a_risk_is_a_probability_and_its_reasons_are_features(values: dict[str, float]) -> None:
    step = StepFeatures(values, ())
    assert 0 <= published_weights().risk(step) <= 1
    assert set(published_weights().why(step)) <= set(FEATURE_DESCRIPTIONS.values())


def test_a_step_that_does_nothing_is_nearly_safe() -> None:
    step = StepFeatures(dict.fromkeys(FEATURE_DESCRIPTIONS, 0.0), ())
    assert published_weights().risk(step) < 0.01
    assert published_weights().why(step) == ()


def test_a_sample_fails_where_any_step_does() -> None:
    assert sample_risk([]) == 0
    assert isclose(sample_risk([0.5, 0.5]), 0.75)
    assert sample_risk([0.1, 1.0]) == 1


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (RecordedOperation("method", "find", (Operand("list", 3, None),), Operand("int", -1, 1)), ("", 3)),
        (RecordedOperation("method", "index", (Operand("list", 3, None),), Operand("int", -1, 1)), ("list search", 3)),
        (RecordedOperation("method", "find", (Operand("str", 5, "hello"),), Operand("int", -1, 1)), ("search", 5)),
        (RecordedOperation("method", "join", (Operand("str", 1, "-"),), Operand("str", 9, "a-b")), ("join", 9)),
        (RecordedOperation("call", "len", (Operand("str", 5, "hello"),), Operand("int", -1, 5)), ("", 5)),
        (RecordedOperation("call", "sorted", (Operand("str", 5, "hello"),), Operand("list", 5, None)), ("sort", 5)),
        (
            RecordedOperation(
                "operator", "In", (Operand("str", 1, "h"), Operand("str", 5, "hello")), Operand("bool", -1, True)
            ),
         ("membership", 5)),
        (RecordedOperation("call", "", (), Operand("", -1, None)), ("", 0)),
    ],
)  # fmt: skip
def test_an_operation_belongs_to_one_feature(operation: RecordedOperation, expected: tuple[str, int]) -> None:
    assert classify_operation(operation) == expected


def test_a_reason_names_the_operation_and_what_it_goes_over() -> None:
    find = RecordedOperation("method", "rindex", (Operand("str", 40, "a" * 40),), Operand("int", -1, 3))
    step = StepFeatures({**dict.fromkeys(FEATURE_DESCRIPTIONS, 0.0), "search": 3.7}, (find,))
    assert published_weights().why(step) == ("a string is searched (rindex over 40 characters)",)
