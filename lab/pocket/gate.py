"""The gate of a tracer: `python -m lab.pocket.gate` says whether experiments with a model mean anything.

A model that fails a program because of its names cannot say what a rewrite does. So every program is asked unchanged,
with its local variables renamed at equal token count (the placebo), and renamed to `_t0`, `_t1`, … as rewriting names
its temporaries. The programs are generated ones that the tracer was not trained on, and CruxEval's samples with even
numbers. The command exits with status 1 if the gate does not hold.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from corpora import Case
from corpora.errors import InputError
from lab.pocket.answers import FILE, read_answers, write_answers
from lab.pocket.gate_programs import (
    CRUXEVAL,
    GENERATED,
    HUMANEVAL,
    PAPER,
    PROGRAMS,
    populations,
    temporary_names,
)
from lab.published_data import SETTING, data_folder
from rewrite.baselines import PLACEBO
from runner.asking.backend import Backend
from runner.backends import load_model
from runner.records.samples import UNRECORDED, Sample, originals
from runner.reports.recipe_table import paired_cells
from runner.runs.model_evaluation import evaluate
from runner.statistics.intervals import TOO_FEW, format_interval
from runner.statistics.paired import PairedComparison, compare_pairs
from runner.statistics.recipe_effects import recipe_effects
from runner.statistics.summary import Table1Row, summarize
from runner.terminal.console import note, output_console, print_lines
from runner.terminal.options import add_number
from runner.terminal.tables import Cells, markdown_table, print_sentences, terminal_table

MAX_DIFFERENCE, MAX_BOUND = 3, 5
"""Of the accuracies on renamed and unchanged programs, in points: from the first on the gate does not hold, nor if the
interval goes beyond the second."""
STOP_AFTER = 1.5
"""An answer longer than this many times its reference trace is wrong."""
LIMITS = {
    "long": f"at {STOP_AFTER} times the reference trace",
    "context": "at the end of the model's context",
    "limit": "at the limit of tokens",
}
"""What ended an answer that was cut off, by `Sample.stopped`."""
MIN_ACCURACY, MAX_ACCURACY = 25, 75
"""On CruxEval, in percent."""
COLUMNS = ("programs", "asked", "right before", "right after", "gained", "lost", "p", "points")
Programs = Callable[[Path, Sequence[Path], int], dict[str, list[Case]]]
Answers = Mapping[str, Sequence[Sample]]
"""Records by population."""
EPILOG = """examples:
  python -m lab.pocket.gate --model pretrained:runs/tracer/decayed.safetensors --documents runs/documents.parquet
  python -m lab.pocket.gate --model random:2x64 --limit 5 --output runs/smoke      smoke test
  python -m lab.pocket.gate --answers runs/gate/answers.jsonl.gz                   the table again
