"""Hard programs (`tests.rewrite.hard_programs`) do the same after every recipe; a second rewrite changes nothing."""

from __future__ import annotations

import contextlib
import io
from itertools import product

import pytest

from rewrite import rewrite_source
from rewrite.equivalence.assumption_filter import AssumptionFilter
from tests.rewrite.hard_programs import PROGRAMS
from tests.samples import sampled

RECIPES = ("elements", "idioms", "letters", "decompose", "methods")
EACH = list(product(PROGRAMS, RECIPES))


def outcome(source: str, call: str) -> tuple[str, str, str]:
    """Type and value of a call, or its exception, and what it prints."""
    space: dict[str, object] = {"__name__": "program"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(compile(source, "<program>", "exec", dont_inherit=True), space)
            value = eval(call, space)
            found = type(value).__name__, repr(value)
        except Exception as error:  # noqa: BLE001 - the error is the outcome
            found = type(error).__name__, str(error)
    return *found, printed.getvalue()


@pytest.mark.medium
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "recipe"), sampled(EACH, map("-".join, EACH), every=21))
def test_a_hard_program_does_the_same(name: str, recipe: str) -> None:
    source, seen, unseen = PROGRAMS[name]
    made = rewrite_source(source, recipe, calls=[seen], cost=None)
    for call in (seen, *unseen):
        if outcome(source, call) != outcome(made.source, call):
            assert AssumptionFilter(source, made.assumes).broken_assumptions([call], 5), call
    assert rewrite_source(made.source, recipe, calls=[seen], cost=None).source == made.source
    plain = rewrite_source(source, recipe).source
    assert [outcome(plain, call) for call in (seen, *unseen)] == [outcome(source, call) for call in (seen, *unseen)]
