"""`spellout experiment`: a whole experiment of the paper, with its table, its CSV and its figure.

Each experiment is a module of `runner.experiments`; here are its options and what is written. The same command again
goes on where it stopped.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

from corpora.errors import InputError
from runner.asking.ask import DECODES
from runner.asking.prompts import FORMS
from runner.experiments import Options, experiment, experiment_names
from runner.experiments.findings import COLUMNS, Findings, as_csv, can_plot, held_against, plot, rows
from runner.experiments.stages import Stages
from runner.inputs.benchmarks import flag
from runner.inputs.datasets import DATA_HELP
from runner.reports.report import INTERVALS, SHARES
from runner.runs.defaults import default_folder, recipes_of
from runner.runs.experiment import Settings
from runner.statistics.grading import GRADES
from runner.terminal.console import error_console, output_console
from runner.terminal.markdown import code, plain
from runner.terminal.options import factor, limit, temperature, whole
from runner.terminal.tables import markdown_table, say, terminal_table

SUMMARY = "a whole experiment of the paper with its figure and CSV; `list` tells which there are"
RUNS_PROGRAMS = True
LIST = "list"
EXAMPLES = """
  spellout experiment list
  spellout experiment permutations --model facebook/cwm --output runs/permutations
  spellout experiment table1 --model facebook/cwm --data cruxeval.jsonl --recipe decompose --recipe strings --full
  spellout experiment composition --model pocket --num-programs 10 --depth 1 --depth 2
  spellout experiment forcing --model facebook/cwm
  spellout experiment direct --model openai:NAME@https://HOST/v1
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout experiment`; those of the runs in it are given on."""
    parser.add_argument("name", metavar="NAME", choices=[LIST, *experiment_names()], help=", ".join(experiment_names()))
    parser.add_argument("--model", default="pocket", help="as for run: pocket, a folder, an id, replay:FILE, …")
    parser.add_argument("--data", metavar="DATASET", help=f"the programs of robustness: {DATA_HELP}")
    parser.add_argument(
        "--column", action="append", default=[], metavar="FIELD=COLUMN", help="rename columns of --data"
    )
    parser.add_argument(
        "--num-programs", dest="size", type=whole(1), metavar="N", help="programs a point (default: the paper's number)"
    )
    parser.add_argument("--length", type=whole(), action="append", default=[], metavar="N", help="steps; repeatable")
    parser.add_argument("--depth", type=whole(1), action="append", default=[], metavar="N", help="depth; repeatable")
    parser.add_argument("--recipe", action="append", metavar="R", help="rewrites to try on failures (decompose)")
    parser.add_argument("--full", action="store_true", help="rewrite and ask all samples again, with a control")
    parser.add_argument(
        "--grade", choices=GRADES, help="what table1 grades: as for report (default: return; both are reported)"
    )
    parser.add_argument("--seed", type=whole(), default=0, metavar="N", help="draws the programs anew (0)")
    parser.add_argument(
        "--max-tokens",
        type=limit,
        metavar="N|fit",
        help="limit of new tokens; `fit` raises it until every reference trace fits (default: the paper's)",
    )
    parser.add_argument("--stop-after", type=factor, metavar="F", help="wait for no answer above F times its trace")
    parser.add_argument("--decode", choices=DECODES, default=DECODES[0], help="as for run (default: %(default)s)")
    parser.add_argument("--stop-at-divergence", action="store_true", help="wait for no answer that must be wrong")
    parser.add_argument(
        "--temperature",
        type=temperature,
        default=0.0,
        metavar="T",
        help="sampling temperature; 0 is greedy decoding (default: 0)",
    )
    parser.add_argument(
        "--num-samples", type=whole(1), default=1, metavar="N", help="sampled answers a question (default: 1)"
    )
    parser.add_argument("--prompt", choices=FORMS, help="the form to ask in (the model's own)")
    parser.add_argument(
        "--batch-size", type=whole(1), default=32, metavar="N", help="questions decoded together (default: 32)"
    )
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keep answers there, and take those of other runs")
    parser.add_argument("--output", type=Path, metavar="DIR", help="folder of the experiment (runs/NAME-MODEL)")


def run(arguments: argparse.Namespace) -> int:
    """Conducts the experiment and prints what it found. 0 when done."""
    if arguments.name == LIST:
        return _list()
    module = experiment(arguments.name)
    options = Options(
        arguments.size,
        tuple(arguments.length),
        tuple(arguments.depth),
        arguments.seed,
        arguments.data,
        tuple(arguments.column),
        arguments.grade or GRADES[0],
    )
    _check(arguments, module)
    folder = arguments.output or default_folder(arguments.name, arguments.model)
    findings = module.conduct(_stages(folder, arguments, rewrites="recipe" in module.TAKES), options)
    _write(folder, findings, arguments.model)
    console = output_console()
    say(console, f"{findings.title}: {arguments.model} (in brackets: {INTERVALS})")
    console.print(terminal_table(COLUMNS, rows(findings), console.width))
    console.print()
    for sentence in _sentences(findings):
        say(console, sentence)
    figure = ", figure.svg" if can_plot() else " (a figure needs matplotlib: pip install '.[plot]')"
    error_console().print(f"{folder}/report.md, points.csv{figure}", soft_wrap=True)
    return 0


def _list() -> int:
    console = output_console()
    for name in experiment_names():
        module = experiment(name)
        takes = " ".join(map(flag, module.TAKES))
        say(console, f"{name:14}{module.SUMMARY}")
        say(console, f"{'':14}needs {module.NEEDS}; takes {takes} --seed --max-tokens")
    return 0


def _check(arguments: argparse.Namespace, module: ModuleType) -> None:
    """Raises InputError for an option that means nothing here."""
    takes: tuple[str, ...] = module.TAKES
    for option in ("size", "length", "depth", "data", "recipe", "full", "grade"):
        if getattr(arguments, option) and option not in takes:
            known = ", ".join(map(flag, takes))
            raise InputError(f"means nothing for {arguments.name}, which takes {known}", where=flag(option))
    if arguments.column and not arguments.data:
        raise InputError("renames columns of --data, and there is none", where=f"--column {arguments.column[0]}")
    if arguments.prompt not in (None, *getattr(module, "FORMS", FORMS)):
        raise InputError(f"means nothing for {arguments.name}", where=f"--prompt {arguments.prompt}")
    if arguments.temperature and getattr(module, "GREEDY", False):
        raise InputError(
            f"{arguments.name} asks greedily: leave it out", where=f"--temperature {arguments.temperature}"
        )


def _stages(folder: Path, arguments: argparse.Namespace, *, rewrites: bool) -> Stages:
    """The runs of the experiment: nothing is rewritten unless the experiment is about it."""
    settings = Settings(
        recipes=recipes_of(arguments.recipe) if rewrites else (),
        batch_size=arguments.batch_size,
        stop_after=arguments.stop_after,
        full=arguments.full,
        decode=arguments.decode,
        stop_at_divergence=arguments.stop_at_divergence,
        temperature=arguments.temperature,
        num_samples=arguments.num_samples,
    )
    command = "spellout " + shlex.join(sys.argv[1:])
    return Stages(folder, arguments.model, settings, arguments.max_tokens, arguments.prompt, arguments.cache, command)


def _sentences(findings: Findings) -> tuple[str, ...]:
    return (*held_against(findings), *findings.sentences)


def _write(folder: Path, findings: Findings, model: str) -> None:
    report = [f"# {plain(findings.title)}", *markdown_table(COLUMNS, rows(findings)), ""]
    report += [f"- {plain(sentence)}" for sentence in _sentences(findings)]
    report += [f"\n{SHARES}"]
    made = f"{code('spellout ' + shlex.join(sys.argv[1:]))} (Spellout {metadata.version('spellout')})"
    report += [f"\nModel: {plain(model)}. Made by {made}."]
    report += ["\n![accuracy](figure.svg)"] if can_plot() else []
    texts = {"report.md": "\n".join(report) + "\n", "points.csv": as_csv(findings)}
    if can_plot():
        texts["figure.svg"] = plot(findings, model)
    for name, text in texts.items():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", where=str(folder / name)) from error
