"""Gains and losses by how much longer a rewrite makes the trace: `python -m lab.pocket.trace_growth ANSWERS`.

The pairs of all recipes of the experiment, in three groups of equal size. The protocol does not have this question: it
was asked after the answers were seen, so its result is a lead, not a test.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from corpora.errors import InputError
from lab.pocket.answers import FILE, read_answers
from lab.pocket.experiment import RECIPES
from lab.pocket.gate import points, print_table
from runner.records.samples import Sample, originals
from runner.reports.recipe_table import paired_cells
from runner.statistics.paired import AnswerPair, compare_pairs
from runner.terminal.tables import Cells

GROUPS = 3
COLUMNS = ("trace after / before", "pairs", "right before", "right after", "gained", "lost", "p", "points")


class RewrittenPair(NamedTuple):
    """The answers to a program and to a rewrite.

    Attributes:
        growth: tokens of the rewrite's reference trace, as a multiple of the original's.
        answers: both, with the program.
    """

    growth: float
    answers: AnswerPair


def rewritten_pairs(runs: Mapping[str, Sequence[Sample]]) -> Iterator[RewrittenPair]:
    """The pairs of the recipes whose traces were counted."""
    for samples in runs.values():
        greedy = [sample for sample in samples if sample.asked and sample.answer_index is None]
        firsts = {sample.case_key: sample for sample in originals(greedy)}
        for sample in greedy:
            first = firsts.get(sample.case_key)
            if sample.attempt in RECIPES and first and first.reference_tokens and sample.reference_tokens:
                answers = AnswerPair(first.is_correct, sample.is_correct, first.source)
                yield RewrittenPair(sample.reference_tokens / first.reference_tokens, answers)


def rows(pairs: Sequence[RewrittenPair]) -> Iterator[Cells]:
    """A row a group, the pairs that grow least first."""
    ordered = sorted(pairs, key=lambda pair: pair.growth)
    bounds = [round(len(ordered) * number / GROUPS) for number in range(GROUPS + 1)]
    for start, end in pairwise(bounds):
        if group := ordered[start:end]:
            found = compare_pairs(pair.answers for pair in group)
            yield (f"×{group[0].growth:.2f} to {group[-1].growth:.2f}", *paired_cells(found), points(found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.pocket.trace_growth", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("answers", type=Path, help=f"{FILE} of lab.pocket.experiment")
    try:
        found = list(rewritten_pairs(read_answers(parser.parse_args(arguments).answers)))
    except InputError as error:
        sys.stderr.write(f"trace_growth: {error}\n")
        return 2
    print_table(COLUMNS, list(rows(found)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