"""


@dataclass(frozen=True)
class GateResult:
    """What the gate found.

    Attributes:
        rows: rows of the table with `COLUMNS`.
        failures: conditions that are not met, in words; none if the gate holds.
        cut_off: how many wrong answers were cut off, in words, by population.
    """

    rows: tuple[Cells, ...]
    failures: tuple[str, ...]
    cut_off: tuple[str, ...]

    def __str__(self) -> str:
        return f"the gate does not hold: {'; '.join(self.failures)}" if self.failures else "the gate holds"


def judge(runs: Mapping[str, Sequence[Sample]]) -> GateResult:
    """Judges the records of the gate's runs, by name of the population.

    Raises:
        InputError: there are none of a population.
    """
    if missing := [name for name in (GENERATED, CRUXEVAL, HUMANEVAL, PAPER) if not runs.get(name)]:
        raise InputError(f"the gate's answers have none about {', '.join(missing)}")
    rows: list[Cells] = []
    failures: list[str] = []
    for name in (GENERATED, CRUXEVAL):
        rows.append(_accuracy(name, whole := _whole(runs[name])))
        if name == CRUXEVAL and not MIN_ACCURACY <= (right := whole.percent(whole.correct) or 0) <= MAX_ACCURACY:
            failures.append(f"{name}: {right:.1f}% right, not {MIN_ACCURACY} to {MAX_ACCURACY}%")
        renamed = {effect.recipe: effect.paired for effect in recipe_effects(runs[name])}
        for arm in (PLACEBO, temporary_names.__name__):
            paired = renamed.get(arm) or compare_pairs([])
            rows.append((f"  {arm}", *paired_cells(paired), points(paired)) if paired.samples else _empty(f"  {arm}"))
            failures += (f"{name}, {arm}: {why}" for why in _name_dependence(paired))
    rows.append(_accuracy(HUMANEVAL, whole := _whole(runs[HUMANEVAL])))
    failures += [] if whole.correct else [f"{HUMANEVAL}: no program right"]
    rows += _by_kind(runs[PAPER])
    unanswered = sum(one.stopped == "failed" or one.reason == UNRECORDED for run in runs.values() for one in run)
    failures += [f"{unanswered} questions have no answer: run the command again"] if unanswered else []
    return GateResult(tuple(rows), tuple(failures), tuple(_cut_off(runs)))


def _cut_off(runs: Answers) -> Iterator[str]:
    """How many wrong answers to unchanged programs ended at a limit, and not by themselves or at a wrong value."""
    for name, samples in runs.items():
        wrong = [one for one in originals(samples) if one.asked and not one.is_correct]
        limits = Counter(LIMITS.get(one.stopped, one.stopped) for one in wrong if one.verdict == "truncated")
        if limits:
            parts = ", ".join(f"{count} {where}" for where, count in limits.most_common())
            yield f"{name}: {limits.total()} of {len(wrong)} wrong answers were cut off: {parts}"


def _name_dependence(paired: PairedComparison) -> Iterator[str]:
    """Why a renaming changes too much, or too little is known about it."""
    if abs(100 * paired.difference) >= MAX_DIFFERENCE:
        yield f"{100 * paired.difference:+.1f} points, not below {MAX_DIFFERENCE}"
    if paired.interval is None:
        yield f"{TOO_FEW} for an interval ({paired.programs})"
    elif max(-paired.interval[0], paired.interval[1]) > MAX_BOUND / 100:
        yield f"the interval{_bounds(paired)} is not within ±{MAX_BOUND}"


def _by_kind(samples: Sequence[Sample]) -> Iterator[Cells]:
    """The accuracy on the paper's kinds, all and each."""
    for row in summarize(originals(samples)).rows:
        yield _accuracy(f"  {row.kind}" if row.kind else PAPER, row)


def _whole(samples: Sequence[Sample]) -> Table1Row:
    return next(row for row in summarize(originals(samples)).rows if not row.kind)


def _accuracy(name: str, row: Table1Row) -> Cells:
    right = f"{row.percent(row.correct) or 0:.1f}%{format_interval(row.interval, 0)}"
    return (name, f"{row.asked} of {row.samples}", right, *_empty("")[3:])


def _empty(name: str) -> Cells:
    return (name, "0", *["—"] * (len(COLUMNS) - 2))


def points(paired: PairedComparison) -> str:
    """The difference in points, with its interval."""
    return f"{100 * paired.difference:+.1f}{_bounds(paired)}"


def _bounds(paired: PairedComparison) -> str:
    return (
        " ({:+.1f} to {:+.1f})".format(*(100 * one for one in paired.interval)) if paired.interval else f" ({TOO_FEW})"
    )


def measure(backend: Backend, asked: Mapping[str, Sequence[Case]], known: Answers, folder: Path, batch: int) -> Answers:
    """Asks what is not known, each population in its own run folder; folders that exist are resumed."""
    runs: dict[str, Sequence[Sample]] = {}
    for name, cases in asked.items():
        recipes = (temporary_names(cases),) if name in (GENERATED, CRUXEVAL) else ()
        note(f"{name}: {len(cases)} programs")
        ask = asking(backend, known.get(name, ()), batch)
        runs[name] = ask(cases, output=folder / name, recipes=recipes, full=bool(recipes))
    return runs


