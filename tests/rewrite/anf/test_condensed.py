"""Condensed rewrites: conditions whose operands need no steps stay expressions, as do displays of variables."""

import contextlib
import io

import pytest
from hypothesis import given, settings

from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once
from rewrite.testing import Program, programs
from tests.rewrite.passes.test_cleanup import ALL_NEW
from tests.rewrite.testing.test_programs import observed


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


def condensed(source: str) -> str:
    return rewrite_once(source, "expressions", RewriteContext(condensed=True), options={}).source


@pytest.mark.parametrize(
    "lines",
    [
        ["if a.x() and b.y():", "    b()", "else:", "    a()"],
        ["if not a.x():", "    b()", "elif b.y():", "    a()"],
        ["if a < b < 3 or (a or b.y()) and b:", "    b()"],
        ["while a.x() and not b.y():", "    b()"],
        ["while a.x() or b.y():", "    b()", "else:", "    a()"],
        ["assert a.x() and b.y()"],
        ["a.append((b, 1))", "return b([a, b])"],
        ["return a < b < 3"],
    ],
)
def test_what_needs_no_step_stays(lines: list[str]) -> None:
    assert condensed(body(*lines)) == body(*lines)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["if a.x().y():", "    b()"], ["_t0 = a.x()", "if _t0.y():", "    b()"]),
        (["if not a.x() in b:", "    b()"], ["_t0 = a.x()", "if _t0 not in b:", "    b()"]),
        (["if not a.x() == b:", "    b()"], ["_t0 = a.x()", "if not _t0 == b:", "    b()"]),
        (["if a < b.x() < 3 and a.y():", "    b()"], ["_t0 = b.x()", "if a < _t0 < 3 and a.y():", "    b()"]),
        (
            ["if a and (b or a.x()) and b.x().y() and a:", "    b()"],
            ["if a and (b or a.x()):", "    _t0 = b.x()", "    if _t0.y() and a:", "        b()"],
        ),
        (
            ["if a and (b.x().y() or a) and b:", "    b()"],
            ["if a:", "    _t0 = b.x()", "    if (_t0.y() or a) and b:", "        b()"],
        ),
        (
            ["if not (a.x().y() or a) and b:", "    b()"],
            ["_t0 = a.x()", "if not (_t0.y() or a) and b:", "    b()"],
        ),
        (
            ["x = a if b.x() and a else b.y().z()"],
            ["if b.x() and a:", "    x = a", "else:", "    _t0 = b.y()", "    x = _t0.z()"],
        ),
        (
            ["return [c for c in a if c.x() if c.y()]"],
            ["_t0 = []", "for c in a:", "    if c.x() and c.y():", "        _t0.append(c)", "return _t0"],
        ),
        (
            ["return {c for c in a if c and c.x().y() and b}"],
            [
                *("_t0 = set()", "for c in a:", "    if c:", "        _t1 = c.x()"),
                *("        if _t1.y() and b:", "            _t0.add(c)", "return _t0"),
            ],
        ),
        (
            ["return [c.x().y() for c in a]"],
            ["_t0 = []", "for c in a:", "    _t1 = c.x()", "    _t0.append(_t1.y())", "return _t0"],
        ),
        (
            ["return {c.x().y() for c in a}"],
            ["_t0 = set()", "for c in a:", "    _t1 = c.x()", "    _t2 = _t1.y()", "    _t0.add(_t2)", "return _t0"],
        ),
        (
            ["while a.x().y():", "    b()"],
            ["while True:", "    _t0 = a.x()", "    if not _t0.y():", "        break", "    b()"],
        ),
        (["return a + [len(b), 1] + b"], ["_t0 = len(b)", "_t1 = a + [_t0, 1]", "return _t1 + b"]),
    ],
)
def test_steps_come_only_before_what_needs_them(before: list[str], after: list[str]) -> None:
    assert condensed(body(*before)) == body(*after)


def test_the_truth_of_an_operand_is_tested_once_where_a_later_one_needs_steps() -> None:
    lines = ["if a or b.x().y() or b:", "    b()", "else:", "    a()"]
    flag = ["if a:", "    _t0 = True", "else:", "    _t1 = b.x()", "    if _t1.y():", "        _t0 = True"]
    rest = ["    else:", "        _t0 = b", "if _t0:", "    b()", "else:", "    a()"]
    assert condensed(body(*lines)) == body(*flag, *rest)


@pytest.mark.parametrize(
    ("line", "starts"),
    [
        ("x = len(a) > 0 and all(c > b for c in a)", "_t2 = _t1"),
        ("x = len(a) < 1 or any(c > b for c in a)", "_t2 = _t1"),
        ("x = b > 0 and all(c > b for c in a)", "_t1 = True"),  # `b > 0` may be anything
        ("x = len(a) > 0 and any(c > b for c in a)", "_t2 = False"),
    ],
)
def test_a_flag_starts_with_the_bool_that_was_tested(line: str, starts: str) -> None:
    source = body(line, "return x")
    evidence = gather_evidence(source, ["f([3, 2, 4], 1)"])
    made = rewrite_once(source, "planned", RewriteContext("assume", evidence, condensed=True), options={}).source
    assert f"        {starts}\n        for c in" in made


@pytest.mark.medium
@pytest.mark.hypothesis
@settings(ALL_NEW, max_examples=40, deadline=None)
@given(programs(depth=3, size=5))
def test_a_condensed_rewrite_of_a_drawn_program_does_the_same(program: Program) -> None:
    made = condensed(program.source)
    with contextlib.redirect_stdout(io.StringIO()):
        assert observed(Program(made, program.calls)) == observed(program)


def test_a_condition_or_display_that_stays_whole_is_why_a_comprehension_becomes_a_loop() -> None:
    made = rewrite_once(
        body("return [(c, 1) for c in a if c.x()]"), "expressions", RewriteContext(condensed=True), options={}
    )
    lines = ["_t0 = []", "for c in a:", "    if c.x():", "        _t0.append((c, 1))", "return _t0"]
    assert made.source == body(*lines)
    assert {one.expression for one in made.changes} >= {"c.x()", "(c, 1)"}
