"""`spellout report`: Table 1 of a run from its records, and how two runs differ, sample by sample.

Works on an interrupted run too: only `samples.jsonl` is read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from rich.console import Console

from corpora.errors import InputError
from runner.console import output_console
from runner.report import RunInfo, remarks, terminal_table
from runner.samples import ORIGINAL, Sample, read_samples
from runner.summary import summarize

SUMMARY = "show the results of a run, or how two runs differ"
EXAMPLES = """
  spellout report runs/demo
  spellout report runs/after --against runs/before
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout report`."""
    parser.add_argument("run", type=Path, metavar="RUN", help="folder of a run")
    parser.add_argument("--against", type=Path, metavar="RUN", help="another run on the same cases")


def run(arguments: argparse.Namespace) -> int:
    """Prints the table; with --against also the samples whose verdict changed."""
    samples = _samples(arguments.run)
    console = output_console()
    table = summarize(samples)
    console.print(terminal_table(table, _info(samples)))
    for remark in remarks(samples, table):
        console.print(remark, markup=False, highlight=False)
    for kind, count in table.divergences:
        console.print(f"first divergence, {kind}: {count}", markup=False, highlight=False)
    if arguments.against:
        _compare(_samples(arguments.against), samples, console)
    return 0


def _samples(folder: Path) -> list[Sample]:
    path = folder / "samples.jsonl"
    if not path.is_file():
        raise InputError("no samples.jsonl there: not the folder of a run", where=str(folder))
    samples = list(read_samples(path))
    if not samples:
        raise InputError("the run has no records yet", where=str(path))
    return samples


def _info(samples: list[Sample]) -> RunInfo:
    recipes = dict.fromkeys(sample.attempt for sample in samples if sample.attempt != ORIGINAL)
    limit = max(sample.max_tokens for sample in samples)
    return RunInfo("", samples[0].model, limit, tuple(recipes), (), 0.0)


def _compare(before: list[Sample], after: list[Sample], console: Console) -> None:
    old = {(sample.id, sample.attempt): sample.verdict for sample in before}
    new = {(sample.id, sample.attempt): sample.verdict for sample in after}
    shared = [key for key in new if key in old]
    console.print(f"{len(shared)} attempts in both runs, {len(old.keys() ^ new.keys())} in only one", highlight=False)
    for (was, now), count in Counter((old[key], new[key]) for key in shared if old[key] != new[key]).most_common():
        console.print(f"{was} → {now}: {count}", highlight=False)
    for sample_id, attempt in shared:
        if old[sample_id, attempt] != new[sample_id, attempt]:
            was, now = old[sample_id, attempt], new[sample_id, attempt]
            console.print(f"  {sample_id} ({attempt}): {was} → {now}", markup=False, highlight=False)
