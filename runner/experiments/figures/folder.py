"""Writes the figures of runs to a folder, as SVG, PDF and CSV."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from corpora.errors import InputError
from runner.experiments.drawing import Drawing, can_plot
from runner.experiments.figures.accuracies import Runs, figure_five, figure_one, table_one
from runner.experiments.figures.output_types import divergences_csv, failure_types, types_csv
from runner.experiments.figures.type_drawings import draw_divergences, draw_types
from runner.experiments.findings import as_csv, plot
from runner.reports.files import write_file

NEEDS = {
    "table1": "answers to the benchmarks of Table 1 or to other programs",
    "figure1": "answers about permutations (spellout run permutations)",
    "figure2_top": "wrong answers to CruxEval, HumanEval or other programs",
    "figure2_bottom": "failed answers to CruxEval, HumanEval or other programs",
    "figure5": "answers about string functions alone (spellout run atomic)",
}
"""The answers that a figure needs, by the name of its files; completes "the records have no …"."""


@dataclass(frozen=True)
class PaperFigure:
    """A figure of the paper, for runs.

    Attributes:
        name: of its files, without suffix.
        drawing: the figure.
        table: its values as CSV.
    """

    name: str
    drawing: Drawing
    table: str


def paper_figures(runs: Runs, model: str) -> Iterator[PaperFigure]:
    """The figures that these runs have answers for.

    Args:
        runs: the samples of each run, by its name.
        model: for the titles.
    """
    for name, found in (("table1", table_one(runs)), ("figure1", figure_one(runs)), ("figure5", figure_five(runs))):
        if found is not None:
            yield PaperFigure(name, plot(found, model), as_csv(found))
    failures = failure_types(runs)
    if any(one.wrong for one in failures):
        yield PaperFigure("figure2_top", draw_types([one for one in failures if one.wrong]), types_csv(failures))
    if failures:
        yield PaperFigure("figure2_bottom", draw_divergences(failures), divergences_csv(failures))


def write_figures(folder: Path, runs: Runs, model: str) -> list[str]:
    """Writes the figures, and returns the names of the files.

    Raises:
        InputError: matplotlib is not installed, or a file cannot be written.
    """
    if not can_plot():
        raise InputError("needs matplotlib: pip install '.[plot]'", where="--figures")
    written = []
    for figure in paper_figures(runs, model):
        with suppress(OSError):  # writing the file reports it
            folder.mkdir(parents=True, exist_ok=True)
        for form, content in (("svg", figure.drawing.svg()), ("pdf", figure.drawing.pdf()), ("csv", figure.table)):
            path = folder / f"{figure.name}.{form}"
            write_file(path, content)
            written.append(path.name)
    return written
