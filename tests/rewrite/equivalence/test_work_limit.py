"""Generated inputs are cut by their work, in the order of their size."""

import pytest

from rewrite.equivalence import work_limit
from rewrite.equivalence.work_limit import MIN_WORK, WorkLimit

FIB = "def f(n, s=''):\n    if n < 2:\n        return n\n    return f(n - 1) + f(n - 2)\n"


def limited(source: str, given: str) -> WorkLimit:
    limit = WorkLimit(source, 5.0)
    limit.measure_given([given])
    return limit


def test_an_input_that_is_as_large_as_one_that_was_cut_is_not_tried() -> None:
    limit = limited(FIB, "f(5)")
    calls = ["f(90)", "f(3)", "f(30)", "f(31)", "f(-40)", "f('a')", "f(2.5)"]
    assert limit.admitted(calls) == ["f(3)", "f(-40)", "f('a')", "f(2.5)"]
    assert limit.cut == {"f(30)": f"cut: it executes more than {MIN_WORK:,} lines"}
    assert limit.note() == "1 input was cut, over 10,000 executed lines or 0.25 s, and 2 larger ones were not tried"


def test_an_input_is_larger_only_if_it_is_in_every_argument() -> None:
    limit = limited(FIB, "f(5, 'abc')")
    assert limit.admitted(["f(30, 'abc')", "f(31, 'ab')", "f(32, 'ab')", "f(3, 'abcd')"]) == ["f(3, 'abcd')"]
    assert (list(limit.cut), limit.not_tried) == (["f(31, 'ab')", "f(30, 'abc')"], 1)


def test_the_limit_follows_from_the_given_calls() -> None:
    assert "f(17)" not in limited(FIB, "f(5)").admitted(["f(17)"])
    assert "f(17)" in limited(FIB, "f(15)").admitted(["f(17)"])


def test_all_inputs_together_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limit, "MAX_TOTAL", 1_000)
    limit = limited("def f(n):\n    for _ in range(n):\n        pass\n", "f(1)")
    assert limit.admitted([f"f({200 + n})" for n in range(20)]) == ["f(200)", "f(201)", "f(202)"]
    assert limit.not_tried == 17


def test_a_program_that_ends_its_process_is_not_measured_but_run() -> None:
    source = "import os\ndef f(n):\n    return n\nos._exit(0)\n"
    assert limited(source, "f(1)").admitted(["f(2)", "f(3)"]) == ["f(2)", "f(3)"]
