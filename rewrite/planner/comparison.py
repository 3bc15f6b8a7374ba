"""A plan compared with its program on generated inputs within its assumptions, and the pass at fault if they differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.errors import InputError
from rewrite.anf.rewrite_result import Rewritten
from rewrite.equivalence.program_pair import ProgramPair


@dataclass(frozen=True)
class PlanComparison:
    """The result of comparing a plan with its program.

    Attributes:
        compared: Number of inputs on which both were compared.
        missing: Those of the given calls on which they were not.
        call: A call on which they differ; "" if none was found.
        why: In which respect they differ, or why they could not be compared; "" otherwise.
    """

    compared: int = 0
    missing: tuple[str, ...] = ()
    call: str = ""
    why: str = ""


NOT_COMPARED = PlanComparison()
"""Of a program that is not changed."""


def import_comparison() -> None:
    """Import what a comparison needs, Hypothesis among it: a tenth of a second, in which another process may work."""
    import rewrite.equivalence.check  # noqa: F401


def compare_plan(source: str, made: Rewritten, calls: Sequence[str], examples: int) -> PlanComparison:
    """Compare a program with its rewrite on the calls and on generated inputs. The result is deterministic.

    Args:
        source: The program.
        made: Its rewrite.
        calls: Calls that the inputs are derived from.
        examples: Number of generated inputs; 0 for the calls only.
    """
    if made.source == source:
        return NOT_COMPARED
    from rewrite.equivalence.check import check_equivalence  # see `import_comparison`

    try:
        verdict = check_equivalence(
            source, made.source, calls, examples=examples, inputs="any", seconds=None, assumes=made.assumes
        )
    except InputError as error:  # a call that calls no function of the program
        return PlanComparison(missing=(*calls,), why=f"not compared on generated inputs: {error}")
    if verdict.counterexample is not None:
        return PlanComparison(verdict.tried, call=verdict.counterexample.call, why=verdict.why)
    if verdict.equivalent is None:
        undecided = f"the comparison on generated inputs is undecided: {verdict.why}"
        return PlanComparison(verdict.tried, (*calls,), why=undecided)
    left = {call for call, _ in (*verdict.undecided, *verdict.outside)}
    return PlanComparison(verdict.tried, tuple(call for call in calls if call in left))


def find_first_difference(source: str, made: Sequence[Rewritten], call: str) -> int | None:
    """The index of the first rewrite that does something else on a call; None if none does."""
    from rewrite.equivalence.check import RUN_SECONDS

    for number, one in enumerate(made):
        if one.source != source and ProgramPair(source, one.source, RUN_SECONDS, one.assumes).first_difference([call]):
            return number
    return None
