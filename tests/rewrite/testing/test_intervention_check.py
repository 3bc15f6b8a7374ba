"""`check_intervention`: what is wrong is found and shown in a few lines, and nothing passes vacuously."""

import ast
import inspect
import re
from collections.abc import Callable
from typing import Any, ClassVar

import libcst as cst
import pytest
from libcst.codemod import VisitorBasedCodemodCommand

from corpora.errors import InputError
from rewrite import rewrite_source
from rewrite.anf.intervention import RewriteExample, StatementIntervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.anf.rewrite_result import NOT_CHECKED
from rewrite.equivalence.changed_code import changed_lines
from rewrite.pipeline.registration import intervention
from rewrite.syntax import build
from rewrite.syntax.tree import as_not_operand
from rewrite.testing import Report, assert_intervention, check_codemod, check_intervention
from tests.rewrite.testing.patterns import pattern_rewrite
from tests.rewrite.testing.statement_faults import FAULTS
from tests.samples import sampled

FEW: dict[str, Any] = {"examples": 12, "minimum": 5}
MOST_LINES = 6
LINES_OF_A_CLASS = 8  # a counterexample that needs an object with two methods


@pytest.fixture
def one_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    """One program that differs is enough: further ones are drawn only to choose the shortest."""
    monkeypatch.setattr("rewrite.testing.intervention_check.DIFFERENCES", 1)


class WrongBranchSwap(StatementIntervention):
    """Turns a comparison around: wrong where neither `a < b` nor `a > b` holds."""

    name = "wrong_branch_swap"
    statements = (cst.If,)

    def claims(self, node: cst.If, plan: LoweringPlan) -> bool:
        less = isinstance(node.test, cst.Comparison) and isinstance(node.test.comparisons[0].operator, cst.LessThan)
        return isinstance(node.orelse, cst.Else) and less

    def expand(self, node: cst.If, steps: Lowering) -> cst.If:
        test = cst.ensure_type(node.test, cst.Comparison)
        greater = test.comparisons[0].with_changes(operator=cst.GreaterThan())
        otherwise = cst.ensure_type(node.orelse, cst.Else)
        return node.with_changes(
            test=test.with_changes(comparisons=[greater, *test.comparisons[1:]]),
            body=otherwise.body,
            orelse=otherwise.with_changes(body=node.body),
        )


class WrongPlainAssignment(StatementIntervention):
    """`x += e` as `x = x + e`: wrong for a list that other variables share."""

    name = "wrong_plain_assignment"
    statements = (cst.AugAssign,)

    def claims(self, node: cst.AugAssign, plan: LoweringPlan) -> bool:
        return isinstance(node.target, cst.Name) and isinstance(node.operator, cst.AddAssign)

    def expand(self, node: cst.AugAssign, steps: Lowering) -> cst.Assign:
        value = cst.BinaryOperation(build.clone(node.target), cst.Add(), as_not_operand(node.value))
        return cst.Assign([cst.AssignTarget(node.target)], value)


