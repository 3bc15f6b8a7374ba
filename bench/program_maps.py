"""Fits a reliability map to some of the published runs on CruxEval's even half, and prints what each is worth.

    python bench/program_maps.py ../shared/data [RUN]...

Prints a Markdown table of the maps that all 400 programs fit, then how many runs are refused with fewer programs.
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from analyze.risk.map_validation import MapValidation
from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError
from corpora.execute import SECONDS
from corpora.program import Case
from runner.interchange.map_fitting import fit_map
from runner.interchange.recorded_samples import read_recorded
from runner.records.samples import Sample
from runner.runs.cases import load_cases

RUNS = ("gpt-4-turbo-2024-04-09@0.2", "Qwen2.5-3B-Instruct", "codetulu-2-34b@0.8")
SMALLER = (40, 80, 160)
HEAD = (
    "AUROC, fitted map",
    "AUROC, shipped map",
    "Brier, fitted map",
    "Brier, mean failure rate",
    "expected",
    "observed",
)


def samples(run: str, rows: Sequence[dict[str, object]], cases: Sequence[Case]) -> list[Sample]:
    """The graded outputs of a run."""
    predicted = {row["id"]: [one or "" for one in row["predicted"]] for row in rows if row["run"] == run}  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{run}.json"
        path.write_text(json.dumps(predicted), encoding="utf-8")
        return list(read_recorded(path, cases).samples)


def row(run: str, found: MapValidation) -> str:
    """A row of the table."""
    low, high = found.auroc_interval
    cells = [
        *(run.partition("@")[0], f"{found.auroc:.3f} [{low:.3f}, {high:.3f}]", f"{found.baselines['shipped map']:.3f}"),
        *(f"{found.brier:.3f}", f"{found.base_rate_brier:.3f}", f"{found.expected:.1f}", f"{found.failures:.1f}"),
    ]
    return f"| {' | '.join(cells)} |"


def main(data: Path, runs: tuple[str, ...]) -> None:
    cases = load_cases(str(data / "cruxeval_even.jsonl"), [], None).cases
    with gzip.open(data / "panel_even.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = list(map(json.loads, file))
    order = {case.id: number for number, case in enumerate(cases)}
    refused = dict.fromkeys(SMALLER, 0)
    print(f"| run | {' | '.join(HEAD)} |\n|---|{'--:|' * len(HEAD)}")
    for run in runs:
        graded = samples(run, rows, cases)
        print(row(run, fit_map(graded, default_tokenizer(), SECONDS).validation), flush=True)
        for size in SMALLER:
            try:
                fit_map((one for one in graded if order[one.id] < size), default_tokenizer(), SECONDS)
            except InputError as error:
                refused[size] += 1
                sys.stderr.write(f"{run}, {size} programs: {error}\n")
    counts = "; ".join(f"{size} programs: {refused[size]} of {len(runs)}" for size in SMALLER)
    print(f"\nRefused with fewer programs: {counts}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]) or RUNS)
