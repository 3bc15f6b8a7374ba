"""The most that a perfect model gets right in the composition experiment: reference traces that fit the paper's limit.

    .venv/bin/python bench/ceiling.py [--size 100]

Programs are those of `spellout experiment composition` with the paper's fifteen functions; tokens are Llama-3's.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyze import default_tokenizer, trace_call
from corpora import load
from runner.experiments.published import COMPOSITION
from runner.inputs.benchmarks import token_limit

FITS_ALL = 32768


def fitting(depth: int, size: int, limits: tuple[int, ...]) -> list[float]:
    """By limit, the percentage of reference traces of this depth with no more tokens."""
    cases = load("composition", depth=depth, size=size)
    counts = [trace_call(case.source, case.call).count_tokens(default_tokenizer(), max(limits)) for case in cases]
    return [100 * sum(count is not None and count <= limit for count in counts) / size for limit in limits]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=100, metavar="N", help="programs per depth (default: 100)")
    size = parser.parse_args().size
    limit = token_limit("composition")
    print(f"| depth | reference traces within {limit:,} tokens | within {FITS_ALL:,} | published accuracy |")
    print("|--:|--:|--:|--:|")
    for depth in (1, 2, 3, 4, 5):
        published = f"{COMPOSITION[depth][0]:.0f} %" if depth in COMPOSITION else "—"
        cells = " | ".join(f"{share:.0f} %" for share in fitting(depth, size, (limit, FITS_ALL)))
        print(f"| {depth} | {cells} | {published} |")


if __name__ == "__main__":
    main()
