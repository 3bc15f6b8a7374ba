"""Asks the trained models and prints the page: `python -m runner.experiments.tokenization`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora.errors import InputError
from runner.experiments.tokenization.evaluation import evaluate_run
from runner.experiments.tokenization.report import write_report
from runner.pocket.findings.configuration import DEFAULT, load_config
from runner.pocket.findings.programs import unseen_cases
from runner.pocket.findings.training import is_finished, training_runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks every model about the unseen programs, and prints the comparison as Markdown."""
    options = _parser().parse_args(arguments)
    try:
        config = load_config(options.config)
        runs = training_runs(config, options.output)
        missing = [run.name for run in runs if not is_finished(run, config)]
        if missing:
            command = f"python -m runner.pocket.findings --output {options.output}"
            raise InputError(f"not trained yet: {', '.join(missing)}; run: {command}")
        cases = unseen_cases(config.evaluated, config.random_share)
        sys.stdout.write(write_report(config, [evaluate_run(run, cases) for run in runs], options.output))
    except (InputError, OSError) as error:
        sys.stderr.write(f"tokenization: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m runner.experiments.tokenization",
        description="compare models that were trained on the same programs with two vocabularies",
    )
    parser.add_argument(
        "--config", type=Path, default=DEFAULT, metavar="FILE", help="configuration (default: findings.toml)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("runs/findings"),
        metavar="DIR",
        help="folder of the trained models (default: runs/findings)",
    )
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
