"""Fits reliability maps to some of the published runs on CruxEval's even half, and prints what each is worth.

python bench/program_maps.py [RUN]...

Every figure is of programs outside the fit, in cross-validation by program.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness import command, estimate, print_table

from analyze.risk.panel import read_panel
from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError
from corpora.execute import SECONDS
from lab.populations import CRUXEVAL_FILE
from lab.published_data import add_data_option
from runner.interchange.map_fitting import FittedMap, fit_map
from runner.interchange.recorded_samples import read_recorded
from runner.records.samples import Sample
from runner.runs.cases import load_cases

RUNS = ("gpt-4-turbo-2024-04-09@0.2", "Qwen2.5-3B-Instruct", "codetulu-2-34b@0.8")
SIZES = (40, 400)
COLUMNS = (
    *("run", "AUROC, fitted map", "shipped map", "fitted with panel", "panel difficulty"),
    *("Brier: map, with panel, mean rate", "failures: expected, with panel, observed"),
)
PANEL_FILE = "panel_even.jsonl.gz"


def graded(predicted: Mapping[str, Sequence[str | None]], run: str, data: Path) -> list[Sample]:
    """The graded outputs of a run, in the order of the programs."""
    cases = load_cases(str(data / CRUXEVAL_FILE), [], None).cases
    texts = {name: [text or "" for text in answers] for name, answers in predicted.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{run}.json"
        path.write_text(json.dumps(texts), encoding="utf-8")
        return read_recorded(path, cases).samples


def row(run: str, fitted: FittedMap) -> tuple[str, ...]:
    """A row of the table."""
    found, second = fitted.validation, fitted.with_panel
    assert second is not None
    return (
        run,
        estimate((found.auroc, *found.auroc_interval), ".3f"),
        f"{found.baselines['shipped map']:.3f}",
        estimate((second.auroc, *second.auroc_interval), ".3f"),
        f"{second.baselines['panel difficulty']:.3f}",
        f"{found.brier:.3f}, {second.brier:.3f}, {found.base_rate_brier:.3f}",
        f"{found.expected:.1f}, {second.expected:.1f}, {found.failures:.1f}",
    )


def rows(data: Path, runs: Sequence[str], refused: list[str]) -> Iterator[tuple[str, ...]]:
    """The rows of the table; the fits with too few outputs are added to `refused`."""
    panel = read_panel(data / PANEL_FILE)
    with gzip.open(data / PANEL_FILE, "rt", encoding="utf-8") as file:
        answers = list(map(json.loads, file))
    for run in runs:
        samples = graded({one["id"]: one["predicted"] for one in answers if one["run"] == run}, run, data)
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
                yield row(run, fitted)


def main() -> None:
    parser = command(__doc__, add_data_option)
    parser.add_argument("runs", nargs="*", metavar="RUN", help="runs of the panel (default: those of the page)")
    options = parser.parse_args()
    refused: list[str] = []
    print_table(COLUMNS, rows(options.data, options.runs or RUNS, refused))
    print("\nRefused, because there are too few outputs:\n\n" + "\n".join(refused))


if __name__ == "__main__":
    main()
