"""The most that a perfect model gets right in the composition experiment: reference traces that fit the paper's limit.

    .venv/bin/python bench/ceiling.py [--size 100]

Programs are those of `spellout experiment composition` with the paper's fifteen functions; tokens are Llama-3's.
"""

from __future__ import annotations

from harness import command, print_table

from analyze import default_tokenizer, trace_call
from corpora import load
from runner.experiments.published import COMPOSITION
from runner.inputs.benchmarks import token_limit

LIMITS = (token_limit("composition"), 32768)


def row(depth: int, size: int) -> tuple[str, ...]:
    """By limit, the percentage of reference traces of this depth with no more tokens."""
    cases = load("composition", depth=depth, size=size)
    counts = [trace_call(case.source, case.call).count_tokens(default_tokenizer(), max(LIMITS)) for case in cases]
    shares = (100 * sum(count is not None and count <= limit for count in counts) / size for limit in LIMITS)
    published = f"{COMPOSITION[depth][0]:.0f} %" if depth in COMPOSITION else "—"
    return str(depth), *(f"{share:.0f} %" for share in shares), published


def main() -> None:
    parser = command(__doc__)
    parser.add_argument("--size", type=int, default=100, metavar="N", help="programs per depth (default: 100)")
    size = parser.parse_args().size
    paper, long = (f"within {limit:,}" for limit in LIMITS)
    columns = ("depth", f"reference traces {paper} tokens", long, "published accuracy")
    print_table(columns, (row(depth, size) for depth in (1, 2, 3, 4, 5)), "--:")


if __name__ == "__main__":
    main()
