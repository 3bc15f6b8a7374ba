"""Makes the data of `spellout example`: programs, the answers of `pocket`, and the same programs as CSV and Parquet.

    .venv/bin/python bench/example_files.py     # after a change of pocket; needs the extras model and datasets

The Python files beside them in `runner/inputs/examples/files` are written by hand.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from itertools import islice

from corpora import Case, run_call
from corpora.writing.files import write_rows
from runner.inputs.examples import FILES
from runner.pocket import goals
from runner.records.run_folder import read_run

KINDS = ("string method", "straight line", "caught exception", "list loop")
"""Kinds of `pocket-goals`: the first four programs of each are taken."""
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
    drawn = list(goals.cases())
    chosen = [case for kind in KINDS for case in islice((one for one in drawn if one.kind == kind), 4)]
    rows = [row(f"sample_{number}", case) for number, case in enumerate(chosen)]
    write(rows, "cases.jsonl")
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


def row(name: str, case: Case) -> dict[str, object]:
    """A row with CruxEval's fields; the label is what the call returns."""
    outcome = run_call(case.source, case.call)
    assert outcome.status == "ok", outcome
    return {"id": name, "code": case.source, "input": case.call[2:-1], "output": outcome.value}


def recorded(*options: str) -> list[Mapping[str, object]]:
    """The answers of pocket to the cases, as rows."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", "spellout", "run", str(FILES / "cases.jsonl"), "--model", "pocket", "--recipe", "none"]
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
