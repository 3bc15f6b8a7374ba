"""Trains the models of the tokenization experiment: `python -m runner.pocket.findings`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora.errors import InputError
from runner.pocket.findings.configuration import DEFAULT, load_config
from runner.pocket.findings.training import train_all, train_run, training_runs
from runner.pocket.findings.vocabularies import make_vocabularies

EPILOG = """examples:
  nice -n 19 python -m runner.pocket.findings --output DIR            in the background; the same command resumes
  python -m runner.pocket.findings --output DIR --only bpe-0          one model, in this process
  python -m lab.tokenization --models DIR                             asks the models and compares the arms
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains the models that are not finished."""
    options = _parser().parse_args(arguments)
    try:
        config = load_config(options.config)
        options.output.mkdir(parents=True, exist_ok=True)
        if not options.only:
            train_all(config, options.config, options.output, options.jobs)
            return 0
        chosen = {run.name: run for run in training_runs(config, options.output)}
        if options.only not in chosen:
            raise InputError(f"--only is one of {', '.join(chosen)}, not {options.only}")
        train_run(chosen[options.only], config, make_vocabularies(options.output))
    except (InputError, OSError) as error:
        sys.stderr.write(f"findings: {error}\n")
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m runner.pocket.findings",
        description="train the same model on the same programs, with two vocabularies",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--config", type=Path, default=DEFAULT, metavar="FILE", help="configuration (default: findings.toml)"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("runs/findings"),
        metavar="DIR",
        help="folder of the experiment (default: runs/findings)",
    )
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="models to train at once (default: 2)")
    parser.add_argument("--only", metavar="RUN", help="train only this model, such as bpe-0")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
