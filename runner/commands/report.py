"""`spellout report`: prints Table 1 of a run, or compares two runs sample by sample.

Reads only `samples.jsonl` and `run.json`, so it works on interrupted runs and on runs in progress. Instead of a run, it
also reads recorded outputs of other harnesses, and grades them by execution (`runner.interchange.recorded_samples`).
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console

from runner.experiments.figures.folder import NEEDS, write_figures
from runner.interchange.graded import BENCHMARK_HELP, read_graded, run_names
from runner.interchange.recorded_samples import with_names_of
from runner.interchange.results import compare, run_info
from runner.records.run_folder import setting_differences
from runner.records.samples import Sample
from runner.reports.html_page import as_html
from runner.reports.run_comparison import RunComparison, rows, sentences
from runner.reports.run_report import as_json, as_markdown, show
from runner.statistics.grading_differences import GRADES, regraded
from runner.statistics.summary import count_divergences
from runner.terminal.console import note, output_console
from runner.terminal.markdown import code, plain
from runner.terminal.options import add_flag
from runner.terminal.tables import markdown_table, print_sentences, terminal_table

RUNS_PROGRAMS = True  # to grade recorded outputs
SUMMARY = "print the results of a run, or compare two runs with a paired test"
EXAMPLES = """
  spellout report runs/demo
  spellout report runs/after --against runs/before
  spellout report runs/demo --html > demo.html
  spellout report runs/demo --json | jq '.rows[0].correct'
  spellout report runs/table1 --figures figures          Table 1 and Figures 1, 2 and 5 of the paper for these runs
  spellout report runs/after --against runs/before --figures figures
  spellout report samples_cruxeval.jsonl                 grades outputs of lm-evaluation-harness
  spellout report generations.json --against other.json --benchmark cruxeval.jsonl
OUTPUTS: recorded outputs of lm-evaluation-harness (--log_samples), inspect_ai, ZeroEval, CruxEval (generations.json) or
every_eval_ever, or rows with `id` and `output`. They are graded by executing the programs.
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `spellout report`."""
    parser.add_argument(
        "run",
        type=Path,
        metavar="RUN|OUTPUTS",
        help="folder of a run or of several, such as an experiment's, or a file of recorded outputs",
    )
    form = parser.add_mutually_exclusive_group()
    add_flag(form, "--html", "write a self-contained HTML page to standard output")
    add_flag(form, "--json", "write all figures as one JSON object to standard output")
    parser.add_argument(
        "--grade",
        choices=GRADES,
        default=GRADES[0],
        help="return: grade the last RETURN frame against execution; answer: grade the [ANSWER] block against the "
        "label, as in the paper (default: return)",
    )
    parser.add_argument(
        "--against", type=Path, metavar="RUN|OUTPUTS", help="compare with this run, on the cases that both answered"
    )
    parser.add_argument(
        "--figures",
        type=Path,
        metavar="DIR",
        help="also write the paper's Table 1 and Figures 1, 2 and 5 for this run, with the published values, as SVG, "
        "PDF and CSV (extra plot); with --against both runs side by side",
    )
    parser.add_argument("--benchmark", metavar="NAME|DATASET", help=BENCHMARK_HELP)


def run(arguments: argparse.Namespace) -> int:
    """Prints the tables; with `--against` also the comparison and the samples whose verdict changed."""
    samples, before = read_graded(arguments.run, arguments.benchmark), None
    if arguments.against:
        before = read_graded(arguments.against, arguments.benchmark)
        if arguments.run.is_file() or arguments.against.is_file():
            before = with_names_of(before, samples)
    if arguments.figures:
        _write_figures(arguments, samples, before)
    info = run_info(samples, arguments.grade)
    chosen = regraded(samples, arguments.grade)
    comparison = None
    if before is not None:
        there, here = run_names([arguments.against, arguments.run])
        comparison = replace(compare(samples, before, grade=arguments.grade), names=(there, here))
    if arguments.html:
        sys.stdout.write(_page(arguments, as_markdown(samples, info), comparison))
        return 0
    if arguments.json:
        against = {} if comparison is None else {"against": asdict(comparison)}
        sys.stdout.write(json.dumps(as_json(samples, info) | against) + "\n")
        return 0
    console = output_console()
    show(console, samples, info)
    for kind, count in count_divergences(chosen):
        console.print(f"first divergence, {kind}: {count}")
    if comparison is not None:
        _compare(arguments.against, arguments.run, comparison, console)
    return 0


def _write_figures(arguments: argparse.Namespace, samples: list[Sample], before: list[Sample] | None) -> None:
    both = {arguments.run: samples} | ({} if before is None else {arguments.against: before})
    runs = {name: regraded(both[path], arguments.grade) for name, path in zip(run_names([*both]), both, strict=True)}
    models = {sample.model for own in runs.values() for sample in own}
    written = write_figures(arguments.figures, runs, models.pop() if len(models) == 1 else "")
    missing = [name for name in NEEDS if f"{name}.csv" not in written]
    note(f"wrote {arguments.figures}: {', '.join(written)}")
    note(*(f"no {name}: the records have no {NEEDS[name]}" for name in missing))


def _page(arguments: argparse.Namespace, report: str, comparison: RunComparison | None) -> str:
    here, there = arguments.run, arguments.against
    lines = [report]
    if comparison is not None:
        title = f"{code(str(here))} against {code(str(there))}, on the samples that both answered"
        lines += [f"## {title}\n", f"{plain(_settings(there, here))}\n"]
        lines += [*markdown_table(comparison.columns, rows(comparison)), ""]
        lines += [f"- {plain(str(one))}" for one in (*sentences(comparison), *comparison.changes)]
    return as_html("\n".join(lines) + "\n", str(here))


def _compare(there: Path, here: Path, comparison: RunComparison, console: Console) -> None:
    title = f"{here} against {there}, on the samples that both answered"
    print_sentences(console, "", title, _settings(there, here))
    shown = rows(comparison)
    if shown:
        console.print(terminal_table(comparison.columns, shown, console.width))
        console.print()
    print_sentences(console, *sentences(comparison), *(f"  {change}" for change in comparison.changes))


def _settings(there: Path, here: Path) -> str:
    """One sentence that says whether the two runs have the same settings."""
    found = setting_differences(there, here)
    if found is None:
        return "Their settings are unknown: one of them has no readable run.json, as recorded outputs have none."
    if not found:
        return "Their settings are the same."
    return f"Their settings differ, so only samples of both are compared: {'; '.join(found)}."
