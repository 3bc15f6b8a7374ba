"""Which call an output predicts."""

import warnings

import pytest

from corpora.outputs.predicted_inputs import predicted_call

DEEP = 900
"""Of nested operands: they can be parsed, and not printed."""


@pytest.mark.parametrize(
    "output", ["", "unknown", "g(1) == 2", "f(1) > 2", "x, 1", "f(", f"f({'1+' * DEEP}1)", f"f({'[' * 300})"]
)
def test_an_output_without_a_call_of_the_function_predicts_none(output: str) -> None:
    assert predicted_call(output) is None


@pytest.mark.parametrize(
    ("output", "call"),
    [
        ("f(1)", "f(1)"),
        ("assert f([1], 2) == 3", "f([1], 2)"),
        ("3 == f(2)", "f(2)"),
        ("f(0)\n`f(1)`", "f(1)"),
        ("[ANSWER] f(1) [/ANSWER] f(2)", "f(1)"),
        ("<answer>'a', 1</answer>", "f('a', 1)"),
        ("'a', key=[1]", "f('a', key=[1])"),
    ],
)
def test_the_call_that_an_output_states(output: str, call: str) -> None:
    assert predicted_call(output) == call


def test_an_invalid_escape_of_the_model_is_no_warning_of_ours() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert predicted_call(r"f('\d')") == r"f('\\d')"
