"""`spellout run`: asks a model to predict programs, rewrites those it fails, asks again, and prints Table 1.

The run itself is in `runner.runs.model_evaluation`.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from runner.backends import load_model
from runner.batch_rewriting.plugins import load_plugins
from runner.inputs.benchmarks import DEPTH_HELP, LENGTH_HELP, SIZE_HELP
from runner.inputs.datasets import DATA_HELP, LIMIT_HELP, add_data_options
from runner.records.samples import MODES, Sample
from runner.reports.run_report import RunInfo, show
from runner.runs import model_evaluation
from runner.runs.cases import Cases, load_cases
from runner.runs.defaults import chosen_recipes, default_folder
from runner.runs.evaluation_run import EvaluationSettings
from runner.runs.model_evaluation import RunInput, token_limit_for, warn_about_rows
from runner.runs.run_options import add_run_options, run_settings
from runner.runs.validation import validated_settings
from runner.terminal.console import note, output_console, warn
from runner.terminal.options import add_number
from runner.terminal.waiting import show_waiting

DUPLICATES_SHOWN = 5
SUMMARY = "evaluate a model: predict programs, diagnose the failures, rewrite them and ask again"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout run demo --model pocket
  spellout run humaneval --model facebook/cwm --recipe expressions --recipe strings --output runs/humaneval
  spellout run humaneval --model facebook/cwm --recipe decompose --full --output runs/humaneval-full
  spellout run humaneval --model facebook/cwm --temperature 0.7 --num-samples 5 --output runs/humaneval-sampled
  spellout run permutations --length 64 --num-programs 10 --model facebook/cwm
  spellout run permutations --length 64 --num-programs 10 --model facebook/cwm --mode forced-actions --output runs/f
  spellout run solutions.csv --column code=solution --model pocket --limit 4
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout run`."""
    parser.add_argument("benchmark", metavar="BENCHMARK|DATASET", help=DATA_HELP)
    add_run_options(parser)
    add_number(
        parser,
        "--max-tokens",
        "limit of new tokens per answer (default: 8192; 4096 for composition and atomic; 16384 with --prompt direct)",
    )
    add_number(parser, "--limit", LIMIT_HELP)
    parser.add_argument(
        "--mode",
        choices=MODES,
        default=MODES[0],
        help="free: the model writes the whole trace; forced-actions: the reference actions are injected and the model "
        "writes the states; forced: each token is predicted from the reference trace before it (default: free)",
    )
    add_number(parser, "--num-programs", SIZE_HELP, dest="size")
    add_number(parser, "--length", LENGTH_HELP, least=0)
    add_number(parser, "--depth", DEPTH_HELP)
    add_data_options(parser)
    parser.add_argument("--output", type=Path, metavar="RUN", help="folder of the run (default: runs/BENCHMARK-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Starts or resumes the run, and prints Table 1."""
    samples, info = _conduct(arguments)
    show(output_console(), samples, info)
    folder = _folder(arguments)
    took = "resumed" if info.resumed else f"{info.seconds:.0f} s"
    note(f"wrote {folder}/samples.jsonl, summary.json, report.md ({took})")
    model_evaluation.check_answered(samples, info.model)
    return 0


def _conduct(arguments: argparse.Namespace) -> tuple[list[Sample], RunInfo]:
    load_plugins(arguments.plugin)
    settings = validated_settings(_settings(arguments), arguments.prompt)
    generator_options = {
        name: value for name in ("size", "length", "depth") if (value := getattr(arguments, name)) is not None
    }
    name, mapping, limit = arguments.benchmark, arguments.column, arguments.limit
    found = load_cases(
        name, mapping, limit, arguments.max_bad, seed=arguments.seed, generator_options=generator_options
    )
    with show_waiting(f"loading {arguments.model}"):
        backend = load_model(arguments.model)
    _report_rows(found)
    run_input = RunInput(name, found, arguments.prompt, limit, tuple(mapping), arguments.cache)
    return model_evaluation.conduct(
        backend, settings, run_input, _folder(arguments), "spellout " + shlex.join(sys.argv[1:])
    )


def _settings(arguments: argparse.Namespace) -> EvaluationSettings:
    max_tokens = arguments.max_tokens or token_limit_for(arguments.benchmark, arguments.prompt)
    chosen = run_settings(arguments, chosen_recipes(arguments.recipe))
    return replace(chosen, max_tokens=max_tokens, mode=arguments.mode)


def _report_rows(found: Cases) -> None:
    """Warns about unreadable rows, and lists rows that repeat a program."""
    warn_about_rows(found)
    duplicates = found.duplicates()
    if duplicates.inputs:
        warn(*duplicates.listed[:DUPLICATES_SHOWN])
    if duplicates.programs:
        note(f"duplicates: {duplicates}")


def _folder(arguments: argparse.Namespace) -> Path:
    named: Path | None = arguments.output
    return named or default_folder(arguments.benchmark, arguments.model)
