"""S_5 permutation tracking (the paper's Figure 1): accuracy by the number of permutations.

Ten programs per length, 8 to 128 permutations, 8,192 new tokens. The experiment `forcing` adds teacher forcing.
"""

from __future__ import annotations

from corpora import load
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.findings import Findings, accuracy_point
from runner.experiments.published import PERMUTATIONS, PERMUTATIONS_NOTE
from runner.inputs.benchmarks import token_limit

SUMMARY = "S_5 permutation tracking: accuracy by the number of steps (paper, Figure 1)"
NEEDS = "nothing: the programs are drawn"
TAKES = ("size", "length")
LENGTHS = (8, 16, 32, 64, 128)
SIZE = 10


def conduct(ask: AskModel, options: ExperimentOptions) -> Findings:
    """A point per length."""
    lengths = options.lengths or LENGTHS
    size = SIZE if options.size is None else options.size
    cases = [case for length in lengths for case in load("permutations", length=length, size=size, seed=options.seed)]
    samples = [s for s in ask("permutations", cases, token_limit("permutations")) if s.attempt == "original"]
    points = [
        accuracy_point("free decoding", n, [s for s in samples if s.kind.endswith(f"length {n}")]) for n in lengths
    ]
    published = tuple(one for one in (PERMUTATIONS.at(lengths),) if one is not None)
    return Findings("S5 permutation tracking", "steps", tuple(points), published, (PERMUTATIONS_NOTE,))
