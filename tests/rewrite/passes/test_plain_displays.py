"""Tuples and lists of variables are written where they are used, if nothing else uses them."""

import pytest

from rewrite.passes.cleanup.plain_displays import fold_displays


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = (a, b())", "return len(_t0)"],
        ["_t0 = [a for c in b]", "return len(_t0)"],
        ["_t0 = []", "return len(_t0)"],
        ["_t0 = a, b", "return len(_t0)"],  # without brackets
        ["_t0 = (a, b)", "a()", "return len(_t0)"],
        ["_t0 = (a, b)", "return _t0 + _t0"],
        ["_t0 = (a, b)", "return lambda: _t0"],
        ["_t0 = (a, b)", "return sum(c for c in _t0)"],
        ["_t0 = (a, b)", "for c in _t0:", "    c()"],
        ["_t0 = (a, b); a()", "return len(_t0)"],
        ["_t0 = (a, b)  # both", "return len(_t0)"],
        ["_t0 = (a,", "    b)", "return len(_t0)"],
        ["x = (a, b)", "return len(x)"],
        ["global x", "_t0 = (a, x)", "return a(_t0)"],
        ["if a:", "    x = 1", "_t0 = (a, x)", "return a(_t0)"],  # x may be unbound, which a() may come before
        ["_t0 = (a, lambda: a)", "return a(_t0)"],
        ["_t0 = a[0]", "return a(_t0)"],
        ["_t0 = a[0]", "if b < _t0:", "    a()"],
        ["_t0 = a[0]", "if _t0 < b:", "    a(_t0)"],
        ["_t0 = a[b]", "if _t0 < b:", "    a()"],
        ["_t0 = a.b[0]", "if _t0 < b:", "    a()"],
    ],
)
def test_a_display_keeps_its_line(lines: list[str]) -> None:
    text = body(*lines)
    assert fold_displays(text) == (text, list(range(text.count("\n") + 1)))


def test_a_display_is_written_where_it_is_used_and_lines_keep_their_places() -> None:
    text, left = fold_displays(body("_t0 = (a, 1)", "b.append(_t0)", "_t1 = [a, b]", "return a(_t1)"))
    assert text == body("b.append((a, 1))", "return a([a, b])")
    assert left == [0, 2, 4, 5]


def test_an_item_is_written_into_the_test_that_compares_it() -> None:
    text, left = fold_displays(body("_t0 = a[0]", "if _t0 < b:", "    a()"))
    assert text == body("if a[0] < b:", "    a()")
    assert left == [0, 2, 3, 4]
