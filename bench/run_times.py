"""Measures the cost of a run on each benchmark, for `spellout corpora list`.

    python bench/run_times.py [NAME...] [--cruxeval FILE]

Measured: tokens of prompt and reference trace (the work of a verified run with any model), as medians over some samples
in the Llama-3 vocabulary; and the processor time per sample of `pocket` on this machine, at the benchmark's limit of
new tokens. The result is written to `runner/inputs/run_times.json`; other benchmarks keep their entries. No large model
is measured here: `make gpu-check` prints how many tokens per second one decodes.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rich.progress import Progress

from analyze import trace_call
from analyze.tokens.tokenizer import default_tokenizer
from corpora import Case, load, names
from runner.asking.prompts import default_format, prompt_ids
from runner.backends import load_model
from runner.inputs.benchmarks import token_limit
from runner.inputs.run_times import FILE
from runner.records.samples import SampleFile
from runner.runs.run import EvaluationRun, EvaluationSettings

COUNTED, ASKED = 20, 3


def spread(cases: list[Case], count: int) -> list[Case]:
    """`count` cases, evenly distributed over all: benchmarks are ordered from easy to hard."""
    step = max(1, len(cases) // count)
    return cases[::step][:count]


def measure(name: str, cases: list[Case]) -> dict[str, float]:
    tokenizer, chosen = default_tokenizer(), spread(cases, COUNTED)
    prompts = [len(prompt_ids(case, default_format(case), tokenizer)) for case in chosen]
    traces = [trace_call(case.source, case.call, case.grading).count_tokens(tokenizer) or 0 for case in chosen]
    backend = load_model("pocket")
    asked = spread(cases, ASKED)
    with TemporaryDirectory() as folder:
        settings = EvaluationSettings(recipes=(), max_tokens=token_limit(name))
        run = EvaluationRun(backend, settings, SampleFile(Path(folder) / "samples.jsonl"), Progress(disable=True))
        start = time.process_time()
        run.run(asked)
        seconds = time.process_time() - start
    return {
        "samples": len(cases),
        "counted": len(chosen),
        "asked": len(asked),
        "prompt_tokens": median(prompts),
        "trace_tokens": median(traces),
        "pocket_seconds": round(seconds / len(asked), 1),
    }


def main() -> None:
    """Measure and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cruxeval", help="its file, or a part of it (default: skip CruxEval)")
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks (default: all)")
    options = parser.parse_args()
    found = json.loads(FILE.read_text(encoding="utf-8"))["benchmarks"] if FILE.exists() else {}
    machine = f"{platform.machine()}, one core"
    for name in options.names or names():
        if name == "cruxeval" and not options.cruxeval:
            continue
        cases = list(islice(load(name, **({"path": options.cruxeval} if name == "cruxeval" else {})), 2000))
        found[name] = measure(name, cases)
        sys.stdout.write(f"{name:14}{found[name]}\n")
        sys.stdout.flush()
        kept = {"machine": machine, "benchmarks": dict(sorted(found.items()))}
        FILE.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
