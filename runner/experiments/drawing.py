"""Drawings by matplotlib (extra `plot`) as SVG and PDF: the same bytes for the same drawing, without dates."""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from corpora.reading.optional_packages import require_package
from runner.statistics.intervals import Interval


@dataclass(frozen=True)
class Drawing:
    """A drawing that is not yet drawn.

    Attributes:
        size: width and height in inches.
        draw: draws on a figure of matplotlib.
    """

    size: tuple[float, float]
    draw: Callable[[Any], None]

    def svg(self) -> str:
        """The drawing as SVG; its text stays text."""
        return self._saved("svg", {"Date": None}).decode()

    def pdf(self) -> bytes:
        """The drawing as PDF."""
        return self._saved("pdf", {"CreationDate": None})

    def _saved(self, form: str, metadata: dict[str, None]) -> bytes:
        matplotlib, figure_module = (require_package(name, "plot") for name in ("matplotlib", "matplotlib.figure"))
        with matplotlib.rc_context({"svg.hashsalt": "spellout", "svg.fonttype": "none"}):
            figure = figure_module.Figure(figsize=self.size, layout="constrained")
            self.draw(figure)
            file = io.BytesIO()
            figure.savefig(file, format=form, metadata=metadata)
        return file.getvalue()


def can_plot() -> bool:
    """Whether matplotlib is installed."""
    return importlib.util.find_spec("matplotlib") is not None


def error_bars(values: Sequence[float], intervals: Sequence[Interval | None]) -> list[list[float]]:
    """How far each interval reaches below and above its value, as `errorbar` takes it; 0 without an interval."""
    bounds = [(value, *(interval or (value, value))) for value, interval in zip(values, intervals, strict=True)]
    below = [max(0.0, value - low) for value, low, _ in bounds]
    return [below, [max(0.0, high - value) for value, _, high in bounds]]


def plain_label(text: str) -> str:
    """A string that matplotlib does not parse as a formula."""
    return text.replace("$", r"\$")
