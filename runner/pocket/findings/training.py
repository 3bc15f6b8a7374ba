"""Trains one model for each seed and arm. Each run resumes from its checkpoint."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.pocket import folder
from runner.pocket.findings.configuration import ExperimentConfig
from runner.pocket.findings.programs import MatchedSource
from runner.pocket.findings.vocabularies import ARMS, make_vocabularies
from runner.pocket.run import Run

EVERY = 250
"""Steps between checkpoints."""


@dataclass(frozen=True)
class TrainingRun:
    """One model of the experiment.

    Attributes:
        arm: Name of its arm.
        seed: Its seed.
        folder: Where its weights and its checkpoint are.
    """

    arm: str
    seed: int
    folder: Path

    @property
    def name(self) -> str:
        """The name of its folder, such as "bpe-0"."""
        return self.folder.name


def training_runs(config: ExperimentConfig, output: Path) -> list[TrainingRun]:
    """All runs of an experiment: both arms of a seed before the next seed."""
    return [TrainingRun(arm, seed, output / f"{arm}-{seed}") for seed in config.seeds for arm in ARMS]


def train_run(run: TrainingRun, config: ExperimentConfig, vocabularies: Mapping[str, Tokenizer]) -> None:
    """Trains a model until it has seen all programs; a finished run returns at once.

    Raises:
        InputError: If the folder cannot be written, or has a checkpoint of another configuration.
    """
    training, curve = _open(run, config, vocabularies)
    while training.left() > 0:
        start, seen = time.monotonic(), training.progress.tokens
        loss = training.steps(EVERY)
        speed = round((training.progress.tokens - seen) / (time.monotonic() - start))
        curve.append({"loss": round(loss, 4), "speed": speed, **asdict(training.progress)})
        folder.keep(training, curve, run.folder)
        sys.stderr.write(
            f"{run.name}: {training.progress.documents:,} of {config.programs:,} programs, loss {loss:.4f}, "
            f"{speed:,} tokens/s\n"
        )


def _open(
    run: TrainingRun, config: ExperimentConfig, vocabularies: Mapping[str, Tokenizer]
) -> tuple[Run, list[dict[str, Any]]]:
    torch.set_num_threads(1)
    run.folder.mkdir(parents=True, exist_ok=True)
    tokenizer = vocabularies[run.arm]
    tokenizer.reference.save(str(run.folder / "tokenizer.json"))
    settings = config.settings(run.seed)
    source = MatchedSource(run.arm, vocabularies, run.seed, settings.micro, config.random_share)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    training = Run(settings, tokenizer, device, source)
    state = folder.checkpoint(run.folder, device)
    if state is not None:
        training.restore(state)
        if len(training.stages) > 1:
            raise InputError("has a checkpoint of another configuration: choose another folder", where=str(run.folder))
    return training, folder.lines(run.folder)


def train_all(config: ExperimentConfig, path: Path, output: Path, jobs: int) -> None:
    """Trains all runs, `jobs` at a time, each in a process of its own.

    Args:
        config: The configuration.
        path: Its file, which the processes read.
        output: The folder of the experiment.
        jobs: The number of processes. Each uses one CPU thread.

    Raises:
        InputError: If a process fails; its message is on standard error.
    """
    make_vocabularies(output)
    unfinished = [run for run in training_runs(config, output) if not is_finished(run, config)]

    def status(run: TrainingRun) -> int:
        module = [sys.executable, "-m", "runner.pocket.findings"]
        return subprocess.call([*module, "--config", str(path), "--output", str(output), "--only", run.name])

    with ThreadPoolExecutor(jobs) as pool:
        failed = [run.name for run, code in zip(unfinished, pool.map(status, unfinished), strict=True) if code]
    if failed:
        raise InputError(f"training failed: {', '.join(failed)}")


def is_finished(run: TrainingRun, config: ExperimentConfig) -> bool:
    """Whether the model has seen all programs."""
    curve = folder.lines(run.folder)
    return bool(curve) and int(curve[-1]["documents"]) >= config.programs
