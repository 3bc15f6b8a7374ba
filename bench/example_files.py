"""Makes the recorded answers of `spellout example`, and the data set `cases.jsonl` there as CSV and Parquet.

    .venv/bin/python bench/example_files.py     # needs the extras model and datasets

The programs of `cases.jsonl` were drawn once. The answers are those of the small tracer of the tests: the examples do
not depend on the embedded model, and have both correct and wrong answers.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from corpora.writing.files import write_rows
from runner.inputs.examples import FILES
from runner.records.run_folder import read_run

MODEL = Path(__file__).parents[1] / "tests" / "models" / "small_tracer"
SAMPLED = ("--temperature", "1")
OTHER_FORMS = (
    ("def f(a, b):\n    return a * b - a", "f(3, 4)", "[ANSWER]9[/ANSWER]"),
    ("def f(s):\n    return s.title()", "f('ab cd')", "The function capitalizes each word.\n\nAnswer: 'Ab Cd'"),
    ("def f(items):\n    return items[::-1]", "f([1, 2])", '{"reasoning": "reversed", "answer": "[2, 1]"}'),
    ("def f(n):\n    return n % 3 == 0", "f(9)", "```python\nFalse\n```"),
)
"""Programs with answers that are no traces, in the forms of other harnesses, written by hand; the last is wrong."""


def main() -> None:
    """Writes the files."""
    rows = [json.loads(line) for line in (FILES / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
    answers, sampled = recorded(), recorded(*SAMPLED)
    others = [
        {"id": f"sample_{number}", "code": code, "call": call, "output": output}
        for number, (code, call, output) in enumerate(OTHER_FORMS, len(rows))
    ]
    write([*answers, *others], "outputs.jsonl")
    write(sampled, "sampled.jsonl")
    renamed = {"id": "task", "code": "solution"}
    for name in ("solutions.csv", "solutions.parquet"):
        write(({renamed.get(key, key): value for key, value in one.items()} for one in rows), name)


def recorded(*options: str) -> list[Mapping[str, object]]:
    """The answers to the cases, as rows."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "spellout", "run", str(FILES / "cases.jsonl"), "--model", str(MODEL), "--recipe", "none"]
        command += ["--max-tokens", "1024", "--output", folder, *options]
        subprocess.run([sys.executable, *command], check=True)
        samples = {sample.id: sample for sample in read_run(folder)}
    return [
        {"id": one.id, "code": one.source, "call": one.call, "output": one.output}
        for one in sorted(samples.values(), key=lambda one: int(one.id.rpartition("_")[2]))
    ]


def write(rows: Iterable[Mapping[str, object]], name: str) -> None:
    """Writes rows to a file of the examples."""
    write_rows(rows, FILES / name)


if __name__ == "__main__":
    main()
