"""Sparse reveals (the blog's section 3.5): accuracy against tokens, from states on every line to none.

The actions are injected, so that only states can go wrong. Of the states, the model writes every k-th; the others are
injected as empty. The last state is always written, and is graded. No training is involved: a model that was trained
on dense traces is asked to carry state over k lines.
"""

from __future__ import annotations

from statistics import fmean

from runner.asking.sparse_reveals import NEVER
from runner.experiments import AskModel, ExperimentOptions, permutations
from runner.experiments.accuracy_results import AccuracyResults, accuracy_point
from runner.experiments.permutations import of_length
from runner.inputs.benchmarks import token_limit
from runner.records.samples import Sample, originals

SUMMARY = "states on every line, on every 2nd, 4th, 8th, or on none: accuracy against tokens (blog, section 3.5)"
NEEDS = "nothing: the programs are drawn; --data for others (a benchmark's name or a file)"
TAKES = ("size", "length", "data")
FORMS = ("bare", "oneshot")
GREEDY = True
SPACINGS = (1, 2, 4, 8, NEVER)
LENGTHS = (16,)
NOTE = (
    "The blog compares dense reveals, reveals at a spacing of 4 to 8 and none (its Table 2), without accuracies. "
    "Difference: its models are trained at each spacing (Siems et al. 2026); here one model is asked zero-shot."
)


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per spacing and length; its name says what share of the full traces' tokens the sparse ones have."""
    cases = permutations.cases(options, LENGTHS)
    limit = token_limit(options.data or "permutations")
    answers: dict[int, list[Sample]] = {}
    for spacing in SPACINGS:
        stage = f"reveal-{spacing or 'none'}"
        answers[spacing] = originals(ask(stage, cases, limit, mode="forced-actions", reveal_every=spacing))
    tokens = _tokens(answers)
    names = {spacing: spacing_name(spacing) + tokens.get(spacing, "") for spacing in SPACINGS}
    if options.data:
        points = [accuracy_point(options.data, names[spacing], own) for spacing, own in answers.items()]
    else:
        points = [
            accuracy_point(f"{length} steps", names[spacing], of_length(own, length))
            for length in options.lengths or LENGTHS
            for spacing, own in answers.items()
        ]
    title = f"Sparse reveals: {options.data or 'S5 permutation tracking'}"
    return AccuracyResults(title, "states revealed (tokens of the reference trace)", tuple(points), sentences=(NOTE,))


def spacing_name(spacing: int) -> str:
    """The name of a spacing in tables and figures.

    >>> [spacing_name(spacing) for spacing in (1, 2, NEVER)]
    ['every line', 'every 2nd line', 'the last alone']
    """
    if spacing == NEVER:
        return "the last alone"
    return "every line" if spacing == 1 else f"every {spacing}{'nd' if spacing == 2 else 'th'} line"


def _tokens(answers: dict[int, list[Sample]]) -> dict[int, str]:
    """By spacing, the mean length of the reference traces, in percent of that with every state."""
    counts = {
        spacing: [sample.reference_tokens for sample in own if sample.asked and sample.reference_tokens]
        for spacing, own in answers.items()
    }
    dense = fmean(counts[1]) if counts[1] else 0.0
    return {
        spacing: f" ({100 * fmean(own) / dense:.0f} % of the tokens)"
        for spacing, own in counts.items()
        if own and dense
    }
