"""The paper's experiments: one module each, discovered by folder.

A module defines `SUMMARY` (one line), `NEEDS`, `TAKES` (the options that it takes) and `conduct(ask, options) ->
AccuracyResults`; optional are `FORMS` (allowed prompt formats) and `GREEDY` (no sampling). `ask(stage, cases,
max_tokens)` asks a model about cases in a run of its own, which is resumed like any other
(`runner.experiments.experiment_stages`). All figures come from records. `runner.experiments.accuracy_results` turns
them into a table, a CSV file and a plot.
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
from runner.statistics.grading_differences import Grade

_SHARED = ("accuracy_results", "drawing", "published", "experiment_stages")


class AskModel(Protocol):
    """Asks a model about cases, in a run of its own."""

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
        """The records of the run, with all attempts.

        Args:
            stage: name of the run's folder.
            cases: programs and calls.
            max_tokens: limit of new tokens, unless the user gave another one.
            mode: which parts of the reference trace are injected (default: none).
            prompt: the prompt format (default: the user's, or else the model's own).
            reveal_every: in mode `forced-actions`, the spacing of states (`runner.asking.sparse_reveals`; default: 1,
                every line).

        """
        ...


@dataclass(frozen=True)
class ExperimentOptions:
    """The options of an experiment; None or an empty tuple stands for the paper's own value.

    Attributes:
        size: programs per point.
        lengths: numbers of steps.
        depths: depths of compositions.
        seed: random seed of the programs.
        data: a benchmark's name or a data set.
        mapping: values of `--column`.
        grade: which grading `table1` uses.
        hours: time that `effect` has.
    """

    size: int | None = None
    lengths: tuple[int, ...] = ()
    depths: tuple[int, ...] = ()
    seed: int = 0
    data: str | None = None
    mapping: tuple[str, ...] = ()
    grade: Grade = "return"
    hours: float | None = None


def experiment_names() -> list[str]:
    """The names of all experiments, sorted."""
    return sorted(
        module.name for module in pkgutil.iter_modules(__path__) if not (module.ispkg or module.name in _SHARED)
    )


def experiment(name: str) -> ModuleType:
    """The module of an experiment.

    Raises:
        InputError: no experiment has this name.
    """
    if name not in experiment_names():
        raise InputError(
            f"no such experiment{did_you_mean(name, experiment_names())}; there are {', '.join(experiment_names())}",
            where=name,
        )
    return importlib.import_module(f"{__name__}.{name}")
