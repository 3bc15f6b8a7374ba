"""The same program under recipes, each rewrite verified on its call by execution."""

from __future__ import annotations

from corpora import Case
from corpora.errors import InputError
from rewrite import check_equivalence
from runner.batch_rewriting.process import shared_process
from runner.traces.trace_request import DroppedRowError


def rewrite_case(case: Case, recipe: str, seconds: float) -> str:
    """The program under a recipe, equal to the original on its call.

    Args:
        case: The original.
        recipe: Name of the recipe.
        seconds: Time limit of each run.

    Raises:
        DroppedRowError: The recipe changes nothing, or the rewrite was not proven equal on the call.
    """
    try:
        made = shared_process().rewrite(case.source, recipe, calls=[case.call])
    except InputError as error:
        raise DroppedRowError("the rewrite failed", str(error)) from None
    if not made.changed:
        reasons = "; ".join(sorted({why for _, why in made.left}))
        raise DroppedRowError("the recipe leaves the program unchanged", reasons)
    try:
        verdict = check_equivalence(
            case.source, made.source, [case.call], examples=0, run_seconds=seconds, assumes=made.assumes
        )
    except InputError as error:
        raise DroppedRowError("the rewrite could not be verified", str(error)) from None
    if made.source != case.source and not verdict.agrees:
        raise DroppedRowError("the rewrite is not proven equal on its call", verdict.why)
    return made.source