def expression_rewrite(change: Callable[[ast.expr], ast.expr | None]) -> Callable[[str], str]:
    """A rewrite from source to source that replaces expressions."""

    class Rewriter(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if isinstance(node, ast.FormattedValue):  # its specification has to stay an f-string
                node.value = self.visit(node.value)
                return node
            node = self.generic_visit(node)
            return (change(node) if isinstance(node, ast.expr) else None) or node

    def rewrite(source: str) -> str:
        before = ast.parse(source)
        after = ast.fix_missing_locations(Rewriter().visit(ast.parse(source)))
        return source if ast.dump(before) == ast.dump(after) else ast.unparse(after) + "\n"

    return rewrite


@expression_rewrite
def list_of_a_generator(node: ast.expr) -> ast.expr | None:
    """A StopIteration in a list comprehension becomes a RuntimeError in a generator."""
    if isinstance(node, ast.ListComp):
        return ast.Call(ast.Name("list", ast.Load()), [ast.GeneratorExp(node.elt, node.generators)], [])
    return None


@expression_rewrite
def text_of_a_field(node: ast.expr) -> ast.expr | None:
    """A field of an f-string calls `__format__`, `str` calls `__str__`."""
    match node:
        case ast.JoinedStr(values=[ast.FormattedValue(value=value, conversion=-1, format_spec=None)]):
            return ast.Call(ast.Name("str", ast.Load()), [value], [])
    return None


EXPERIMENTS: dict[str, Any] = {
    "a branch swap": WrongBranchSwap,
    "a list of a generator": list_of_a_generator,
    "str of a field": text_of_a_field,
    "a plain assignment": WrongPlainAssignment,
    "max of two values": pattern_rewrite("max", *FAULTS["max by greater"]),
}


@pytest.mark.medium
@pytest.mark.parametrize("experiment", sampled(EXPERIMENTS, EXPERIMENTS, every=5))
def test_a_wrong_intervention_is_found_with_a_short_counterexample(experiment: str) -> None:
    report = check_intervention(EXPERIMENTS[experiment], properties=("behaviour",))
    assert not report.passed and report.counterexample is not None, report
    most = MOST_LINES + (LINES_OF_A_CLASS if experiment == "str of a field" else 0)
    assert len(report.counterexample.program.splitlines()) <= most, report
    assert report.counterexample.rewritten != report.counterexample.program
    compile(str(report.counterexample), "pasted", "exec")


class ClaimsNothing(WrongPlainAssignment):
    """An intervention that changes no program."""

    name = "claims_nothing"

    def claims(self, node: cst.AugAssign, plan: LoweringPlan) -> bool:
        return False


@pytest.mark.medium
def test_a_vacuous_pass_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rewrite.testing.intervention_check.LEAST_DRAWS", 40)
    with pytest.raises(AssertionError, match="calls reached 0 changed programs, and 1 are needed") as failed:
        assert_intervention(ClaimsNothing, examples=2, minimum=1)
    assert "failed (" in str(failed.value) and " 0 changed," in str(failed.value)
    assert re.findall("^# (.*?):", str(failed.value), re.MULTILINE) == ["too few programs"]
    assert "Add EXAMPLES" in str(failed.value)


class Rare(StatementIntervention):
    """Changes only calls of a name that the grammar does not know; its example makes it testable."""

    name = "rare"
    statements = (cst.Expr,)
    EXAMPLES: ClassVar[tuple[RewriteExample, ...]] = (
        RewriteExample("A call", "def f(x):\n    rarely\n    return x\n", "def f(x):\n    0\n    return x\n", "f(1)"),
    )

    def claims(self, node: cst.Expr, plan: LoweringPlan) -> bool:
        return isinstance(node.value, cst.Name) and node.value.value == "rarely"

    def expand(self, node: cst.Expr, steps: Lowering) -> cst.Expr:
        return cst.Expr(cst.Integer("0"))


def test_fifty_programs_are_needed_unless_the_caller_asks_for_fewer() -> None:
    assert inspect.signature(check_intervention).parameters["minimum"].default == 50
    with pytest.raises(InputError, match="examples=20 is less than minimum=50"):
        check_intervention(ClaimsNothing, examples=20)


@pytest.mark.medium
def test_programs_are_drawn_around_the_examples() -> None:
    report = check_intervention(Rare, properties=("behaviour",), **FEW)
    assert report.by_source["examples"][1] > 0
    assert report.counterexample is not None and "differ in: ending" in str(report)


@pytest.mark.medium
@pytest.mark.parametrize("name", ["branch_swap", pytest.param("plain_assignment", marks=pytest.mark.exhaustive)])
def test_the_shipped_examples_pass(name: str) -> None:
    report = check_intervention(name, **FEW)
    assert report.passed, report
    assert report.reached >= FEW["minimum"] and report.composed > 0


@pytest.mark.medium
def test_the_same_seed_draws_the_same_programs() -> None:
    few: dict[str, Any] = {"examples": 5, "minimum": 1, "properties": ("behaviour",)}
    one, other = (check_intervention("branch_swap", seed=3, **few) for _ in range(2))
    assert (one.drawn, one.changed, one.by_source) == (other.drawn, other.changed, other.by_source)


def comment_lost(source: str) -> str:
    return source.replace("# first", "").replace("# as it was", "") if "# first" in source else source


def grows(source: str) -> str:
    return source + "z_ = 0\n"


def reformats(source: str) -> str:
    return source.replace("untouched ( x ) :", "untouched(x):") + ("" if "z_ = 0" in source else "z_ = 0\n")


def raises_on_its_output(source: str) -> str:
    if "z_ = 0" in source:
        raise RuntimeError("not twice")
    return source + "z_ = 0\n"


@pytest.mark.medium
def test_an_intervention_that_raises_on_its_own_output_is_reported() -> None:
    report = check_intervention(raises_on_its_output, examples=5, minimum=0, properties=("stability",))
    assert report.failures[0].kind == "error"
    assert report.failures[0].why == "a second application raises RuntimeError: not twice"


class Trap(StatementIntervention):
    """Joins the recipe `decompose`, and is wrong about `return result_`, which no drawn program contains."""

    name = "trap"
    recipes = ("decompose",)
    statements = (cst.Return,)

    def claims(self, node: cst.Return, plan: LoweringPlan) -> bool:
        return isinstance(node.value, cst.Name) and node.value.value == "result_"

    def expand(self, node: cst.Return, steps: Lowering) -> cst.Return:
        return cst.Return()


@pytest.mark.medium
def test_what_was_written_must_bear_the_builtin_recipes() -> None:
    intervention(Trap)
    by_name = pattern_rewrite("by_name", "return E_v", "result_ = E_v\nreturn result_")
    report = check_intervention(by_name, examples=6, minimum=0, properties=("composition",))
    assert [(one.kind, one.why) for one in report.failures] == [
        ("composition", "with decompose, the programs differ"),
    ], report


@pytest.mark.medium
@pytest.mark.parametrize(
    ("wrong", "kind"), [(comment_lost, "comments"), (grows, "stability"), (reformats, "untouched code")]
)
def test_text_that_must_stay_is_checked(wrong: Any, kind: str) -> None:
    report = check_intervention(wrong, examples=4, minimum=0, properties=(kind,))
    (found,) = (failure for failure in report.failures if failure.kind == kind)
    assert found.rewritten != found.program
    assert kind != "untouched code" or len(str(found).splitlines()) < 2 * MOST_LINES


def does_not_compile(source: str) -> str:
    return source + "("


def raises(source: str) -> str:
    raise RuntimeError("not today")


@pytest.mark.parametrize(("wrong", "why"), [(does_not_compile, "does not compile"), (raises, "not today")])
def test_an_intervention_that_fails_is_reported(wrong: Any, why: str) -> None:
    report = check_intervention(wrong, **FEW)
    assert report.failures[0].kind == "error" and why in report.failures[0].why


class ReturnCodemod(VisitorBasedCodemodCommand):
    """Replaces `return x` by `return (x,)[0]`."""

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:  # noqa: N802 - LibCST
        if updated_node.value is None or isinstance(updated_node.value, cst.Tuple):
            return updated_node
        first = cst.SubscriptElement(cst.Index(cst.Integer("0")))
        return updated_node.with_changes(value=cst.Subscript(cst.Tuple([cst.Element(updated_node.value)]), [first]))


class EqualCodemod(VisitorBasedCodemodCommand):
    """Replaces `==` by `!=`."""

    def leave_Equal(self, original_node: cst.Equal, updated_node: cst.Equal) -> cst.NotEqual:  # noqa: N802 - LibCST
        return cst.NotEqual()


@pytest.mark.medium
@pytest.mark.usefixtures("one_difference")
def test_a_codemod_is_checked_for_equivalence_only() -> None:
    report = check_codemod(ReturnCodemod, examples=3, minimum=1)
    assert isinstance(report, Report) and report.passed, report
    assert check_codemod(EqualCodemod, **FEW).counterexample is not None
    with pytest.raises(InputError, match="must be a LibCST codemod"):
        check_codemod(comment_lost)


def test_an_unknown_property_is_an_error() -> None:
    with pytest.raises(InputError, match="unknown property 'speed'"):
        check_intervention("branch_swap", properties=("speed",))


@pytest.mark.medium
@pytest.mark.usefixtures("one_difference")
def test_the_exception_policy_applies() -> None:
    other_message = pattern_rewrite("message", "assert E_c", "if not E_c:\n    raise AssertionError('no')")
    report = check_intervention(other_message, properties=("behaviour",), examples=10, minimum=0)
    assert report.counterexample is not None
    assert check_intervention(
        other_message, properties=("behaviour",), exceptions="type", examples=10, minimum=0
    ).passed


@pytest.mark.medium
@pytest.mark.usefixtures("one_difference")
def test_an_example_without_a_call_is_compared_on_sequences_of_calls() -> None:
    source = "items = []\ndef push(x):\n    items.append(x)\ndef pop():\n    return items.pop() if items else None\n"

    def queue(program: str) -> str:
        return program.replace("items.pop()", "items.pop(0)")

    queue.EXAMPLES = (RewriteExample("a stack", source, queue(source)),)  # type: ignore[attr-defined]
    report = check_intervention(queue, properties=("behaviour",))
    assert report.counterexample is not None
    assert report.counterexample.call.count("push(") == 2


@pytest.mark.medium
@pytest.mark.usefixtures("one_difference")
def test_a_call_with_the_constant_of_the_rewritten_program_is_tried() -> None:
    source = "def f(n):\n    return n\n"

    def wrong(program: str) -> str:
        return program.replace("return n\n", "return 0 if n == 4711 else n\n")

    wrong.EXAMPLES = (RewriteExample("one number", source, wrong(source), "f(3)"),)  # type: ignore[attr-defined]
    report = check_intervention(wrong, properties=("behaviour",))
    assert report.counterexample is not None
    assert report.counterexample.call == "f(4711)"


@pytest.mark.medium
def test_an_intervention_that_raises_on_longer_programs_is_reported() -> None:
    def raising(program: str) -> str:
        if "untouched" in program:
            raise ValueError("untouched")
        return program.replace(" < ", " <= ")

    report = check_intervention(raising)
    assert any(one.kind == "error" and "raises ValueError: untouched" in one.why for one in report.failures)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("try:\n    a\nexcept E:\n    b\n", "try:\n    a\nexcept E:\n    c\n", {4}),
        ("try:\n    a\nexcept E:\n    b\n", "try:\n    a\nexcept F:\n    b\n", {2}),
        ("match a:\n    case 1:\n        b\n", "match a:\n    case 1:\n        c\n", {3}),
        ("match a:\n    case 1:\n        b\n", "match a:\n    case 2:\n        b\n", {1}),
    ],
)
def test_a_change_in_a_clause_is_on_its_lines(before: str, after: str, lines: set[int]) -> None:
    assert changed_lines(before, after) == lines


