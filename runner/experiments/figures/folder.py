"""Writes the figures of runs to a folder, as SVG, PDF and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from corpora.reading.optional_packages import require_package
from runner.experiments.accuracy_results import as_csv, plot
from runner.experiments.drawing import Drawing
from runner.experiments.figures.accuracies import Runs, figure_five, figure_one, table_one
from runner.experiments.figures.output_types import divergences_csv, failure_types, types_csv
from runner.experiments.figures.type_drawings import draw_divergences, draw_types
from runner.reports.report_files import write_file

NEEDS = {
    "table1": "answers to the benchmarks of Table 1 or to other programs",
    "figure1": "answers about permutations (spellout run permutations)",
    "figure2_top": "wrong answers to CruxEval, HumanEval or other programs",
    "figure2_bottom": "failed answers to CruxEval, HumanEval or other programs",
    "figure5": "answers about string functions alone (spellout run atomic)",
}
"""The answers that a figure needs, by the name of its files; completes "the records have no …"."""


def paper_figures(runs: Runs, model: str) -> Iterator[tuple[str, Drawing, str]]:
    """The figures that these runs have answers for: the name of the files, the drawing, and its values as CSV.

    Args:
        runs: the samples of each run, by its name.
        model: for the titles.
    """
    for name, found in (("table1", table_one(runs)), ("figure1", figure_one(runs)), ("figure5", figure_five(runs))):
        if found is not None:
            yield name, plot(found, model), as_csv(found)
    failures = failure_types(runs)
    if any(one.wrong for one in failures):
        yield "figure2_top", draw_types([one for one in failures if one.wrong]), types_csv(failures)
    if failures:
        yield "figure2_bottom", draw_divergences(failures), divergences_csv(failures)


def write_figures(folder: Path, runs: Runs, model: str) -> list[str]:
    """Writes the figures, and returns the names of the files.

    Raises:
        InputError: matplotlib is not installed, or a file cannot be written.
    """
    require_package("matplotlib", "plot", where="--figures")
    contents: dict[str, str | bytes] = {}
    for name, drawing, table in paper_figures(runs, model):
        contents |= {f"{name}.svg": drawing.svg(), f"{name}.pdf": drawing.pdf(), f"{name}.csv": table}
    for name, content in contents.items():
        write_file(folder / name, content, parents=True)
    return list(contents)
