"""What `pocket` is to reach on programs that training left out, and how far it is.

`spellout run pocket-goals --max-tokens 1024 --out RUN` asks, and `python -m runner.pocket.goals RUN` makes the table
from its records: for each kind the share of right answers with Wilson's interval. With `--card FOLDER` it also writes
the model card of the weights there. What it does not do: ask a model.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

from corpora import permutations, zoo
from corpora.errors import InputError
from corpora.program import Case
from runner.intervals import percent
from runner.pocket.card import card
from runner.pocket.data import WEIGHTS, Kind, draw, held_out
from runner.samples import read_samples
from runner.summary import Row, summarize

# The benchmark's name, which its cases carry.
NAME = "pocket-goals"
# New kinds have no goal but that of string methods.
SHARES = {"S4": 0.9, "string method": 0.6, "character list": 0.0, "two functions": 0.0, "caught exception": 0.0}


@dataclass(frozen=True)
class Goal:
    """A kind of programs: how one is drawn, how many are asked, and what share is to be right (0: no goal)."""

    name: str
    draw: Callable[[Random], Case]
    share: float
    count: int = 30


def _of_kind(kind: Kind) -> Goal:
    name = f"S{kind[1]}" if kind[0] == "permutations" else str(kind[1])
    return Goal(name, partial(draw, family=kind[0], name=kind[1]), SHARES.get(name, 0.8))


def _three_deep(rng: Random) -> Case:
    return zoo.case(rng.choice(list(zoo.SOURCES)), 3, rng, "", expected=False)


def _eight_steps(rng: Random) -> Case:
    return permutations.case(5, 8, rng, "")


GOALS = (
    *map(_of_kind, WEIGHTS),
    Goal("zoo, three deep", _three_deep, 0.95, 70),
    Goal("S5, 8 steps", _eight_steps, 0.6, 40),
)


def cases() -> Iterator[Case]:
    """The programs of every goal, held out from training; the same ones each time."""
    for goal in GOALS:
        rng = Random(f"goals {goal.name}")
        found: dict[str, Case] = {}
        while len(found) < goal.count:
            case = goal.draw(rng)
            if held_out(case):
                found.setdefault(case.context, case)
        for number, case in enumerate(found.values()):
            # No comma: a kind is counted as it is, and not with its family.
            kind = goal.name.replace(",", "")
            yield replace(case, id=f"{kind}-{number}", benchmark=NAME, kind=kind)


def table(rows: Sequence[Row]) -> str:
    """The goals as Markdown, from Table 1's rows of a run; goals that the run did not ask about are left out."""
    by_kind = {row.kind: row for row in rows if row.benchmark == NAME and row.kind}
    lines = ["| kind | programs | goal | right (95 % interval) | after rewriting | reached |"]
    lines.append("| --- | --: | --: | --: | --: | --- |")
    for goal in GOALS:
        row = by_kind.get(goal.name.replace(",", ""))
        if row:
            lines.append(_line(goal, row))
    [whole] = [row for row in rows if row.benchmark == NAME and not row.kind] or [None]
    if whole is None:
        raise InputError(f"no record of {NAME} in this run: spellout run {NAME} --max-tokens 1024 --out RUN")
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
    parser = argparse.ArgumentParser(prog="python -m runner.pocket.goals", description=main.__doc__)
    parser.add_argument("run", metavar="RUN", type=Path, help=f"the folder of a run of {NAME}")
    parser.add_argument("--card", type=Path, metavar="FOLDER", help="weights, beside which README.md is written")
    options = parser.parse_args(arguments)
    try:
        made = table(summarize(read_samples(options.run / "samples.jsonl")).rows)
        if options.card:
            (options.card / "README.md").write_text(card(options.card, made), encoding="utf-8")
    except (InputError, OSError) as error:
        sys.stderr.write(f"goals: {error}\n")
        return 2
    sys.stdout.write(made + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
