"""Conditional expressions as the value of a statement."""

from __future__ import annotations

import pytest

from rewrite import rewrite_source


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    ("line", "lowered"),
    [
        (
            "return a(b[0]) if a else 1",
            ["if a:", "    _t0 = b[0]", "    return a(_t0)", "return 1"],
        ),
        (
            "return 1 if a else 2 if b else a(b[0])  # last",
            ["if a:", "    return 1", "if b:", "    return 2", "_t0 = b[0]", "return a(_t0)  # last"],
        ),
        (
            "x = 1 if a else 2 if b else a(b[0])",
            ["if a:", "    x = 1", "elif b:", "    x = 2", "else:", "    _t0 = b[0]", "    x = a(_t0)"],
        ),
        (
            "x = 1 if a else 2 if a[b] else a(b[0])",
            [
                *("if a:", "    x = 1", "else:", "    _t0 = a[b]", "    if _t0:", "        x = 2"),
                *("    else:", "        _t1 = b[0]", "        x = a(_t1)"),
            ],
        ),
    ],
    ids=["no else after a return", "returns in a chain", "elif", "a step before the second test"],
)
def test_a_conditional_value_becomes_branches(line: str, lowered: list[str]) -> None:
    after = () if line.startswith("return") else ("return x",)
    assert rewrite_source(body(line, *after)).source == body(*lowered, *after)


def test_a_return_in_an_else_branch_that_gets_steps_stays_in_it() -> None:
    lines = ["if a:", "    b = 1", "else:", "    return a(b[0]) if b else 1", "return b"]
    wanted = ["if a:", "    b = 1", "else:", "    if b:", "        _t0 = b[0]", "        return a(_t0)", "    return 1"]
    assert rewrite_source(body(*lines)).source == body(*wanted, "return b")


@pytest.mark.parametrize(
    ("line", "lowered"),
    [
        ("x = a(b[0]) if a else x", ["if a:", "    _t0 = b[0]", "    x = a(_t0)", "else:", "    x = x"]),
        ("b = a(b[0]) if a else b", ["if a:", "    _t0 = b[0]", "    b = a(_t0)"]),
        ("b = b if a else a(b[0])", ["if not a:", "    _t0 = b[0]", "    b = a(_t0)"]),
        (
            "b = 1 if a else b if b else a(b[0])",
            ["if a:", "    b = 1", "elif not b:", "    _t0 = b[0]", "    b = a(_t0)"],
        ),
    ],
)
def test_a_branch_that_keeps_a_variable_is_left_out_where_the_variable_has_a_value(
    line: str, lowered: list[str]
) -> None:
    assert rewrite_source(body(line, "return b")).source == body(*lowered, "return b")
