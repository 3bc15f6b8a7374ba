"""The graded samples of a run, or of a file with recorded outputs, for commands that take either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from analyze.auditing.duplicates import format_count
from corpora.errors import InputError
from runner.interchange.recorded_rows import refuse_program
from runner.interchange.recorded_samples import read_recorded
from runner.records.completeness import missing_records
from runner.records.run_folder import read_runs
from runner.records.samples import Sample
from runner.runs.cases import load_cases
from runner.terminal.console import error_console, progress_bar, warn
from runner.terminal.tables import print_sentences

BENCHMARK_HELP = "the programs that recorded outputs are about, if the file does not have them"
REASONS_SHOWN = 5


def read_graded(path: Path, benchmark: str | None) -> list[Sample]:
    """The records of a run, of all runs in a folder, or of recorded outputs after grading.

    Prints on standard error what the outputs were read as, and how many could not be graded.

    Raises:
        InputError: the run or file cannot be read, or none of its outputs can be graded.
    """
    refuse_program(str(path))
    if not path.is_file():
        runs = read_runs(path)
        for folder, samples in runs.items():
            _note_missing(folder, samples)
        return [sample for samples in runs.values() for sample in samples]
    cases = load_cases(benchmark, [], None).cases if benchmark else ()
    with progress_bar() as progress:
        run = read_recorded(path, cases, partial(progress.track, description=f"grading {path.name}"))
    errors = error_console()
    read_by = ", ".join(f"{rule or 'not readable'} {count}" for rule, count in run.read_by.most_common())
    print_sentences(
        errors, f"{path}: {run.format}, {len(run.samples)} outputs graded (answers read from: {read_by or 'none'})"
    )
    if run.unmatched:
        print_sentences(errors, f"{path}: {format_count(len(run.unmatched), 'record')} could not be graded:")
        reasons = Counter(bad.reason for bad in run.unmatched).most_common()
        print_sentences(errors, *(f"  {count}: {reason}" for reason, count in reasons[:REASONS_SHOWN]))
        others = sum(count for _, count in reasons[REASONS_SHOWN:])
        if others:
            print_sentences(errors, f"  {others}: other reasons")
    if run.repeated:
        repeated = format_count(run.repeated, "record")
        print_sentences(errors, f"{path}: {repeated} not counted: the same output for the same program and call again")
    if not run.samples:
        raise InputError("no output could be graded", where=str(path))
    if not any(sample.asked for sample in run.samples):
        raise InputError("no answer can be read", where=str(path))
    return run.samples


def _note_missing(folder: Path, samples: Sequence[Sample]) -> None:
    """Says how many records a run lacks that was stopped or is in progress."""
    missing = missing_records(folder, samples)
    if missing:
        are = "is" if missing == 1 else "are"
        count = format_count(missing, "record")
        warn(f"{folder}: {count} of the run {are} missing; the same `spellout run` with --output {folder} resumes it")


def run_names(paths: Sequence[Path]) -> list[str]:
    """Names of runs for pages and figures: the last parts of their paths, or the paths if two parts are the same."""
    names = [path.resolve().name for path in paths]
    return names if len(set(names)) == len(names) else list(map(str, paths))
