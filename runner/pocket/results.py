"""Which goals the embedded model reaches, by kind of program, with Wilson's confidence intervals; the model card.

`python -m runner.pocket.results RUN` reads the records of a run of `pocket-goals` and reports which goals are reached.
With `--card FOLDER` it writes the model card of the weights there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora.errors import InputError
from runner.pocket.card import COMMAND, card
from runner.pocket.goals import GOALS, NAME, Goal
from runner.records.samples import read_samples
from runner.statistics.intervals import format_accuracy
from runner.statistics.summary import Table1Row, summarize


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
