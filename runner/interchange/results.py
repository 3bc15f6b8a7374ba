"""What `spellout report` prints, as data: for the Python API.

A run is the folder of a run, a file of recorded outputs, or the records that `evaluate` and `read_run` return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from corpora.data_frames import data_frame
from corpora.errors import InputError
from runner.interchange.graded import read_graded, run_names
from runner.interchange.recorded_samples import with_names_of
from runner.records.samples import ORIGINAL, Sample
from runner.reports.html_page import as_fragment
from runner.reports.run_comparison import RunComparison, compare_runs
from runner.reports.run_report import RunInfo, as_json, as_markdown
from runner.statistics.grading_differences import GRADES, Grade, regraded
from runner.statistics.mode_counts import run_mode

RunSource = str | Path | Sequence[Sample]
"""What `report` and `compare` take."""


@dataclass(frozen=True, repr=False)
class RunReport:
    """The report of a run. `str(report)` is its Markdown, and a notebook shows its tables.

    Attributes:
        samples: The records.
        info: Model, limits and grading.
    """

    samples: tuple[Sample, ...]
    info: RunInfo

    def to_json(self) -> Mapping[str, object]:
        """Returns the tables as `spellout report --json` prints them."""
        return as_json(self.samples, self.info)

    def to_frame(self) -> Any:
        """Returns a pandas data frame with a row for each record. Raises InputError if pandas is not installed."""
        return data_frame(asdict(sample) for sample in self.samples)

    def __str__(self) -> str:
        """The report in Markdown."""
        return as_markdown(list(self.samples), self.info)

    def __repr__(self) -> str:
        return f"RunReport({len(self.samples)} records, model={self.info.model!r})"

    def _repr_html_(self) -> str:
        return as_fragment(str(self))


def report(run: RunSource, *, benchmark: str | None = None, grade: Grade = GRADES[0]) -> RunReport:
    """Returns the report of a run.

    Args:
        run: The run.
        benchmark: A benchmark or data set with the programs, if recorded outputs do not have them (default: none).
        grade: "return" for the last RETURN frame against execution, "answer" for the [ANSWER] block against the label,
            as in the paper (default: return).

    Raises:
        InputError: If the run cannot be read, or has no record.
    """
    samples = _samples(run, benchmark)
    return RunReport(tuple(samples), run_info(samples, grade))


def compare(
    run: RunSource, against: RunSource, *, benchmark: str | None = None, grade: Grade = GRADES[0]
) -> RunComparison:
    """Returns the comparison of a run with another one, on the samples that both answered, by a paired test.

    Args:
        run: The run.
        against: The run that it is compared with: gains are right in `run` and wrong in `against`.
        benchmark: As for `report`.
        grade: As for `report`.

    Raises:
        InputError: As `report`.
    """
    samples, before = _samples(run, benchmark), _samples(against, benchmark)
    if any(isinstance(one, str | Path) and Path(one).is_file() for one in (run, against)):
        before = with_names_of(before, samples)
    found = compare_runs(regraded(before, grade), regraded(samples, grade))
    paths = [Path(one) for one in (against, run) if isinstance(one, str | Path)]
    if len(paths) < 2:
        return found
    there, here = run_names(paths)
    return replace(found, names=(there, here))


def run_info(samples: Sequence[Sample], grade: Grade) -> RunInfo:
    """Returns what a report says about a run whose command is not at hand."""
    recipes = dict.fromkeys(sample.attempt for sample in samples if sample.attempt != ORIGINAL)
    limit = max(sample.max_tokens for sample in samples)
    return RunInfo("", samples[0].model, limit, tuple(recipes), (), 0.0, mode=run_mode(samples), grade=grade)


def _samples(run: RunSource, benchmark: str | None) -> list[Sample]:
    samples = read_graded(Path(run), benchmark) if isinstance(run, str | Path) else list(run)
    if not samples:
        raise InputError("the run has no record")
    return samples
