"""`spellout report`: Table 1 of a run from its records, and how two runs differ, sample by sample.

Works on an interrupted run, one in progress, and those of earlier versions: only `samples.jsonl` is read.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from rich.console import Console

from corpora.errors import InputError
from runner.console import output_console
from runner.folder import SAMPLES, mend
from runner.report import RunInfo, show
from runner.samples import ORIGINAL, Sample, read_samples
from runner.summary import divergences

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
    before = _samples(arguments.against) if arguments.against else None
    console = output_console()
    show(console, samples, _info(samples))
    for kind, count in divergences(samples):
        console.print(f"first divergence, {kind}: {count}")
    if before is not None:
        _compare(before, samples, console)
    return 0


def _samples(folder: Path) -> list[Sample]:
    path = folder / SAMPLES
    if not path.is_file():
        raise InputError("no samples.jsonl there: not the folder of a run", where=str(folder))
    mend(folder)
    samples = read_samples(path)
    if not samples:
        raise InputError("the run has no records yet", where=str(path))
    return samples


def _info(samples: list[Sample]) -> RunInfo:
    recipes = dict.fromkeys(sample.attempt for sample in samples if sample.attempt != ORIGINAL)
    limit = max(sample.max_tokens for sample in samples)
    return RunInfo("", samples[0].model, limit, tuple(recipes), (), 0.0)


def _compare(before: list[Sample], after: list[Sample], console: Console) -> None:
    old, new = _verdicts(before), _verdicts(after)
    shared = [name for name in new if name in old]
    console.print(f"{len(shared)} attempts in both runs, {len(old.keys() ^ new.keys())} in only one")
    changed = [name for name in shared if old[name] != new[name]]
    for (was, now), count in Counter((old[name], new[name]) for name in changed).most_common():
        console.print(f"{was} → {now}: {count}")
    for name in changed:
        console.print(f"  {name[0]} ({name[-1]}): {old[name]} → {new[name]}")


def _verdicts(samples: list[Sample]) -> dict[tuple[str, str, str, str], str]:
    """By id, call, program as it came, and attempt: alike in every version of the records."""
    sources = {sample.of: sample.source for sample in samples if sample.attempt == ORIGINAL}
    return {(s.id, s.call, sources.get(s.of, ""), s.attempt): s.verdict for s in samples}
