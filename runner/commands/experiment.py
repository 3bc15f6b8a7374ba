"""`spellout experiment`: runs an experiment of the paper and writes its table, CSV file and figure.

Each experiment is a module of `runner.experiments`. The same command resumes an interrupted experiment.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

from corpora.errors import InputError
from corpora.reading.optional_packages import install_command
from runner.asking.prompts import PROMPT_FORMATS
from runner.backends import find_backend
from runner.batch_rewriting.plugins import load_plugins
from runner.experiments import ExperimentOptions, experiment, experiment_names
from runner.experiments.accuracy_results import COLUMNS, AccuracyResults, as_csv, describe_curves, plot, rows
from runner.experiments.drawing import can_plot
from runner.experiments.experiment_stages import ExperimentStages
from runner.inputs.benchmarks import option_flag
from runner.inputs.datasets import DATA_HELP, add_column_option
from runner.reports.report_files import write_file
from runner.reports.run_report import INTERVALS, SHARES
from runner.runs.defaults import chosen_recipes, default_folder
from runner.runs.run_options import add_run_options, run_settings
from runner.statistics.grading_differences import GRADES
from runner.terminal.console import note, output_console
from runner.terminal.markdown import code, plain
from runner.terminal.options import add_number, add_repeatable, at_least, limit
from runner.terminal.tables import markdown_table, print_sentences, terminal_table

SUMMARY = "run an experiment of the paper and write its table, CSV file and figure"
RUNS_PROGRAMS = True
LIST = "list"
EXAMPLES = """
  spellout experiment list
  spellout experiment permutations --model facebook/cwm --output runs/permutations
  spellout experiment table1 --model facebook/cwm --data cruxeval.jsonl --recipe decompose --recipe strings --full
  spellout experiment composition --model pocket --num-programs 10 --depth 1 --depth 2
  spellout experiment forcing --model facebook/cwm
  spellout experiment effect --model facebook/cwm --hours 8
  spellout experiment direct --model openai:NAME@https://HOST/v1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout experiment`; most are options of the runs that it consists of."""
    names = ", ".join(experiment_names())
    parser.add_argument("name", metavar="NAME", choices=[LIST, *experiment_names()], help=f"list, {names}")
    parser.add_argument("--data", metavar="DATASET", help=f"programs of table1, robustness and effect: {DATA_HELP}")
    add_column_option(parser, "read FIELD from COLUMN of --data; repeatable")
    add_number(parser, "--num-programs", "programs per point (default: as in the paper)", dest="size")
    add_repeatable(
        parser, "--length", "N", "steps of each program; repeatable (default: as in the paper)", type=at_least()
    )
    add_repeatable(parser, "--depth", "N", "nesting depth; repeatable (default: as in the paper)", type=at_least(1))
    parser.add_argument(
        "--grade",
        choices=GRADES,
        help="what table1 grades, as for `spellout report` (default: return; both are reported)",
    )
    parser.add_argument(
        "--max-tokens",
        type=limit,
        metavar="N|fit",
        help="limit of new tokens per answer; fit: raised until every reference trace fits (default: as in the paper)",
    )
    parser.add_argument(
        "--hours", type=_hours, metavar="H", help="time of effect; the same command goes on (default: all programs)"
    )
    add_run_options(parser)
    parser.add_argument("--output", type=Path, metavar="DIR", help="folder to write (default: runs/NAME-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the experiment and prints its results."""
    if arguments.name == LIST:
        return _list()
    load_plugins(arguments.plugin)
    module = experiment(arguments.name)
    options = ExperimentOptions(
        arguments.size,
        tuple(arguments.length),
        tuple(arguments.depth),
        arguments.seed,
        arguments.data,
        tuple(arguments.column),
        arguments.grade or GRADES[0],
        arguments.hours,
    )
    _check(arguments, module)
    find_backend(arguments.model)  # reports an unknown one before programs are made and rewritten
    folder = arguments.output or default_folder(arguments.name, arguments.model)
    results = module.conduct(_stages(folder, arguments, rewrites="recipe" in module.TAKES), options)
    _write(folder, results, arguments.model)
    console = output_console()
    print_sentences(console, f"{results.title}: {arguments.model} (in parentheses: {INTERVALS})")
    console.print(terminal_table(COLUMNS, rows(results), console.width))
    console.print()
    print_sentences(console, *_sentences(results))
    figure = ", figure.svg" if can_plot() else f" (install the extra plot for a figure: {install_command('plot')})"
    note(f"wrote {folder}/report.md, points.csv{figure}")
    return 0


def _hours(text: str) -> float:
    """A number of hours above 0. Raises ArgumentTypeError."""
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of hours above 0")
    return hours


def _list() -> int:
    console = output_console()
    width = max(map(len, experiment_names())) + 2
    for name in experiment_names():
        module = experiment(name)
        takes = " ".join(map(option_flag, module.TAKES))
        needs = f"needs {module.NEEDS}; takes {takes} --seed --max-tokens"
        print_sentences(console, f"{name:{width}}{module.SUMMARY}", f"{'':{width}}{needs}")
    return 0


def _check(arguments: argparse.Namespace, module: ModuleType) -> None:
    """Raises InputError for an option that does not apply to the experiment."""
    takes: tuple[str, ...] = module.TAKES
    for option in ("size", "length", "depth", "data", "recipe", "full", "grade", "hours"):
        if getattr(arguments, option) and option not in takes:
            known = ", ".join(map(option_flag, takes))
            raise InputError(f"does not apply to {arguments.name}, which takes {known}", where=option_flag(option))
    if arguments.column and not arguments.data:
        raise InputError("needs --data", where=f"--column {arguments.column[0]}")
    if arguments.prompt not in (None, *getattr(module, "FORMS", PROMPT_FORMATS)):
        raise InputError(f"does not apply to {arguments.name}", where=f"--prompt {arguments.prompt}")
    if arguments.temperature and getattr(module, "GREEDY", False):
        raise InputError(
            f"does not apply to {arguments.name}, which uses greedy decoding",
            where=f"--temperature {arguments.temperature}",
        )


def _stages(folder: Path, arguments: argparse.Namespace, *, rewrites: bool) -> ExperimentStages:
    """The runs of the experiment. Programs are rewritten only if the experiment is about rewriting."""
    settings = run_settings(arguments, chosen_recipes(arguments.recipe) if rewrites else ())
    command = "spellout " + shlex.join(sys.argv[1:])
    return ExperimentStages(
        folder, arguments.model, settings, arguments.max_tokens, arguments.prompt, arguments.cache, command
    )


def _sentences(results: AccuracyResults) -> tuple[str, ...]:
    return (*describe_curves(results), *results.sentences)


def _write(folder: Path, results: AccuracyResults, model: str) -> None:
    report = [f"# {plain(results.title)}", *markdown_table(COLUMNS, rows(results)), ""]
    report += [f"- {plain(sentence)}" for sentence in _sentences(results)]
    report += [f"\n{SHARES}"]
    made = f"{code('spellout ' + shlex.join(sys.argv[1:]))} (Spellout {metadata.version('spellout')})"
    report += [f"\nModel: {plain(model)}. Made by {made}."]
    report += ["\n![accuracy](figure.svg)"] if can_plot() else []
    texts = {"report.md": "\n".join(report) + "\n", "points.csv": as_csv(results)}
    if can_plot():
        texts["figure.svg"] = plot(results, model).svg()
    for name, text in texts.items():
        write_file(folder / name, text, parents=True)
