"""The settings of the experiment, read from a TOML file."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from runner.pocket.run import Settings

DEFAULT = Path(__file__).with_name("findings.toml")


@dataclass(frozen=True)
class ExperimentConfig:
    """What the experiment is a function of.

    Attributes:
        seeds: One model is trained for each seed and arm.
        programs: The number of programs that each model sees.
        random_share: The share of strings that are random letters, 0 to 1.
        evaluated: The number of unseen programs for each operation and type.
        training: Settings of a training run; its seed and its number of documents are set by `settings`.
    """

    seeds: tuple[int, ...]
    programs: int
    random_share: float
    evaluated: int
    training: Settings

    def settings(self, seed: int) -> Settings:
        """The settings of the training runs with this seed."""
        return replace(self.training, seed=seed, documents=self.programs)


def load_config(path: Path = DEFAULT) -> ExperimentConfig:
    """Reads a configuration.

    Raises:
        InputError: If the file cannot be read, a setting is missing or unknown, or a number is out of range.
    """
    try:
        table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        config = ExperimentConfig(
            **{**table, "seeds": tuple(table["seeds"]), "training": Settings(**table.get("training", {}))}
        )
    except (OSError, ValueError, TypeError, KeyError) as error:
        known = ", ".join(field.name for field in fields(ExperimentConfig))
        reason = f"is not a configuration of the experiment ({error}); it has {known}"
        raise InputError(reason, where=str(path)) from None
    if len(set(config.seeds)) < 2 or min(config.programs, config.evaluated) < 1 or not 0 <= config.random_share <= 1:
        reason = "needs two seeds or more, programs and evaluated above 0, random_share 0 to 1"
        raise InputError(reason, where=str(path))
    return config
