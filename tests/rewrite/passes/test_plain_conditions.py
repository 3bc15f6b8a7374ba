"""Conditions that were lowered to control flow are written as conditions again, where nothing else is in between."""

import pytest

from rewrite.passes.cleanup.plain_conditions import write_conditions


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = a in b", "if _t0:", "    b(_t0)"],
        ["_t0 = a in b", "if _t0:", "    b()", "return _t0"],
        ["_t0 = a in b", "if _t0:", "    b()", "return lambda: _t0"],
        ["_t0 = a in b", "b()", "if _t0:", "    b()"],
        ["_t0 = a in b  # tested", "if _t0:", "    b()"],
        ["_t0 = a in b; b()", "if _t0:", "    b()"],
        ["_t0 = a in (", "    b)", "if _t0:", "    b()"],
        ["x = a in b", "if x:", "    b()"],
        ["global _t0", "_t0 = a in b", "if _t0:", "    b()"],
        ["_t0 = (x := a)", "if _t0:", "    b(x)"],
        ["_t0 = a, b", "if _t0:", "    b()"],
        ["_t0 = yield a", "if _t0:", "    b()"],
        ["_t0 = a in b or " + " or ".join(["c in a"] * 9), "if _t0:", "    b()"],
        # A step of its own in a branch.
        ["if a:", "    _t0 = True", "else:", "    _t1 = b()", "    _t0 = _t1 > 2", "if _t0:", "    b()"],
        # The other constant: the branches do not decide what the operator would.
        ["if a:", "    _t0 = False", "else:", "    _t0 = b", "if _t0:", "    b()"],
        ["if a:", "    _t0 = b", "else:", "    _t0 = True", "if _t0:", "    b()"],
        ["_t0 = a", "if _t0:", "    _t0 = _t0 + b", "if _t0:", "    b()"],
        # The value is not that of `a or b`.
        ["if a:", "    _t0 = True", "else:", "    _t0 = b", "return _t0"],
        ["_t0 = a", "if _t0:", "    _t0 = b", "return _t0, 1"],
        ["while True:", "    if not a:", "        break", "    b()", "else:", "    a()"],
        ["while True:", "    if not a:", "        break"],
        ["while True:", "    if a:", "        break", "    b()"],
        ["while True:", "    if not a:", "        b()", "        break", "    b()"],
        ["while True:", "    b()", "    if not a:", "        break", "    b()"],
    ],
)
def test_a_condition_with_something_else_in_it_stays(lines: list[str]) -> None:
    text = body(*lines)
    assert write_conditions(text, "") == (text, list(range(text.count("\n") + 1)))


@pytest.mark.parametrize(
    ("lines", "condition"),
    [
        (["_t0 = a in b", "if _t0:"], "a in b"),
        (["_t0 = a in b", "if not _t0:"], "a not in b"),
        (["_t0 = a == b", "if not _t0:"], "not (a == b)"),
        (["_t0 = a == list(b)", "if not _t0:"], "a != list(b)"),
        (["_t0 = a is not b", "if not _t0:"], "a is b"),
        (["_t0 = a.x()", "if not _t0:"], "not a.x()"),
        (["if a:", "    _t0 = True", "else:", "    _t0 = b", "if _t0:"], "a or b"),
        (["if a:", "    _t0 = b", "else:", "    _t0 = False", "if not _t0:"], "not (a and b)"),
        (["_t0 = a", "if _t0:", "    _t0 = b", "if _t0:"], "a and b"),
        (["_t0 = a", "if not _t0:", "    _t0 = b", "if _t0:"], "a or b"),
        (["_t0 = 0 < a", "if _t0:", "    _t0 = a < b", "if _t0:"], "0 < a < b"),
        (["_t0 = 0 < a()", "if _t0:", "    _t0 = a() < b", "if _t0:"], "0 < a() and a() < b"),
        (["if a or b:", "    _t0 = b", "else:", "    _t0 = False", "if _t0:"], "(a or b) and b"),
        (["if a if b else 1:", "    _t0 = True", "else:", "    _t0 = b", "if _t0:"], "(a if b else 1) or b"),
        (
            [
                "if a:",
                "    if b:",
                "        _t0 = True",
                "    else:",
                "        _t0 = 1",
                "else:",
                "    _t0 = False",
                "if _t0:",
            ],
            "a and (b or 1)",
        ),
        (["if a:", "    _t0 = True", "elif b:", "    _t0 = True", "else:", "    _t0 = 1", "if _t0:"], "a or b or 1"),
    ],
)
def test_a_condition_is_written_in_its_test_and_lines_keep_their_places(lines: list[str], condition: str) -> None:
    text, left = write_conditions(body(*lines, "    a()", "return 1"), "")
    assert text == body(f"if {condition}:", "    a()", "return 1")
    assert left == [0, *range(len(lines), len(lines) + 4)]


@pytest.mark.parametrize(
    "lines",
    [
        ["if a:", "    if b:", "        a()", "    else:", "        b()"],
        ["if a:", "    if b:", "        a()", "else:", "    b()"],
        ["if a:", "    if b:", "        a()", "    b()"],
        ["if a:  # first", "    if b:", "        a()"],
        ["if a:", "    if b: a()"],
        ["if a:", "    if b:", "        a(", "    b)"],
        ["if a:", "    if b := a:", "        a()"],
        ["if a:", "    if b:", "        a('''", "    ''')"],
        ["if a.b" + "b" * 80 + ":", "    if b:", "        a()"],
    ],
)
def test_a_test_in_another_test_stays(lines: list[str]) -> None:
    assert write_conditions(body(*lines), "")[0] == body(*lines)


def test_a_new_test_in_another_test_becomes_one_and_an_old_one_stays() -> None:
    lines = ["if 0 < a:", "    if a < 3:", "        a()", "        b()", "return 1"]
    assert write_conditions(body(*lines), body(*lines))[0] == body(*lines)
    text, left = write_conditions(body(*lines), "")
    assert text == body("if 0 < a < 3:", "    a()", "    b()", "return 1")
    assert left == [0, 1, 3, 4, 5, 6]
    assert write_conditions(body("if a or b:", "    if b:", "        a()"), "")[0] == body(
        "if (a or b) and b:", "    a()"
    )


def test_a_nested_function_with_temporaries_of_its_own_makes_no_difference() -> None:
    inner = ["def g(c):", "    _t0 = c()", "    return _t0 + _t0"]
    assert write_conditions(body(*inner, "_t0 = a", "if _t0:", "    b()"), "")[0] == body(*inner, "if a:", "    b()")
    before = body("_t0 = a", "if _t0:", "    b()", "def g(c=_t0): pass")
    assert write_conditions(before, "")[0] == before


@pytest.mark.parametrize(("use", "start"), [("return _t0", "return "), ("x = _t0", "x = ")])
def test_the_value_of_a_condition_is_written_where_it_is_used(use: str, start: str) -> None:
    assert write_conditions(body("_t0 = a", "if _t0:", "    _t0 = b", use), "")[0] == body(f"{start}a and b")
    assert write_conditions(body("_t0 = a", "if not _t0:", "    _t0 = b", use), "")[0] == body(f"{start}a or b")


def test_a_loop_whose_test_needs_no_step_gets_it_back() -> None:
    lines = ["while True:", "    _t0 = a < b", "    if not _t0:", "        break", "    a()", "return 1"]
    text, left = write_conditions(body(*lines), "")
    assert text == body("while a < b:", "    a()", "return 1")
    assert left == [0, 1, 5, 6, 7]
    assert write_conditions(body(*lines), "while True:")[0].startswith(body("while True:", "    if not (a < b):")[:-1])
