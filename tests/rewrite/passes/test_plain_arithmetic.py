"""Arithmetic on variables, constants and lengths is written in one line, where nothing can run in between."""

import pytest

from rewrite.passes.cleanup.plain_arithmetic import fold_arithmetic


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = len(a)", "b()", "_t1 = _t0 - 1", "return _t1"],
        ["_t0 = len(a)", "_t1 = _t0 - 1", "return _t1 + _t0"],
        ["_t0 = len(a)", "_t1 = len(b)", "return _t1 + _t0"],
        ["_t0 = len(a)", "_t1 = _t0 - _t0", "return _t1"],
        ["_t0 = len(a)", "_t1 = _t0 - 1", "return lambda: _t0 + _t1"],
        ["_t0 = len(a)", "x = _t0 - 1", "return x"],
        ["_t0 = len(a)", "return _t0 - 1"],
        ["_t0 = a.pop()", "_t1 = _t0 - 1", "return _t1"],
        ["_t0 = len(a[1:])", "_t1 = _t0 - 1", "return _t1"],
        ["_t0 = len(a)", "_t1 = str(_t0)", "return _t1"],
        ["_t0 = a + b", "_t1 = _t0 + a", "return _t1"],  # these may be strings
        ["_t0 = a * 2", "_t1 = _t0 + b", "return _t1"],
        ["_t0 = len(a) - 1 - 2", "_t1 = _t0 - 1", "return _t1"],  # too long for a line
        ["_t0 = len(a) - 1", "_t1 = _t0 // 2", "return _t1"],
        ["_t0 = a - b", "_t1 = b / _t0", "return _t1"],
        ["_t0 = a - b", "_t1 = _t0 + 1", "return _t1"],
        ["x = 1", "del x", "_t0 = len(a)", "_t1 = x - _t0", "return _t1"],  # x has no value, and that comes second
        ["_t0 = len(a); b()", "_t1 = _t0 - 1", "return _t1"],
        ["_t0 = len(a)", "_t1 = _t0 - 1; b()", "return _t1"],
        ["_t0 = len(a)  # all", "_t1 = _t0 - 1", "return _t1"],
        ["len = a", "_t0 = len(b)", "_t1 = _t0 - 1", "return _t1"],
        ["global x", "_t0 = len(a)", "_t1 = x - _t0", "return _t1"],
    ],
)
def test_a_number_keeps_its_line(lines: list[str]) -> None:
    text = body(*lines)
    assert fold_arithmetic(text) == (text, list(range(text.count("\n") + 1)))


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (["_t0 = len(a)", "_t1 = _t0 - 1"], "len(a) - 1"),
        (["_t0 = -a", "_t1 = _t0 + 1"], "-a + 1"),
        (["_t0 = b * 2", "_t1 = len(a) + _t0"], "len(a) + b * 2"),
        (["_t0 = a - 1", "_t1 = _t0 * 2"], "(a - 1) * 2"),
        (["_t0 = len(a)", "_t1 = _t0 % 2"], "len(a) % 2"),
        (["_t0 = a - 1", "_t1 = _t0 // 2"], "(a - 1) // 2"),
        (["_t0 = len(a)", "_t2 = b * 2", "_t1 = _t0 + _t2"], "len(a) + b * 2"),
    ],
)
def test_a_number_is_written_into_the_next_one_and_lines_keep_their_places(lines: list[str], value: str) -> None:
    text, left = fold_arithmetic(body(*lines, "return _t1"))
    assert text == body(f"_t1 = {value}", "return _t1")
    assert left == [0, *range(len(lines), len(lines) + 3)]


def test_an_operation_that_stays_is_not_written_twice() -> None:
    lines = ["_t0 = a.pop()", "_t1 = _t0 - 1", "_t2 = _t1 * 2", "return _t2"]
    assert fold_arithmetic(body(*lines))[0] == body(lines[0], "_t2 = (_t0 - 1) * 2", lines[3])
