"""Compares the vocabularies: `python -m lab.tokenization` prints what docs/pocket_findings.md shows."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora.errors import InputError
from lab.tokenization.arm_differences import plot_effects
from lab.tokenization.evaluation import evaluate_run
from lab.tokenization.report import Comparison, report
from lab.tokenization.results import RESULTS, ModelResult, load_results, save_results
from runner.pocket.findings.configuration import DEFAULT, load_config
from runner.pocket.findings.programs import unseen_cases
from runner.pocket.findings.training import is_finished, training_runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the tables of recorded results, or asks trained models first."""
    options = _parser().parse_args(arguments)
    try:
        results = _ask(options.config, options.models) if options.models else load_results(options.results)
        if options.figure:
            options.figure.write_text(plot_effects(list(Comparison(results).effects())), encoding="utf-8")
        sys.stdout.write(report(results))
    except (InputError, OSError) as error:
        sys.stderr.write(f"tokenization: {error}\n")
        return 2
    return 0


def _ask(path: Path, models: Path) -> list[ModelResult]:
    """Asks every model about the unseen programs, and saves the results."""
    config = load_config(path)
    runs = training_runs(config, models)
    missing = [run.name for run in runs if not is_finished(run, config)]
    if missing:
        command = f"python -m runner.pocket.findings --output {models}"
        raise InputError(f"not trained yet: {', '.join(missing)}; run: {command}")
    cases = unseen_cases(config.evaluated, config.random_share)
    results = [evaluate_run(run, cases) for run in runs]
    save_results(results, models / RESULTS.name)
    return results


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.tokenization",
        description="compare models that were trained on the same programs with two vocabularies",
    )
    parser.add_argument(
        "--models",
        type=Path,
        metavar="DIR",
        help=f"ask the trained models in DIR and write DIR/{RESULTS.name} (default: show recorded results)",
    )
    parser.add_argument(
        "--config",
        type=Path,
        default=DEFAULT,
        metavar="FILE",
        help="with --models: configuration (default: findings.toml)",
    )
    parser.add_argument(
        "--results", type=Path, default=RESULTS, metavar="FILE", help="recorded results (default: those of the package)"
    )
    parser.add_argument("--figure", type=Path, metavar="FILE", help="also plot the claims, as SVG; needs matplotlib")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
