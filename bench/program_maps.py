"""Fits reliability maps to some of the published runs on CruxEval's even half, and prints what each is worth.

python bench/program_maps.py [RUN]...

Every figure is of programs outside the fit, in cross-validation by program.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from analyze.risk.panel import read_panel
from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError
from corpora.execute import SECONDS
from lab.published_data import add_data_option
from runner.interchange.map_fitting import FittedMap, fit_map
from runner.interchange.recorded_samples import read_recorded
from runner.records.samples import Sample
from runner.runs.cases import load_cases

RUNS = ("gpt-4-turbo-2024-04-09@0.2", "Qwen2.5-3B-Instruct", "codetulu-2-34b@0.8")
SIZES = (40, 400)


def graded(predicted: Mapping[str, Sequence[str | None]], run: str, data: Path) -> list[Sample]:
    """The graded outputs of a run, in the order of the programs."""
    cases = load_cases(str(data / "cruxeval_even.jsonl"), [], None).cases
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{run}.json"
        path.write_text(
            json.dumps({name: [text or "" for text in texts] for name, texts in predicted.items()}), encoding="utf-8"
        )
        return read_recorded(path, cases).samples


def row(run: str, fitted: FittedMap) -> str:
    """A row of the table."""
    found, second = fitted.validation, fitted.with_panel
    assert second is not None
    low, high = second.auroc_interval
    cells = (
        run,
        f"{found.auroc:.3f} [{found.auroc_interval[0]:.3f}, {found.auroc_interval[1]:.3f}]",
        f"{found.baselines['shipped map']:.3f}",
        f"{second.auroc:.3f} [{low:.3f}, {high:.3f}]",
        f"{second.baselines['panel difficulty']:.3f}",
        f"{found.brier:.3f}, {second.brier:.3f}, {found.base_rate_brier:.3f}",
        f"{found.expected:.1f}, {second.expected:.1f}, {found.failures:.1f}",
    )
    return f"| {' | '.join(cells)} |"


def main(data: Path, runs: tuple[str, ...]) -> None:
    panel = read_panel(data / "panel_even.jsonl.gz")
    with gzip.open(data / "panel_even.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = list(map(json.loads, file))
    print(
        "| run | AUROC, fitted map | shipped map | fitted with panel | panel difficulty "
        "| Brier: map, with panel, mean rate | failures: expected, with panel, observed |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|")
    refused: list[str] = []
    for run in runs:
        samples = graded({one["id"]: one["predicted"] for one in rows if one["run"] == run}, run, data)
        ids = list(dict.fromkeys(sample.id for sample in samples))
        for size in SIZES:
            first = set(ids[:size])
            chosen = [sample for sample in samples if sample.id in first]
            try:
                fitted = fit_map(chosen, default_tokenizer(), SECONDS, panel=panel)
            except InputError as error:
                refused.append(f"- {run}, {size} programs: {error}")
                continue
            if size == SIZES[-1]:
                print(row(run, fitted), flush=True)
    print("\nRefused, because there are too few outputs:\n\n" + "\n".join(refused))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("runs", nargs="*", metavar="RUN", help="runs of the panel (default: those of the page)")
    options = parser.parse_args()
    main(options.data, tuple(options.runs) or RUNS)
