"""A rewrite says which constructs its steps needed: what the original itself has is none of them."""

import pytest

from rewrite.anf.rewrite_result import Construct
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.planning import plan_rewrite

FLAG = ["if a or b.x().y():", "    b()", "else:", "    a()"]
ASSERTION = ["assert a.x().y()", "return b"]
GENERATOR = ["return b(c.x().y() for c in a)"]


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


def constructs(source: str, *, condensed: bool) -> frozenset[Construct]:
    return rewrite_once(source, "expressions", RewriteContext(condensed=condensed), options={}).constructs


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize(
    "lines",
    [
        ["x = a or b.x().y()", "return x"],
        ["if a and b.x().y():", "    b()"],
        ["if a or b:", "    b(a.x().y())", "else:", "    a()"],
        ["assert a"],
        ["return b(c for c in a.x().y())"],
        # What the program has itself, although its text is what a construct looks like.
        ["if __debug__:", "    assert a", "return b.x().y()"],
        ["def _t(c): return c", "return _t(a.x().y())"],
        ["if a:", "    _t0 = True", "else:", "    _t0 = b", "if _t0:", "    return a.x().y()"],
    ],
)
def test_steps_without_a_construct_report_none(lines: list[str], condensed: bool) -> None:
    assert constructs(body(*lines), condensed=condensed) == frozenset()


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (FLAG, Construct.FLAG),
        (["while a or b.x().y():", "    b()"], Construct.FLAG),
        (["if (a or b.x().y()) and b:", "    b()", "else:", "    a()"], Construct.FLAG),  # `if _t0 and b:`
        (["return a if a or b.x().y() else b"], Construct.FLAG),
        (ASSERTION, Construct.DEBUG_TEST),
        (["assert a, b.x().y()"], Construct.DEBUG_TEST),
        (GENERATOR, Construct.FUNCTION),
        (["return b(lambda c: c.x().y())"], Construct.FUNCTION),
    ],
)
def test_a_construct_is_reported(lines: list[str], found: Construct, condensed: bool) -> None:
    assert constructs(body(*lines), condensed=condensed) == {found}


def test_constructs_of_several_functions_are_reported() -> None:
    source = body(*FLAG, *ASSERTION) + "g = lambda c: c.x().y()\n"
    assert constructs(source, condensed=False) == {*Construct}


@pytest.mark.medium
def test_a_plan_adds_no_function_to_a_program_with_a_function_whose_name_begins_like_a_temporary() -> None:
    source = body("def _total(items): return list(items)", "return _total(len(c.upper()) + 1 for c in a) + b")
    plan = plan_rewrite(source, "f('ab', [])", examples=0)
    assert "def _t0" not in plan.source
    assert Construct.FUNCTION.value in {one.reason for one in plan.left}
