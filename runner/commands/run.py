"""`spellout run`: ask a model about a benchmark, rewrite what it failed, ask again, close with Table 1.

Reads the command line; the run itself is `runner.runs.evaluation`'s.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from runner.asking.ask import DECODES
from runner.asking.prompts import FORMS
from runner.backends import backends, load_model
from runner.inputs.datasets import DATA_HELP, add_data_options
from runner.records.samples import MODES, Sample
from runner.reports.report import RunInfo, show
from runner.runs import evaluation
from runner.runs.cases import Cases, load_cases
from runner.runs.defaults import default_folder, recipes_of
from runner.runs.evaluation import RunInput, limit_of, warn_of_rows
from runner.runs.experiment import Settings
from runner.runs.validation import settled
from runner.terminal.console import error_console, output_console, warn
from runner.terminal.options import factor, temperature, whole

DUPLICATES_SHOWN = 5
SUMMARY = "ask a code world model to predict programs, diagnose, rewrite what it failed, and ask again"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout run demo --model pocket
  spellout run humaneval --model facebook/cwm --recipe expressions --recipe strings --output runs/humaneval
  spellout run humaneval --model facebook/cwm --recipe decompose --full --output runs/humaneval-full
  spellout run humaneval --model facebook/cwm --temperature 0.7 --num-samples 5 --output runs/humaneval-sampled
  spellout run permutations --length 64 --num-programs 10 --model facebook/cwm
  spellout run permutations --length 64 --num-programs 10 --model facebook/cwm --mode forced-actions --output runs/f
  spellout run cases.jsonl --column code=solution --model pocket --limit 100
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout run`."""
    parser.add_argument("benchmark", metavar="BENCHMARK|DATASET", help=DATA_HELP)
    models = ", ".join(module.SPEC for module in backends().values())
    parser.add_argument("--model", default="pocket", help=f"{models} (pocket)")
    parser.add_argument("--recipe", action="append", metavar="R", help="rewrites to try on failures (decompose); none")
    parser.add_argument("--full", action="store_true", help="rewrite and ask all samples again, with a control")
    parser.add_argument(
        "--prompt", choices=FORMS, help="the form to ask in (the model's own); direct: by chat, no trace"
    )
    parser.add_argument("--limit", type=whole(1), metavar="N", help="only the first N cases")
    parser.add_argument("--max-tokens", type=whole(1), metavar="N", help="new tokens (8192; composition 4096)")
    parser.add_argument(
        "--stop-after", type=factor, metavar="F", help="wait for no answer above F times its true trace (wait)"
    )
    parser.add_argument(
        "--decode",
        choices=DECODES,
        default=DECODES[0],
        help="verified: one pass over the true trace, token by token only where the model parts from it (verified)",
    )
    parser.add_argument(
        "--mode",
        choices=MODES,
        default=MODES[0],
        help="forced-actions: the true actions are injected, the model writes the states; forced: each prediction is "
        "judged alone, given the truth before it (free)",
    )
    parser.add_argument(
        "--stop-at-divergence", action="store_true", help="wait for no answer that can no longer be right"
    )
    parser.add_argument(
        "--temperature", type=temperature, default=0.0, metavar="T", help="sample answers; 0: greedy ones (0)"
    )
    parser.add_argument(
        "--num-samples", type=whole(1), metavar="N", help="answers to each question, where they are sampled (1)"
    )
    parser.add_argument(
        "--num-programs",
        dest="size",
        type=whole(1),
        metavar="N",
        help="programs to generate, of each kind (default: the benchmark's)",
    )
    parser.add_argument("--length", type=whole(), metavar="N", help="steps of each program (permutations)")
    parser.add_argument("--depth", type=whole(1), metavar="N", help="calls nested in each other (zoo, composition)")
    parser.add_argument("--seed", type=whole(), default=0, metavar="N", help="draws the programs anew (0)")
    parser.add_argument("--batch-size", type=whole(1), default=32, metavar="N", help="questions decoded together (32)")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep answers there, and take those of other runs")
    add_data_options(parser)
    parser.add_argument("--output", type=Path, metavar="RUN", help="folder of the run (runs/BENCHMARK-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Runs, or goes on with, the experiment; prints Table 1."""
    samples, info = _conduct(arguments)
    show(output_console(), samples, info)
    folder = _folder(arguments)
    error_console().print(f"{folder}/samples.jsonl, summary.json, report.md ({info.seconds:.0f} s)", soft_wrap=True)
    return 0


def _conduct(arguments: argparse.Namespace) -> tuple[list[Sample], RunInfo]:
    settings = settled(_settings(arguments), arguments.prompt)
    drawn = {name: value for name in ("size", "length", "depth") if (value := getattr(arguments, name)) is not None}
    name, mapping, limit = arguments.benchmark, arguments.column, arguments.limit
    found = load_cases(name, mapping, limit, arguments.max_bad, seed=arguments.seed, drawn=drawn)
    backend = load_model(arguments.model)
    _report_rows(found)
    order = RunInput(name, found, arguments.prompt, limit, tuple(mapping), arguments.cache)
    return evaluation.conduct(backend, settings, order, _folder(arguments), "spellout " + shlex.join(sys.argv[1:]))


def _settings(arguments: argparse.Namespace) -> Settings:
    return Settings(
        recipes=recipes_of(arguments.recipe),
        max_tokens=arguments.max_tokens or limit_of(arguments.benchmark, arguments.prompt),
        batch_size=arguments.batch_size,
        stop_after=arguments.stop_after,
        full=arguments.full,
        decode=arguments.decode,
        stop_at_divergence=arguments.stop_at_divergence,
        temperature=arguments.temperature,
        num_samples=arguments.num_samples or 1,
        mode=arguments.mode,
    )


def _report_rows(found: Cases) -> None:
    """What is wrong with the rows, and which of them repeat a program."""
    errors = error_console()
    warn_of_rows(found)
    duplicates = found.duplicates()
    for duplicate in duplicates.listed[:DUPLICATES_SHOWN] if duplicates.inputs else ():
        warn(errors, str(duplicate))
    if duplicates.programs:
        errors.print(f"duplicates: {duplicates}")


def _folder(arguments: argparse.Namespace) -> Path:
    named: Path | None = arguments.output
    return named or default_folder(arguments.benchmark, arguments.model)
