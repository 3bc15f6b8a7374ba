"""S_5 permutation tracking (the paper's Figure 1): accuracy by the number of permutations.

Ten programs per length, 8 to 128 permutations, 8,192 new tokens. The experiment `forcing` adds teacher forcing.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpora import Case, load
from corpora.errors import InputError
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.findings import Findings, accuracy_point
from runner.experiments.published import PERMUTATIONS, PERMUTATIONS_NOTE
from runner.inputs.benchmarks import token_limit
from runner.runs.cases import load_cases

SUMMARY = "S_5 permutation tracking: accuracy by the number of steps (paper, Figure 1)"
NEEDS = "nothing: the programs are drawn"
TAKES = ("size", "length")
LENGTHS = (8, 16, 32, 64, 128)
SIZE = 10


def conduct(ask: AskModel, options: ExperimentOptions) -> Findings:
    """A point per length."""
    lengths = options.lengths or LENGTHS
    samples = [
        s for s in ask("permutations", cases(options, LENGTHS), token_limit("permutations")) if s.attempt == "original"
    ]
    points = [
        accuracy_point("free decoding", n, [s for s in samples if s.kind.endswith(f"length {n}")]) for n in lengths
    ]
    published = tuple(one for one in (PERMUTATIONS.at(lengths),) if one is not None)
    return Findings("S5 permutation tracking", "steps", tuple(points), published, (PERMUTATIONS_NOTE,))


def cases(options: ExperimentOptions, default_lengths: Sequence[int]) -> list[Case]:
    """Programs of each length; with `--data`, the programs of the data. Raises InputError for `--length` with it."""
    if options.data:
        if options.lengths:
            raise InputError("does not apply to --data: only permutations have it", where="--length")
        return list(load_cases(options.data, list(options.mapping), options.size, seed=options.seed).cases)
    size, lengths = SIZE if options.size is None else options.size, options.lengths or default_lengths
    return [case for length in lengths for case in load("permutations", length=length, size=size, seed=options.seed)]
