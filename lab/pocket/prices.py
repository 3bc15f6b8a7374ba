"""What each kind of change costs the embedded model: `python -m lab.pocket.prices ANSWERS`.

The price of a change is what one unit of it adds to −log of the probability of a right answer, from the answers of
`lab.pocket.experiment` to programs and to their rewrites. The protocol does not have this question: it was asked after
the answers were seen, so its results are leads.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log2
from pathlib import Path

import numpy as np

from corpora.errors import InputError
from lab.evidence.prices import COLUMNS, Question, table
from lab.evidence.ratios import LogRatios, fit_log_ratios
from lab.evidence.rewrite_effects import holm
from lab.pocket.answers import FILE, read_answers
from lab.pocket.experiment import RECIPES
from lab.pocket.gate import print_table
from rewrite.baselines import PLACEBO
from runner.records.samples import Sample, originals

TEMPORARIES, LETTERS, OTHER_FORM = "line with temporaries", "line with lists of characters", "line in another form"
RENAMED, DOUBLED = "program with other names", "trace doubled"
KINDS = (TEMPORARIES, LETTERS, OTHER_FORM, RENAMED)
_BY_INTERVENTION = {"temporaries": TEMPORARIES, "letters": LETTERS}

Pair = tuple[Sample, Sample]
"""The answers to a program and to its rewrite."""


def pairs(runs: Mapping[str, Sequence[Sample]]) -> list[Pair]:
    """The greedy answers to programs and to what the recipes and the placebo made of them, with counted traces."""
    found: list[Pair] = []
    for samples in runs.values():
        known = [one for one in samples if one.asked and one.answer_index is None and one.reference_tokens]
        firsts = {one.case_key: one for one in originals(known)}
        changed = [one for one in known if one.attempt in (*RECIPES, PLACEBO) and one.case_key in firsts]
        found += [(firsts[one.case_key], one) for one in changed]
    return found


def changes(pair: Pair) -> dict[str, float]:
    """How much of each kind of change a rewrite has, and how many times its trace doubles."""
    before, after = pair
    growth = log2((after.reference_tokens or 1) / (before.reference_tokens or 1))
    if after.attempt == PLACEBO:
        return {RENAMED: 1, DOUBLED: growth}
    applied = after.rewrite.applied if after.rewrite else ()
    return {**Counter(_BY_INTERVENTION.get(name, OTHER_FORM) for name, _ in applied), DOUBLED: growth}


def fit(found: Sequence[Pair], kinds: Sequence[str]) -> LogRatios:
    """The regression on some kinds of change, clustered by program.

    Raises:
        InputError: there are no pairs, or two kinds always come together.
    """
    amounts = [[[0.0] * len(kinds), [of.get(kind, 0.0) for kind in kinds]] for of in map(changes, found)]
    right = [[float(one.is_correct) for one in pair] for pair in found]
    if not found:
        raise InputError("has no rewritten program")
    return fit_log_ratios(np.array(amounts), np.array(right), [before.case_key for before, _ in found])


def questions(found: Sequence[Pair]) -> Iterator[Question]:
    """All kinds in one regression, the length of the trace alone, and the length together with all kinds."""
    counts = Counter(kind for pair in found for kind, amount in changes(pair).items() if amount)
    for kinds, asked in ((KINDS, KINDS), ((DOUBLED,), (DOUBLED,)), ((*KINDS, DOUBLED), (DOUBLED,))):
        fitted = fit(found, kinds)
        for kind in asked:
            beside = ", other changes held fixed" if len(kinds) > len(KINDS) else ""
            yield Question(f"{kind}{beside}", counts[kind], fitted, kinds.index(kind))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m lab.pocket.prices", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("answers", type=Path, metavar="ANSWERS", help=f"{FILE} of lab.pocket.experiment")
    try:
        found = list(questions(pairs(read_answers(parser.parse_args(arguments).answers))))
    except InputError as error:
        sys.stderr.write(f"prices: {error}\n")
        return 2
    corrected = holm([one.fit.p(one.index) for one in found])
    print_table(COLUMNS, table(found, corrected), f"p: corrected for {len(found)} questions (Holm)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
