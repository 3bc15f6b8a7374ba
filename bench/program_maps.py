"""Fits a reliability map to some of the published runs on CruxEval's even half, and prints what each is worth.

python bench/program_maps.py ../shared/data [RUN]...
"""

from __future__ import annotations

import gzip
import json
import sys
import tempfile
from pathlib import Path

from analyze.tokens.tokenizer import default_tokenizer
from corpora.errors import InputError
from corpora.execute import SECONDS
from runner.interchange.map_fitting import fit_map, validation_lines
from runner.interchange.recorded_samples import read_recorded
from runner.runs.cases import load_cases

RUNS = ("gpt-4-turbo-2024-04-09@0.2", "Qwen2.5-3B-Instruct", "codetulu-2-34b@0.8")
SIZES = (40, 80, 160, 400)


def main(data: Path, runs: tuple[str, ...]) -> None:
    cases = load_cases(str(data / "cruxeval_even.jsonl"), [], None).cases
    with gzip.open(data / "panel_even.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = list(map(json.loads, file))
    for run in runs:
        predicted = {row["id"]: [text or "" for text in row["predicted"]] for row in rows if row["run"] == run}
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{run}.json"
            path.write_text(json.dumps(predicted), encoding="utf-8")
            samples = read_recorded(path, cases).samples
        order = {case.id: number for number, case in enumerate(cases)}
        for size in SIZES:
            print(f"{run}, {size} programs")
            try:
                fitted = fit_map((s for s in samples if order[s.id] < size), default_tokenizer(), SECONDS)
            except InputError as error:
                print(f"  {error}")
                continue
            print("\n".join(f"  {line}" for line in validation_lines(fitted)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), tuple(sys.argv[2:]) or RUNS)
