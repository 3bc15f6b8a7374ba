"""Accuracy of a run by kind of program, with Wilson's confidence intervals; the goals; the model card.

`python -m runner.pocket.results RUN` reads the records of a run. For `pocket-goals` it reports which goals are reached,
and with `--card FOLDER` it writes the model card of the weights there. For other runs (the demo) it lists the kinds,
best first.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich import box
from rich.table import Table

from corpora.errors import InputError
from runner.pocket.card import COMMAND, card
from runner.pocket.goals import GOALS, NAME, Goal
from runner.records.samples import read_samples
from runner.statistics.intervals import format_accuracy
from runner.statistics.summary import Table1Row, summarize
from runner.terminal.console import output_console


def goals_table(rows: Sequence[Table1Row]) -> str:
    """The goals as a Markdown table, from the rows of Table 1; without goals that the run did not ask about."""
    by_kind = {row.kind: row for row in rows if row.benchmark == NAME}
    if not by_kind:
        raise InputError(f"no record of {NAME} in this run; make one with: {COMMAND}")
    whole = by_kind[""]
    return "\n".join(
        [
            "| kind | programs | goal | right (95 % interval) | after rewriting | reached |",
            "| --- | --: | --: | --: | --: | --- |",
            *(_goal(goal, by_kind[goal.kind]) for goal in GOALS if goal.kind in by_kind),
            f"| **all** | {whole.asked} | | {_right(whole)} | {_after(whole)} | |",
        ]
    )


def _goal(goal: Goal, row: Table1Row) -> str:
    aim = f"{goal.share:.0%}" if goal.share else ""
    reached = ("yes" if row.correct >= goal.share * row.asked else "no") if goal.share else ""
    return f"| {goal.name} | {row.asked} | {aim} | {_right(row)} | {_after(row)} | {reached} |"


def _right(row: Table1Row) -> str:
    return format_accuracy(row.correct, row.asked)


def _after(row: Table1Row) -> str:
    return format_accuracy(row.after, row.asked) if row.asked_again else "—"


def kinds_table(rows: Sequence[Table1Row]) -> Table:
    """The benchmarks of a run and their kinds, best first, for the terminal."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in ("kind", "asked", "right (95 % interval)", "after rewriting"):
        table.add_column(column, justify="left" if column == "kind" else "right", no_wrap=True)
    for row in _best_first(rows):
        style = "" if row.kind else "bold"
        table.add_row(
            f"  {row.kind}" if row.kind else row.benchmark, str(row.asked), _right(row), _after(row), style=style
        )
    return table


def _best_first(rows: Sequence[Table1Row]) -> Iterator[Table1Row]:
    for whole in (row for row in rows if not row.kind):
        yield whole
        kinds = [row for row in rows if row.kind and row.benchmark == whole.benchmark and row.asked]
        yield from sorted(kinds, key=lambda row: (-row.correct / row.asked, row.kind))


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the accuracy of a run by kind of program, with confidence intervals."""
    parser = argparse.ArgumentParser(prog="python -m runner.pocket.results", description=main.__doc__)
    parser.add_argument("run", metavar="RUN", type=Path, help="the folder of a run")
    parser.add_argument("--card", type=Path, metavar="FOLDER", help="folder of weights, in which README.md is written")
    options = parser.parse_args(arguments)
    try:
        rows = summarize(read_samples(options.run / "samples.jsonl")).rows
        if not rows:
            raise InputError(f"no record in {options.run}")
        if not options.card and all(row.benchmark != NAME for row in rows):
            output_console().print(kinds_table(rows))
            return 0
        table = goals_table(rows)
        if options.card:
            (options.card / "README.md").write_text(
                card(options.card, table, sum(row.samples for row in rows if row.benchmark == NAME and not row.kind)),
                encoding="utf-8",
            )
    except (InputError, OSError) as error:
        sys.stderr.write(f"results: {error}\n")
        return 2
    sys.stdout.write(table + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
