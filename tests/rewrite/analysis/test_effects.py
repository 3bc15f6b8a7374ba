"""What is said to be movable gives the same a step later: both orders are run."""

from __future__ import annotations

from typing import Any

import libcst as cst
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewrite.analysis.effects import (
    creates_object,
    is_constant,
    is_memoryview,
    is_method_stable,
    is_movable,
    is_name_stable,
    is_pure,
    rebinds,
)
from rewrite.analysis.scopes import Scope
from rewrite.analysis.symbol_table import collect_scopes

PROGRAM = """
import math
LOG = []
CHANGED = 1

def change(value=0):
    global CHANGED
    LOG.append("change")
    CHANGED += 1
    return CHANGED

def constant():
    return 5

class Item:
    def __bool__(self):
        change()
        return True

def f(a, b, items):
    local = [a]
    if b:
        perhaps = 1
{body}
    return LOG, CHANGED, local, first, second
"""
OPERANDS = """
a | local | items | perhaps | CHANGED | change | math | len | 1 | -1 | 'a' | None | [a, 1] | (a, local) | [CHANGED]
(1, perhaps) | lambda: a | lambda x=a: x | math.pi | change() | a + b | nowhere | [*local] | {a: 1} | not a | not local
1 / 0 | 2 * 3 | (1, 'a') | [1, 2] | f'{a}'
""".replace("\n", " | ").split(" | ")
LATER = """
change() | (a := 7) | (local := 8) | local.append(9) | len(local) | a | 1 | change | not items | not a | items[0]
(perhaps := 3) | [a, change()] | bool(items[1]) | math.pi | nowhere | 1 / 0
""".replace("\n", " | ").split(" | ")
EACH = {"operand": sorted({o.strip() for o in OPERANDS} - {""}), "later": sorted({o.strip() for o in LATER} - {""})}


def outcome(body: str) -> str:
    namespace: dict[str, Any] = {}
    exec(PROGRAM.format(body=body), namespace)
    try:
        return repr(namespace["f"](3, 0, ["x", namespace["Item"]()])).partition(" at 0x")[0]
    except Exception as error:  # noqa: BLE001 - a program's own
        return f"{error!r} {namespace['LOG']} {namespace['CHANGED']}"


def scope_of_f() -> Scope:
    module = cst.parse_module(PROGRAM.format(body="    first = second = 0"))
    return collect_scopes(module).of(module.body[-1])


SCOPE = scope_of_f()
BOUND = {"a", "b", "items", "local"}


@given(st.sampled_from(EACH["operand"]), st.lists(st.sampled_from(EACH["later"]), min_size=1, max_size=2))
def test_what_may_be_evaluated_later_gives_the_same(operand: str, later: list[str]) -> None:
    if is_movable(cst.parse_expression(operand), map(cst.parse_expression, later), SCOPE, BOUND):
        second = f"    second = ({', '.join(later)},)"
        assert outcome(f"    first = {operand}\n{second}") == outcome(f"{second}\n    first = {operand}")


@pytest.mark.parametrize("operand", ["change()", "a + b", "math.pi", "[*local]", "{a: 1}", "lambda x=a: x", "1 / 0"])
def test_what_runs_code_or_may_fail_is_not_movable(operand: str) -> None:
    assert not is_movable(cst.parse_expression(operand), [cst.parse_expression("1")], SCOPE, BOUND)


@pytest.mark.parametrize(
    ("name", "later"), [("CHANGED", "change()"), ("perhaps", "change()"), ("a", "(a := 1)"), ("nowhere", "change()")]
)
def test_a_name_that_may_be_bound_meanwhile_does_not_stay(name: str, later: str) -> None:
    assert not is_name_stable(name, [cst.parse_expression(later)], SCOPE, BOUND)


@pytest.mark.parametrize("name", ["a", "local", "change", "math", "len", "None"])
def test_a_name_that_nobody_binds_stays(name: str) -> None:
    assert is_name_stable(name, [cst.parse_expression("change()")], SCOPE, BOUND)


@given(st.sampled_from([*EACH["operand"], *EACH["later"]]))
def test_what_is_quiet_changes_nothing_and_cannot_fail(source: str) -> None:
    names = {"nowhere": 0, "perhaps": 0}  # a name without a value fails, here or later
    if is_pure(cst.parse_expression(source), SCOPE):
        namespace: dict[str, Any] = {}
        exec(PROGRAM.format(body="    pass"), namespace)
        eval(source, namespace, {"a": 1, "local": [1], "items": [namespace["Item"]()], **names})
        assert (namespace["LOG"], namespace["CHANGED"]) == ([], 1)


@given(st.sampled_from([*EACH["operand"], *EACH["later"], "{1: (2, 'a')}", "{1, 2}", "'a' 'b'", "1 + 2j", "__debug__"]))
def test_a_constant_needs_nothing_but_its_text(source: str) -> None:
    node = cst.parse_expression(source)
    if is_constant(node) and source != "1 / 0":
        first, second = (eval(source, {"__builtins__": {}}) for _ in range(2))
        assert repr(first) == repr(second)
        if not creates_object(node) and isinstance(first, (list, set, dict)):
            raise AssertionError(source)


@pytest.mark.parametrize("source", ["x", "[x]", "{1: x}", "f'{1}'", "[*[1]]", "{**{}}", "1 + x", "lambda: 1", "(1)()"])
def test_what_is_no_constant(source: str) -> None:
    assert not is_constant(cst.parse_expression(source))


@pytest.mark.parametrize(("source", "new"), [("[1]", True), ("(1, 2)", False), ("(1, [2])", True), ("(x, 1)", True)])
def test_a_display_is_another_object_each_time_unless_it_is_constant(source: str, new: bool) -> None:
    assert creates_object(cst.parse_expression(source)) == new


@pytest.mark.parametrize(
    ("source", "keeps"),
    [
        ("memoryview(x)", True),
        ("memoryview(x)[1:].cast('B')", True),
        ("memoryview(x).tobytes()", False),
        ("x.memoryview(x)", False),
        ("x[0]", False),
        ("memoryview(x)[0]", False),
    ],
)
def test_a_memoryview_keeps_its_buffer(source: str, keeps: bool) -> None:
    assert is_memoryview(cst.parse_expression(source), SCOPE) == keeps


def test_a_walrus_rebinds_wherever_it_stands() -> None:
    assert rebinds([cst.parse_expression("1"), cst.parse_expression("g([h, (x := 2)])")], "x")
    assert not rebinds([cst.parse_expression("g(x, y := 2)")], "x")


@pytest.mark.parametrize(
    ("callee", "later", "stays"),
    [
        ("'a'.join", "change()", True),
        ("'a'.nothing", "change()", False),
        ("a.method", "1", True),
        ("a.method", "change()", False),
        ("change().method", "1", False),
    ],
)
def test_a_method_is_looked_up_later_only_where_nothing_can_change_it(callee: str, later: str, stays: bool) -> None:
    node = cst.ensure_type(cst.parse_expression(callee), cst.Attribute)
    assert is_method_stable(node, [cst.parse_expression(later)], SCOPE, BOUND) == stays
