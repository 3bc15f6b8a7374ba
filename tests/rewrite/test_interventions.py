"""Every example of every intervention: as text, as behaviour, and for idempotence."""

import pytest

from rewrite.anf.intervention import BaseIntervention, RewriteExample, UntouchedExample
from rewrite.pipeline.recipes import all_interventions, recipe_names
from rewrite.rewriting import rewrite_source

EXAMPLES = [(i, e) for i in all_interventions() for e in i.EXAMPLES]
UNTOUCHED = [(i, u) for i in all_interventions() for u in i.UNTOUCHED]


def outcome(source: str, call: str) -> tuple[str, str]:
    names: dict[str, object] = {}
    try:
        exec(compile(source, "<example>", "exec", dont_inherit=True), names)
        return "ok", repr(eval(call, names))
    except Exception as error:  # noqa: BLE001 - whatever a program raises is its outcome
        return type(error).__name__, str(error)


@pytest.mark.parametrize(("intervention", "example"), UNTOUCHED, ids=[u.note for _, u in UNTOUCHED])
def test_what_must_stay_stays_and_says_why(intervention: type[BaseIntervention], example: UntouchedExample) -> None:
    result = rewrite_source(example.source, intervention.name)
    assert result.source == example.source
    assert not result.changed
    assert {left.reason for left in result.left} == ({example.reason} if example.reason else set())


@pytest.mark.parametrize(("intervention", "example"), EXAMPLES, ids=[e.note for _, e in EXAMPLES])
def test_an_example_becomes_what_it_says(intervention: type[BaseIntervention], example: RewriteExample) -> None:
    calls = [example.call] if example.with_call else None
    assert rewrite_source(example.before, intervention.name, calls=calls).source == example.after


@pytest.mark.parametrize(("intervention", "example"), EXAMPLES, ids=[e.note for _, e in EXAMPLES])
def test_an_example_does_the_same_before_and_after(
    intervention: type[BaseIntervention], example: RewriteExample
) -> None:
    assert example.call, "an example needs a call"
    assert outcome(example.before, example.call) == outcome(example.after, example.call)


@pytest.mark.parametrize(("intervention", "example"), EXAMPLES, ids=[e.note for _, e in EXAMPLES])
def test_a_second_rewrite_changes_nothing(intervention: type[BaseIntervention], example: RewriteExample) -> None:
    calls = [example.call] if example.with_call else None
    assert not rewrite_source(example.after, intervention.name, calls=calls).changed


def test_the_papers_recipes_are_there() -> None:
    assert {"decompose", "expressions", "strings"} <= set(recipe_names())


def test_examples_hold_the_source_of_a_block() -> None:
    block = """
    def f(n):
        return n
    """
    source = "def f(n):\n    return n\n"
    assert RewriteExample("a name", block, block) == RewriteExample("a name", source, source)
    assert UntouchedExample("a name", block).source == source
