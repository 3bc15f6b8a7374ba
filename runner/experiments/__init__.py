"""The paper's experiments, one file each, found by folder: what is asked, in which order, and what is read off.

A module defines `SUMMARY` (one line), `NEEDS`, `TAKES` (which of size, length, depth, data it takes) and
`conduct(ask, options) -> Findings`. `ask(stage, cases, max_tokens)` asks a model about cases in a run of its own, which
is resumed like any other (`runner.experiments.stages`). Figures come from records alone;
`runner.experiments.findings` makes the table, the CSV and the plot of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

from corpora import Case
from corpora.errors import InputError, did_you_mean
from runner.asking.prompts import PromptFormat
from runner.records.samples import Mode, Sample
from runner.statistics.grading import Grade

_SHARED = ("findings", "published", "stages")


class Ask(Protocol):
    """Asks a model about cases, in a run of their own."""

    def __call__(
        self,
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        """The records of the run, all attempts.

        Args:
            stage: name of the run's folder.
            cases: programs and calls.
            max_tokens: new tokens an answer, unless the user gave another limit.
            mode: what is injected of the reference trace (default: nothing).
            prompt: the prompt format (default: the user's, or else the model's own).
            reveal_every: in mode `forced-actions`, the spacing of states (`runner.asking.sparse_reveals`; default: 1,
                every line).

        """
        ...


@dataclass(frozen=True)
class Options:
    """What was asked for; None or empty: the paper's own. size: samples a point; data: rows; mapping: of `--column`."""

    size: int | None = None
    lengths: tuple[int, ...] = ()
    depths: tuple[int, ...] = ()
    seed: int = 0
    data: str | None = None
    mapping: tuple[str, ...] = ()
    grade: Grade = "return"


def experiment_names() -> list[str]:
    """Every experiment, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in _SHARED)


def experiment(name: str) -> ModuleType:
    """The module of an experiment. Raises InputError for a name that is none, and says which there are."""
    if name not in experiment_names():
        raise InputError(
            f"no such experiment{did_you_mean(name, experiment_names())}; there are {', '.join(experiment_names())}",
            where=name,
        )
    return importlib.import_module(f"{__name__}.{name}")
