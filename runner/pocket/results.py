"""How far `pocket` is from its goals: the table of a run of `pocket-goals`, and the model card with it.

`python -m runner.pocket.results RUN` reads the records: of each kind the share of right answers with Wilson's interval.
With `--card FOLDER` it writes the card of the weights there. What it does not do: ask a model (`spellout run` does).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from corpora.errors import InputError
from runner.intervals import percent
from runner.pocket.card import COMMAND, card
from runner.pocket.goals import GOALS, NAME, Goal
from runner.samples import read_samples
from runner.summary import Row, summarize


def table(rows: Sequence[Row]) -> str:
    """The goals as Markdown, from Table 1's rows of a run; goals that the run did not ask about are left out."""
    by_kind = {row.kind: row for row in rows if row.benchmark == NAME and row.kind}
    lines = ["| kind | programs | goal | right (95 % interval) | after rewriting | reached |"]
    lines.append("| --- | --: | --: | --: | --: | --- |")
    for goal in GOALS:
        row = by_kind.get(goal.kind)
        if row:
            lines.append(_line(goal, row))
    whole = next((row for row in rows if row.benchmark == NAME and not row.kind), None)
    if whole is None:
        raise InputError(f"no record of {NAME} in this run; make one with: {COMMAND}")
    asked = whole.samples - whole.not_asked
    lines.append(f"| **all** | {asked} | | {percent(whole.correct, asked)} | {percent(whole.after, asked)} | |")
    return "\n".join(lines)


def _line(goal: Goal, row: Row) -> str:
    asked = row.samples - row.not_asked
    reached = ("yes" if row.correct >= goal.share * asked else "no") if goal.share else ""
    aim = f"{goal.share:.0%}" if goal.share else ""
    return (
        f"| {goal.name} | {asked} | {aim} | {percent(row.correct, asked)} | {percent(row.after, asked)} | {reached} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of a run; write the model card with it."""
    parser = argparse.ArgumentParser(prog="python -m runner.pocket.results", description=main.__doc__)
    parser.add_argument("run", metavar="RUN", type=Path, help=f"the folder of a run of {NAME}")
    parser.add_argument("--card", type=Path, metavar="FOLDER", help="weights, beside which README.md is written")
    options = parser.parse_args(arguments)
    try:
        made = table(summarize(read_samples(options.run / "samples.jsonl")).rows)
        if options.card:
            (options.card / "README.md").write_text(card(options.card, made), encoding="utf-8")
    except (InputError, OSError) as error:
        sys.stderr.write(f"results: {error}\n")
        return 2
    sys.stdout.write(made + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
