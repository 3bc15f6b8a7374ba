"""Statement interventions: what they claim, what becomes of comments, names, scopes and nested statements."""

from typing import Any

import libcst as cst
import pytest

from rewrite.anf.intervention import ClaimRefusal, StatementIntervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_options import DEFAULT_OPTIONS
from rewrite.interventions.branch_swap import BranchSwap
from rewrite.interventions.temporaries import Temporaries
from rewrite.pipeline.intervention_recipe import rewrite_module
from rewrite.pipeline.recipe import PreparedInterventions
from rewrite.rewriting import rewrite_source
from rewrite.syntax import build
from rewrite.syntax.parsing import parse


def rewritten(source: str, *statements: type[StatementIntervention], temporaries: bool = False) -> str:
    expressions = (Temporaries(DEFAULT_OPTIONS),) if temporaries else ()
    recipe = PreparedInterventions(expressions, DEFAULT_OPTIONS, tuple(one(DEFAULT_OPTIONS) for one in statements))
    return rewrite_module(parse(source), lambda: recipe)[0].code


class ReturnedName(StatementIntervention):
    """`return e` as an assignment to a fresh name and a return."""

    name = "returned_name"
    statements = (cst.Return,)

    def claims(self, node: cst.Return, plan: LoweringPlan) -> bool:
        return node.value is not None and not isinstance(node.value, cst.Name)

    def expand(self, node: cst.Return, steps: Lowering) -> cst.Return:
        name = steps.fresh_temporary()
        assert node.value is not None
        steps.assign(name, steps.lower_root(node.value))
        return node.with_changes(value=cst.Name(name), whitespace_after_return=cst.SimpleWhitespace(" "))


class NoPass(StatementIntervention):
    """Deletes `pass`; in the place of a block's only statement, the engine would have nothing to write."""

    name = "no_pass"
    statements = (cst.Pass,)

    def claims(self, node: cst.Pass, plan: LoweringPlan) -> bool | ClaimRefusal:
        return True if plan.following else ClaimRefusal("the last statement of its block")

    def expand(self, node: cst.Pass, steps: Lowering) -> None:
        return None


class AssertedBranch(StatementIntervention):
    """`assert c` as an `if` with a block."""

    name = "asserted_branch"
    statements = (cst.Assert,)

    def claims(self, node: cst.Assert, plan: LoweringPlan) -> bool:
        return node.msg is None

    def expand(self, node: cst.Assert, steps: Lowering) -> cst.If:
        return build.if_(build.not_(node.test), [build.line(cst.Raise(cst.Name("AssertionError")))])


class ListedLoop(StatementIntervention):
    """A loop as one statement with a comprehension, a scope that the engine has not seen."""

    name = "listed_loop"
    statements = (cst.For,)

    def claims(self, node: cst.For, plan: LoweringPlan) -> bool:
        return True

    def expand(self, node: cst.For, steps: Lowering) -> cst.BaseSmallStatement:
        return cst.ensure_type(
            cst.ensure_type(cst.parse_statement("[k for k in n]"), cst.SimpleStatementLine).body[0], cst.Expr
        )


def test_a_scope_that_inspects_its_variables_stays_and_is_reported() -> None:
    source = "def f(n):\n    if n: return 1\n    else: return 2\n    return locals()\n"
    result = rewrite_source(source, "branch_swap")
    assert not result.changed
    assert [(left.line, left.reason) for left in result.left] == [(2, "the scope uses locals")]


def test_a_protected_statement_stays() -> None:
    source = "def f(n):\n    if n:  # spellout: leave\n        return 1\n    else:\n        return 2\n"
    assert not rewrite_source(source, "branch_swap").changed


def test_a_refusal_is_reported() -> None:
    recipe = PreparedInterventions((), DEFAULT_OPTIONS, (NoPass(),))
    _, report = rewrite_module(parse("def f():\n    pass\n"), lambda: recipe)
    assert [reason for _, reason in report.left.values()] == ["the last statement of its block"]


CASES: dict[str, tuple[Any, ...]] = {
    "a fresh name, not one of the program": (
        ReturnedName,
        "def f(_t0):\n    return _t0 + 1  # sum\n",
        "def f(_t0):\n    _t1 = _t0 + 1\n    return _t1  # sum\n",
    ),
    "nothing remains": (NoPass, "def f():\n    pass\n    return 1\n", "def f():\n    return 1\n"),
    "nothing remains but a comment": (
        NoPass,
        "def f():\n    pass  # later\n    return 1\n",
        "def f():\n    pass  # later\n    return 1\n",
    ),
    "a simple statement becomes one with a block": (
        AssertedBranch,
        "def f(n):\n    # positive\n    assert n > 0; return n\n",
        "def f(n):\n    # positive\n    if not n > 0:\n        raise AssertionError\n    return n\n",
    ),
    "a statement with a block becomes a simple one": (
        ListedLoop,
        "def f(n):\n    for i in n:  # each\n        pass\n",
        "def f(n):\n    [k for k in n]  # each\n",
    ),
    "nested statements, elif included": (
        BranchSwap,
        "def f(a, b):\n    if a:\n        if b:\n            x = 1\n        else:\n            x = 2\n    elif b:\n"
        "        x = 3\n    else:\n        x = 4\n    return x\n",
        "def f(a, b):\n    if a:\n        if not b:\n            x = 2\n        else:\n            x = 1\n"
        "    elif not b:\n        x = 4\n    else:\n        x = 3\n    return x\n",
    ),
    "branches on one line": (
        BranchSwap,
        "if n: x = 1\nelse: x = 2  # two\n",
        "if not n: x = 2  # two\nelse: x = 1\n",
    ),
    "a nested function with its own scope": (
        ReturnedName,
        "def f(n):\n    def g():\n        return n + 1\n    return g()\n",
        "def f(n):\n    def g():\n        _t0 = n + 1\n        return _t0\n    _t0 = g()\n    return _t0\n",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_written(case: str) -> None:
    intervention, before, after = CASES[case]
    assert rewritten(before, intervention) == after


def test_interventions_for_expressions_apply_to_what_is_written() -> None:
    before = "def f(n):\n    if abs(n + 1) > 0:\n        return abs(n * 2)\n    else:\n        return 0\n"
    after = (
        "def f(n):\n    _t0 = n + 1\n    _t1 = abs(_t0)\n    if not _t1 > 0:\n        return 0\n    else:\n"
        "        _t2 = n * 2\n        return abs(_t2)\n"
    )
    assert rewritten(before, BranchSwap, temporaries=True) == after


def test_lines_know_where_they_come_from() -> None:
    before = "def f(n):\n    if n:\n        return 1\n    else:\n        return [n, 2]\n"
    result = rewrite_source(before, "branch_swap")
    assert result.origins == (1, 2, 5, 4, 3)
    [change] = result.changes
    assert (change.intervention, change.line, change.column, change.expression) == ("branch_swap", 2, 5, "if n:")
    assert [before[start:end] for start, end in result.spans] == ["if n:"]