@pytest.mark.medium
def test_an_example_that_is_not_changed_is_a_failure() -> None:
    def nothing(program: str) -> str:
        return program

    nothing.EXAMPLES = (RewriteExample("a comparison", "def f(a):\n    return a < 1\n", ""),)  # type: ignore[attr-defined]
    report = check_intervention(nothing, properties=("behaviour",), examples=1, minimum=0)
    assert any(one.kind == "example" and "'a comparison' is not changed" in one.why for one in report.failures)


def added_as_subtracted(source: str) -> str:
    """A wrong rewrite."""
    return source.replace(" + ", " - ")


@pytest.mark.medium
@pytest.mark.usefixtures("one_difference")
def test_a_failure_shows_both_outcomes_and_a_test_to_paste() -> None:
    found = check_intervention(added_as_subtracted, examples=20, minimum=1, properties=("behaviour",)).counterexample
    assert found is not None
    assert [line.partition(":")[0] for line in found.outcomes] == ["before", "after"]
    assert found.outcomes[0].removeprefix("before:") != found.outcomes[1].removeprefix("after:")
    assert all(f"#   {line}" in str(found) for line in found.outcomes)
    pasted = f"from {__name__} import added_as_subtracted\n{found.test()}\n"
    space: dict[str, Any] = {}
    exec(compile(pasted, "pasted", "exec"), space)
    with pytest.raises(AssertionError):
        space["test_the_rewrite_is_the_same_program"]()


def test_an_intervention_applied_without_a_call_says_that_nothing_was_checked() -> None:
    source = "def f(a):\n    return a + 1\n"
    assert [left.reason for left in rewrite_source(source, added_as_subtracted).left] == [NOT_CHECKED]
    assert rewrite_source(source, added_as_subtracted, calls="f(1)").source == source
