"""A plan compared with its program on drawn inputs, within its assumptions; and which pass caused a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.errors import InputError
from rewrite.equivalence.check import check_equivalence
from rewrite.equivalence.program_pair import ProgramPair
from rewrite.result import Rewritten

DRAWN = 30
"""So many inputs are drawn, if nothing else is said."""
SECONDS = 2.0


@dataclass(frozen=True)
class Comparison:
    """What comparing two programs found.

    Attributes:
        compared: Number of inputs on which both were compared.
        call: A call on which they differ; "" if none was found.
        why: In which respect they differ, or why they could not be compared; "" if nothing is to be said.
    """

    compared: int = 0
    call: str = ""
    why: str = ""


def compare(source: str, made: Rewritten, calls: Sequence[str], examples: int) -> Comparison:
    """The program and its rewrite on the calls and on drawn inputs. The same arguments give the same comparison."""
    if not examples or made.source == source:
        return Comparison()
    try:
        verdict = check_equivalence(
            source, made.source, calls, examples=examples, seconds=SECONDS, assumes=made.assumes
        )
    except InputError as error:  # a call that calls no function of the program
        return Comparison(why=f"not compared on drawn inputs: {error}")
    if verdict.counterexample is not None:
        return Comparison(verdict.tried, verdict.counterexample.call, verdict.why)
    undecided = f"the comparison on drawn inputs is undecided: {verdict.why}" if verdict.equivalent is None else ""
    return Comparison(verdict.tried, why=undecided)


def first_different(source: str, made: Sequence[Rewritten], call: str) -> int | None:
    """The first of some rewrites that does something else on a call; None if none does."""
    for number, one in enumerate(made):
        if one.source != source and ProgramPair(source, one.source, SECONDS, one.assumes).first_difference(
            [call], SECONDS
        ):
            return number
    return None