def asking(backend: Backend, known: Sequence[Sample], batch: int) -> Callable[..., list[Sample]]:
    """`evaluate` as protocols ask: whether an answer is right is all that counts, and what is known is not asked."""
    return partial(evaluate, backend, stop_at_divergence=True, stop_after=STOP_AFTER, batch_size=batch, known=known)


def answered(
    options: argparse.Namespace,
    ask: Callable[[Backend, Mapping[str, Sequence[Case]], Answers, Path, int], Answers],
    programs: Programs = populations,
) -> Answers:
    """The records by population: those of `--answers`, or of asking, which are written as `answers.jsonl.gz`.

    With `--answers` and `--model`, only what has no answer is asked.

    Args:
        options: of `gate_parser`.
        ask: asks a model about the programs of each population that have no answer yet. Its last arguments are the
            folder of the runs and the number of questions in a batch.
        programs: the programs by population, from the folder of the data, training documents to be left out, and the
            largest number of each.

    Raises:
        InputError: programs, model or answers are missing.
    """
    if options.answers and not options.model:
        return read_answers(options.answers)
    known = read_answers(options.answers) if options.answers else {}
    runs = ask(*asked_programs(options, programs), known, options.output, options.batch_size)
    write_answers(runs, options.output / FILE)
    return runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks, and prints the table and the verdict; 1 if the gate does not hold. With `--answers` it prints only: 0."""
    options = gate_parser("gate", __doc__ or "", EPILOG).parse_args(arguments)
    try:
        found = judge(answered(options, measure))
    except InputError as error:
        sys.stderr.write(f"gate: {error}\n")
        return 2
    print_table(COLUMNS, found.rows, *found.cut_off, str(found))
    return 1 if found.failures and not options.answers else 0


def print_table(columns: Cells, rows: Sequence[Cells], *sentences: str) -> None:
    """Prints a table and sentences: on a terminal in its width, else as Markdown."""
    console = output_console()
    if console.is_terminal:
        console.print(terminal_table(columns, rows, console.width))
        print_sentences(console, *sentences)
    else:
        print_lines(console, *markdown_table(columns, rows), "", *(f"- {one}" for one in sentences))


def asked_programs(options: argparse.Namespace, programs: Programs) -> tuple[Backend, dict[str, list[Case]]]:
    """The model, and the programs by population. Raises InputError if one of them is missing."""
    if options.model is None:
        raise InputError("name the model to ask", where="--model")
    data = data_folder(options.data)
    if data is None:
        raise InputError("name the folder of the published data", where=f"--data or {SETTING}")
    return load_model(options.model), programs(data, options.documents, options.limit)


def gate_parser(command: str, about: str, epilog: str) -> argparse.ArgumentParser:
    """The command line of a command that asks a tracer about populations of programs.

    Args:
        command: its name, and that of its folder below `runs`.
        about: the docstring of its module.
        epilog: examples.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m lab.pocket.{command}",
        description=about.splitlines()[0],
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    folder = Path("runs") / command
    parser.add_argument("--model", help="model to ask, as for spellout run")
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help=f"print the table of a {FILE}; with --model, ask what has no answer",
    )
    parser.add_argument("--output", type=Path, default=folder, help=f"folder (default: {folder})")
    parser.add_argument("--documents", type=Path, nargs="+", default=[], help="training documents, to be left out")
    parser.add_argument("--data", type=Path, help=f"folder of the published data (default: ${SETTING})")
    add_number(parser, "--limit", f"at most this many programs of each kind (default: {PROGRAMS})", PROGRAMS)
    add_number(parser, "--batch-size", "questions per batch (default: 32)", 32)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
