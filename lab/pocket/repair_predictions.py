"""Which rewrites repair a failure: `python -m lab.pocket.repair_predictions RUNS` asks what the planner's numbers say.

RUNS is the folder of `lab.pocket.repairs`, with its texts. For each rewritten failure, the command measures the chance
of a repair, the risks, the level at which the wrong operation is exposed, and the growth of the trace, and writes them
without texts as `predictions.jsonl.gz`; `--predictions FILE` prints the tables of such a file. Nothing was fitted to
answers of this model.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from analyze.diagnosis.failing_operation import OperationDiagnosis
from analyze.gold_trace.trace import Trace, trace_call
from corpora.errors import InputError
from corpora.writing.files import write_rows
from lab.evidence.repairs import PREDICTIONS, PredictedRepair, predicted_repair
from lab.exposure.operation_level import diagnose_operation, exposure_levels
from lab.pocket.answers import read_published
from lab.pocket.gate import print_table
from lab.pocket.repairs import RECIPES, wrong_answers
from lab.risk.calibrate import auroc, confidence_interval
from runner.records.run_folder import read_run
from runner.records.samples import ORIGINAL, Sample
from runner.terminal.console import note, progress_bar
from runner.terminal.tables import Cells

FILE = "predictions.jsonl.gz"
COLUMNS = ("prediction", "rewrites", "AUROC (95 % interval)")
LEVEL_COLUMNS = ("level", "rewrites", "repaired")


@dataclass(frozen=True)
class MeasuredRepair:
    """A rewritten failure.

    Attributes:
        program: key of the case.
        recipe: which rewrote it.
        repaired: whether the answer to the rewrite is right.
        predicted: what the maps say; None if a trace is incomplete.
        level: at which the wrong operation is exposed; None if no operation is named.
        growth: tokens of the rewrite's trace, as a multiple of the original's; None if one is not counted.
    """

    program: str
    recipe: str
    repaired: bool
    predicted: PredictedRepair | None
    level: int | None
    growth: float | None


def measured(samples: Sequence[Sample]) -> Iterator[MeasuredRepair]:
    """The rewritten failures of a run."""
    arms = wrong_answers(samples)
    pairs = [(arms[ORIGINAL][key], one) for recipe in RECIPES for key, one in arms.get(recipe, {}).items()]
    diagnosed = cache(_diagnosed)
    with progress_bar() as progress:
        for failure, rewrite in progress.track(pairs, description="measuring rewrites"):
            known = diagnosed(failure.source, failure.call, failure.output)
            yield _measured(failure, known, rewrite)


def _diagnosed(source: str, call: str, output: str) -> tuple[Trace, OperationDiagnosis | None]:
    return trace_call(source, call), diagnose_operation(source, call, output)


def _measured(failure: Sample, diagnosed: tuple[Trace, OperationDiagnosis | None], rewrite: Sample) -> MeasuredRepair:
    before, wrong = diagnosed
    levels = exposure_levels(wrong, failure.source, rewrite.source, failure.call) if wrong else None
    after = trace_call(rewrite.source, failure.call)
    growth = (
        rewrite.reference_tokens / failure.reference_tokens
        if rewrite.reference_tokens and failure.reference_tokens
        else None
    )
    return MeasuredRepair(
        failure.case_key,
        rewrite.attempt,
        rewrite.is_correct,
        predicted_repair(before, after, failure.output, rewrite.is_correct),
        levels.lowest if levels else None,
        growth,
    )


def rows(found: Sequence[MeasuredRepair]) -> Iterator[Cells]:
    """A row for each prediction."""
    for name, field in PREDICTIONS.items():
        yield _row(name, [(one, float(getattr(one.predicted, field))) for one in found if one.predicted])
    yield _row("level of exposure", [(one, float(one.level)) for one in found if one.level is not None])
    yield _row("growth of the trace", [(one, one.growth) for one in found if one.growth is not None])


def _row(name: str, known: Sequence[tuple[MeasuredRepair, float]]) -> Cells:
    values, repaired = [value for _, value in known], [one.repaired for one, _ in known]
    if len(set(repaired)) < 2:
        return name, str(len(known)), "—"
    low, high = confidence_interval(values, repaired, [one.program for one, _ in known])
    return name, str(len(known)), f"{auroc(values, repaired):.2f} [{low:.2f}, {high:.2f}]"


def level_rows(found: Sequence[MeasuredRepair]) -> Iterator[Cells]:
    """A row for each level."""
    for level in (2, 1, 0, None):
        repaired = [one.repaired for one in found if one.level == level]
        if repaired:
            share = f"{sum(repaired)} ({100 * sum(repaired) / len(repaired):.1f}%)"
            yield "not known" if level is None else str(level), str(len(repaired)), share


def write(found: Sequence[MeasuredRepair], path: Path) -> None:
    """Writes them without texts."""
    write_rows(map(asdict, found), path)


def read(path: Path) -> list[MeasuredRepair]:
    """Reads what `write` wrote. Raises InputError if that fails."""
    return read_published(path, "predictions", _from_record)


def _from_record(record: dict[str, Any]) -> MeasuredRepair:
    known = record.pop("predicted")
    return MeasuredRepair(**record, predicted=None if known is None else PredictedRepair(**known))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints both tables."""
    parser = argparse.ArgumentParser(
        prog="python -m lab.pocket.repair_predictions", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("runs", type=Path, nargs="?", metavar="RUNS", help="folder of lab.pocket.repairs")
    parser.add_argument("--predictions", type=Path, metavar="FILE", help=f"print the tables of a {FILE}")
    options = parser.parse_args(arguments)
    try:
        if options.predictions:
            found = read(options.predictions)
        elif options.runs:
            found = [one for folder in _folders(options.runs) for one in measured(read_run(folder))]
            write(found, options.runs / FILE)
            note(f"wrote {options.runs / FILE}")
        else:
            raise InputError("name the folder of lab.pocket.repairs", where="RUNS")
    except InputError as error:
        sys.stderr.write(f"repair_predictions: {error}\n")
        return 2
    print_table(COLUMNS, list(rows(found)))
    print_table(LEVEL_COLUMNS, list(level_rows(found)))
    return 0


def _folders(runs: Path) -> list[Path]:
    return sorted(path.parent for path in runs.glob("*/samples.jsonl") if not path.parent.name.endswith("-sampled"))


if __name__ == "__main__":
    raise SystemExit(main())
