# ruff: noqa: E501 - reports are quoted whole
"""CrossHair's report read, and CrossHair itself where the extra is installed."""

import importlib.util

import pytest

from corpora.errors import InputError
from rewrite.equivalence import crosshair
from rewrite.equivalence.crosshair import CrossHairResult, run_crosshair

INSTALLED = importlib.util.find_spec("crosshair") is not None
MAXIMUM = "def f(a: int, b: int) -> int:\n    return a if a > b else b\n"


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"\[symbolic\]"):
        run_crosshair(MAXIMUM, MAXIMUM, "f")


@pytest.mark.parametrize(
    ("code", "output", "result"),
    [
        (2, "", CrossHairResult(None, detail="exit status 2")),
        (2, "Traceback\nSyntaxError: x\n", CrossHairResult(None, detail="SyntaxError: x")),
        (0, "No differences found. (attempted 9 iterations)\n", CrossHairResult(True, detail="No differences found. (attempted 9 iterations)")),
        (0, "No differences found.\nAll paths exhausted, functions are likely the same!\n", CrossHairResult(True, True, detail="All paths exhausted, functions are likely the same!")),
        (1, "Given: (a=1, b=[2]),\n  x : returns 0\n  y : returns 1\n", CrossHairResult(False, call="f(a=1, b=[2])", detail="Given: (a=1, b=[2]), x : returns 0 y : returns 1")),
        (1, "Given: (a=Thing()),\n  x : returns 0\n", CrossHairResult(False, detail="Given: (a=Thing()), x : returns 0")),
    ],
)  # fmt: skip
def test_a_report_is_read(code: int, output: str, result: CrossHairResult) -> None:
    assert crosshair._parse_report(code, output, "", "f") == result


@pytest.mark.skipif(not INSTALLED, reason="the extra `symbolic` is not installed")
def test_crosshair_confirms_over_all_paths_or_finds_a_call_that_is_then_run() -> None:
    same = "def f(a: int, b: int) -> int:\n    if a > b:\n        return a\n    return b\n"
    assert run_crosshair(MAXIMUM, same, "f", seconds=5).equivalent
    result = run_crosshair(MAXIMUM, MAXIMUM.replace("a > b", "a > b + 7"), "f", seconds=5)
    assert result.equivalent is False
    assert result.call.startswith("f(")
