"""Property-based testing of interventions: Hypothesis strategies for whole programs, and an equivalence assertion.

    from hypothesis import given
    from rewrite import rewrite_source
    from rewrite.testing import assert_equivalent, programs

    @given(programs())
    def test_the_rewrite_is_the_same_program(program):
        after = rewrite_source(program.source, "expressions").source
        assert_equivalent(program.source, after, calls=program.calls)

The generated programs terminate, are deterministic, and log in a module global `LOG` which operands were evaluated and
in which order. They often raise on purpose: a rewrite must fail at the same place with the same message. The grammar is
`rewrite.program_grammar`; equivalence is defined in `rewrite.equivalence.check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from rewrite.equivalence.check import check_equivalence
from rewrite.program_grammar.assembly import assembled
from rewrite.program_grammar.choices import HypothesisChoices
from rewrite.program_grammar.form_filling import FormFiller
from rewrite.program_grammar.generated_program import Program
from rewrite.program_grammar.logged_programs import KINDS, LOGGED, MODULE_FEATURES, draw_logged_program

EXPRESSION_FEATURES = LOGGED.features(statements=False)
FEATURES = EXPRESSION_FEATURES | LOGGED.features(statements=True) | {"comment"} | MODULE_FEATURES
"""Every part of the language that can be drawn, by name: pass a subset as `features`."""


def expressions(
    kind: str = "any", *, depth: int = 3, features: Iterable[str] = EXPRESSION_FEATURES
) -> st.SearchStrategy[str]:
    """Return a strategy for the source of expressions, to be completed by `program_of`.

    Args:
        kind: "int", "bool", "str", "list", "dict", "iterable" or "any".
        depth: maximum nesting.
        features: parts of the language to use, names from `FEATURES`.

    Raises:
        ValueError: for an unknown kind or feature.
    """
    if kind not in KINDS:
        raise ValueError(f"no such kind: {kind!r} (there are {', '.join(KINDS)})")
    used, scope = validated_features(features), LOGGED.scope(depth)

    @st.composite
    def drawn(draw: st.DrawFn) -> str:
        return FormFiller(HypothesisChoices(draw), LOGGED, used).expression(kind, scope).text

    return drawn()


def programs(*, depth: int = 2, size: int = 3, features: Iterable[str] = FEATURES) -> st.SearchStrategy[Program]:
    """Return a strategy for well-formed, terminating programs with an entry function `f` and up to three calls to it.

    Args:
        depth: maximum nesting of statements and expressions.
        size: maximum number of statements in `f`.
        features: parts of the language to use, names from `FEATURES`.

    Raises:
        ValueError: for an unknown feature.
    """
    used = validated_features(features)

    @st.composite
    def drawn(draw: st.DrawFn) -> Program:
        return draw_logged_program(HypothesisChoices(draw), used, depth, size)

    return drawn()


def program_of(expression: str, calls: Iterable[str] = ()) -> Program:
    """Return the program whose `f` returns an expression from `expressions()`; its variables become parameters.

    Args:
        expression: the source of the expression.
        calls: calls to `f` (default: one call with simple arguments).
    """
    used = LOGGED.variables_in(expression)
    samples = {"int": "1", "str": "'ab'", "list": "[1, 2]", "dict": "{'a': 1}"}
    arguments = ", ".join(samples[kind] for kind in used.values())
    return assembled([f"return {expression}"], list(calls) or [f"f({arguments})"], used)


def validated_features(features: Iterable[str]) -> frozenset[str]:
    """Return the features as a set.

    Raises:
        ValueError: names the unknown features.
    """
    unknown = sorted(frozenset(features) - FEATURES)
    if unknown:
        raise ValueError(f"no such feature: {', '.join(unknown)} (there are {', '.join(sorted(FEATURES))})")
    return frozenset(features)


def assert_equivalent(before: str, after: str, calls: Sequence[str], *, seconds: float = 5.0) -> None:
    """Run both programs on the calls in the sandbox and assert that they do the same.

    Args:
        before: the original program.
        after: the rewritten program.
        calls: Python expressions that call it.
        seconds: time limit for each call.

    Raises:
        AssertionError: with the first call on which the programs differ, both outcomes and both programs; also if a
            call cannot be compared, such as after a timeout.
        InputError: if a call does not parse.
    """
    verdict = check_equivalence(before, after, calls, examples=0, run_seconds=seconds)
    if not (verdict.agrees or before == after):
        difference = verdict.counterexample or f"# undecided: {verdict.why}"
        raise AssertionError(f"{difference}\n# ---- before ----\n{before}\n# ---- after ----\n{after}")
