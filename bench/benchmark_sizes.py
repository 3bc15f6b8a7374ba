"""Measures the size of each benchmark, for `spellout corpora list`.

    python bench/benchmark_sizes.py [NAME...] [--cruxeval FILE]

Measured: tokens of prompt and reference trace (the work of a verified run with any model), as medians over some samples
in the Llama-3 vocabulary. The result is written to `runner/inputs/benchmark_sizes.json`; other benchmarks keep their
entries. How many tokens per second a model verifies and decodes is printed by `make gpu-check`.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from statistics import median

from harness import command

from analyze import trace_call
from analyze.tokens.tokenizer import default_tokenizer
from corpora import Case, load, names
from runner.asking.prompts import default_format, prompt_ids
from runner.inputs.benchmark_sizes import FILE

COUNTED = 20


def spread(cases: list[Case], count: int) -> list[Case]:
    """`count` cases, evenly distributed over all: benchmarks are ordered from easy to hard."""
    step = max(1, len(cases) // count)
    return cases[::step][:count]


def measure(cases: list[Case]) -> dict[str, float]:
    tokenizer, chosen = default_tokenizer(), spread(cases, COUNTED)
    prompts = [len(prompt_ids(case, default_format(case), tokenizer)) for case in chosen]
    traces = [trace_call(case.source, case.call, case.grading).count_tokens(tokenizer) or 0 for case in chosen]
    return {
        "samples": len(cases),
        "counted": len(chosen),
        "prompt_tokens": median(prompts),
        "trace_tokens": median(traces),
    }


def main() -> None:
    """Measure and write the file."""
    parser = command(__doc__)
    parser.add_argument("--cruxeval", help="its file, or a part of it (default: skip CruxEval)")
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks (default: all)")
    options = parser.parse_args()
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for name in options.names or names():
        if name == "cruxeval" and not options.cruxeval:
            continue
        cases = list(islice(load(name, **({"path": options.cruxeval} if name == "cruxeval" else {})), 2000))
        found[name] = measure(cases)
        sys.stdout.write(f"{name:14}{found[name]}\n")
        sys.stdout.flush()
        FILE.write_text(json.dumps(dict(sorted(found.items())), indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
