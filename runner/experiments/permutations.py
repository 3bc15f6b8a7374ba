"""S_5 permutation tracking (the paper's Figure 1): accuracy by the number of permutations.

Ten programs per length, 8 to 128 permutations, 8,192 new tokens. The experiment `forcing` adds teacher forcing.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpora import Case, load
from corpora.errors import InputError
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.accuracy_results import AccuracyResults, accuracy_point
from runner.experiments.published import PERMUTATIONS, PERMUTATIONS_NOTE
from runner.inputs.benchmarks import token_limit
from runner.records.samples import Sample, originals
from runner.runs.cases import load_cases

SUMMARY = "S_5 permutation tracking: accuracy by the number of steps (paper, Figure 1)"
NEEDS = "nothing: the programs are drawn"
TAKES = ("size", "length")
LENGTHS = (8, 16, 32, 64, 128)
SIZE = 10


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per length."""
    lengths = options.lengths or LENGTHS
    samples = originals(ask("permutations", cases(options, LENGTHS), token_limit("permutations")))
    points = tuple(accuracy_point("free decoding", length, of_length(samples, length)) for length in lengths)
    return AccuracyResults("S5 permutation tracking", "steps", points, PERMUTATIONS.at(lengths), (PERMUTATIONS_NOTE,))


def of_length(samples: Sequence[Sample], length: int) -> list[Sample]:
    """The samples about programs with this number of permutations."""
    return [sample for sample in samples if sample.kind.endswith(f"length {length}")]


def cases(options: ExperimentOptions, default_lengths: Sequence[int]) -> list[Case]:
    """Programs of each length; with `--data`, the programs of the data. Raises InputError for `--length` with it."""
    if options.data:
        if options.lengths:
            raise InputError("does not apply to --data: only permutations have it", where="--length")
        return list(load_cases(options.data, list(options.mapping), options.size, seed=options.seed).cases)
    size, lengths = SIZE if options.size is None else options.size, options.lengths or default_lengths
    return [case for length in lengths for case in load("permutations", length=length, size=size, seed=options.seed)]
