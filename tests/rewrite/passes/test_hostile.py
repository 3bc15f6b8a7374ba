"""Candidates for programs in which a pass is easily wrong, run on calls other than those they are asked for."""

import contextlib
import io

import pytest

from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.passes import apply_candidate, find_candidates
from tests.rewrite.passes.hostile import HOSTILE, Hostile


def outcome(source: str, call: str) -> object:
    """What a call gives or raises, and what it prints, in a module of its own."""
    names: dict[str, object] = {"__name__": "program"}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(source, "<program>", "exec", dont_inherit=True), names)
            value = eval(call, names)
            ended = type(value).__name__, repr(value)
        except Exception as error:  # noqa: BLE001 - the error is the outcome
            ended = type(error).__name__, str(error)
    return ended, printed.getvalue()


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: case.why)
def test_what_is_made_of_it_does_the_same_on_other_calls(case: Hostile) -> None:
    for candidate in find_candidates(case.source, case.given):
        after = apply_candidate(case.source, candidate).source
        for call in (*case.given, *case.others):
            if outcome(case.source, call) != outcome(after, call):
                assert AssumptionFilter(case.source, candidate.assumes).broken_assumptions([call], 5), (
                    candidate.name,
                    candidate.what,
                    call,
                    after,
                )
