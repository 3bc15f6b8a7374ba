"""`spellout run`: ask a model about a benchmark, rewrite what it failed, ask again, close with Table 1.

Reads the command line and ties the parts together; the work is in `runner.experiment`.
"""

from __future__ import annotations

import argparse
import platform
import shlex
import sys
import time
from importlib import metadata
from itertools import islice
from pathlib import Path

from rich.console import Console

from corpora import BadRow, Case, case_from_row, read_rows
from corpora.errors import InputError
from rewrite import recipe_names
from runner.backends import load_model
from runner.benchmarks import benchmark_cases, benchmark_names
from runner.console import error_console, output_console, progress_bar, warn
from runner.experiment import Experiment, Settings
from runner.programs import column_mapping
from runner.report import RunInfo, remarks, terminal_table, write_report
from runner.samples import Sample, SampleFile

SUMMARY = "ask a code world model to predict programs, diagnose, rewrite what it failed, and ask again"
RUNS_PROGRAMS = True
EXAMPLES = """
  spellout run demo --model pocket
  spellout run humaneval --model facebook/cwm --recipe expressions --recipe strings --out runs/humaneval
  spellout run cases.jsonl --map code=solution --model pocket --limit 100
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout run`."""
    parser.add_argument("benchmark", metavar="BENCHMARK|DATASET", help="a benchmark's name, a file, or a data set's id")
    parser.add_argument("--model", default="pocket", help="pocket, a folder, a Hugging Face id, replay:FILE")
    parser.add_argument("--recipe", action="append", metavar="R", help="rewrites to try on failures (decompose)")
    parser.add_argument("--prompt", choices=("bare", "oneshot"), help="the form to ask in (the model's own)")
    parser.add_argument("--limit", type=_positive, metavar="N", help="only the first N cases")
    parser.add_argument("--max-tokens", type=_positive, default=8192, metavar="N", help="new tokens a question (8192)")
    parser.add_argument("--batch", type=_positive, default=32, metavar="N", help="questions decoded together (32)")
    parser.add_argument(
        "--map", action="append", default=[], metavar="FIELD=COLUMN", help="rename a data set's columns"
    )
    parser.add_argument("--out", type=Path, metavar="RUN", help="folder of the run (runs/BENCHMARK-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Runs, or goes on with, the experiment; prints Table 1."""
    start = time.monotonic()
    settings = Settings(_recipes(arguments.recipe), arguments.max_tokens, arguments.batch)
    cases, bad_rows = _cases(arguments)
    backend = load_model(arguments.model)
    if arguments.prompt:
        backend.forms = (arguments.prompt,)
    folder = arguments.out or Path("runs") / f"{_slug(arguments.benchmark)}-{_slug(arguments.model)}"
    folder.mkdir(parents=True, exist_ok=True)
    errors = error_console()
    for row in bad_rows:
        warn(errors, f"skipped {row}")
    with progress_bar() as progress:
        samples = Experiment(backend, settings, SampleFile(folder / "samples.jsonl"), progress).run(cases)
    info = RunInfo(
        command="spellout " + shlex.join(sys.argv[1:]),
        model=backend.name,
        max_tokens=settings.max_tokens,
        recipes=settings.recipes,
        versions=_versions(),
        seconds=time.monotonic() - start,
        bad_rows=tuple(bad_rows),
    )
    _show(folder, samples, info, errors)
    return 0


def _show(folder: Path, samples: list[Sample], info: RunInfo, errors: Console) -> None:
    table = write_report(folder, samples, info)
    output = output_console()
    output.print(terminal_table(table, info))
    for remark in remarks(samples, table):
        output.print(remark, markup=False, highlight=False)
    errors.print(f"{folder}/samples.jsonl, summary.json, report.md ({info.seconds:.0f} s)", highlight=False)


def _cases(arguments: argparse.Namespace) -> tuple[list[Case], list[str]]:
    """The cases of a benchmark by name, or of a data set; rows that could not be read, in words."""
    if arguments.benchmark in benchmark_names():
        return benchmark_cases(arguments.benchmark, arguments.limit), []
    if "/" not in arguments.benchmark and not Path(arguments.benchmark).exists():
        raise InputError(
            f"no such file or benchmark; there are {', '.join(benchmark_names())}", where=arguments.benchmark
        )
    cases, bad = [], []
    for row in islice(read_rows(arguments.benchmark, column_mapping(arguments.map)), arguments.limit):
        case = row if isinstance(row, BadRow) else case_from_row(row, benchmark=Path(arguments.benchmark).name)
        if isinstance(case, BadRow):
            bad.append(f"{case.where}: {case.reason}")
        else:
            cases.append(case)
    if not cases:
        raise InputError(f"no case in it ({len(bad)} rows could not be read)", where=arguments.benchmark)
    return cases, bad


def _recipes(chosen: list[str] | None) -> tuple[str, ...]:
    for recipe in chosen or ():
        if recipe not in recipe_names():
            raise InputError(f"unknown recipe; known are {', '.join(recipe_names())}", where=f"--recipe {recipe}")
    return tuple(dict.fromkeys(chosen or ("decompose",)))


def _versions() -> tuple[tuple[str, str], ...]:
    packages = ("spellout", "transformers", "torch")
    found = [(name, metadata.version(name)) for name in packages if _installed(name)]
    return (("Python", platform.python_version()), *found)


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _slug(text: str) -> str:
    return "".join(char if char.isalnum() or char in "._-" else "-" for char in text).strip("-")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


_positive.__name__ = "positive number"  # argparse names the type in its message
