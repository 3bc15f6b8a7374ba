"""How many of published "semantics-preserving" pairs of programs are equivalent, by kind.

    python -m lab.evidence.census PAIRS [--sample N] [--seed S] [--output VERDICTS]

Each pair is compared as by `spellout verify`, on its calls and on inputs of the same types; inputs of other types are
counted apart.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from corpora import read_rows
from corpora.errors import InputError
from lab.evidence.pairs import PublishedPair, read_pairs
from rewrite.equivalence.check import check_equivalence
from runner.statistics.intervals import accuracy_interval, format_interval, interval_in_percent
from runner.terminal.console import note, output_console, print_lines, progress_bar, warn
from runner.terminal.tables import terminal_table

SECONDS = 30.0
COLUMNS = ("kind", "pairs", "undecided", "different", "% of the decided (95 % interval)", "only on other types")


@dataclass(frozen=True)
class PairVerdict:
    """The verdict on one pair.

    Attributes:
        pair: The pair.
        equivalent: As `rewrite.equivalence.check.Verdict.equivalent`.
        why: The reason.
        counterexample: The call in which they differ, and how; "" without one.
        other_types: A call of other types in which they differ; "" without one.
    """

    pair: PublishedPair
    equivalent: bool | None
    why: str
    counterexample: str = ""
    other_types: str = ""


def judge_pair(pair: PublishedPair, seconds: float = SECONDS) -> PairVerdict:
    """Compares a pair; one that cannot be compared is undecided.

    Args:
        pair: The programs and their calls.
        seconds: Time limit of the comparison.
    """
    try:
        verdict = check_equivalence(pair.before, pair.after, pair.calls, seconds=seconds)
    except InputError as error:
        return PairVerdict(pair, None, str(error))
    found = (str(shown) if shown else "" for shown in (verdict.counterexample, verdict.other_types))
    return PairVerdict(pair, verdict.equivalent, verdict.why, *found)


def table(verdicts: Iterable[PairVerdict]) -> Iterator[tuple[str, ...]]:
    """The rows of `COLUMNS`, by kind. Intervals are clustered by problem."""
    kinds: dict[str, list[PairVerdict]] = {}
    for verdict in verdicts:
        kinds.setdefault(verdict.pair.kind, []).append(verdict)
    for kind, found in sorted(kinds.items()):
        decided = [one for one in found if one.equivalent is not None]
        different = [one for one in decided if not one.equivalent]
        others = sum(bool(one.equivalent and one.other_types) for one in decided)
        yield kind, str(len(found)), str(len(found) - len(decided)), str(len(different)), _rate(decided), str(others)


def _rate(decided: Sequence[PairVerdict]) -> str:
    if not decided:
        return "—"
    problems: dict[str, list[bool]] = {}
    for one in decided:
        problems.setdefault(one.pair.problem, []).append(not one.equivalent)
    counts = [len(found) for found in problems.values()]
    interval = interval_in_percent(accuracy_interval([sum(found) for found in problems.values()], counts))
    share = 100 * sum(map(sum, problems.values())) / sum(counts)
    return f"{share:.1f} {format_interval(interval)}, {len(problems)} problems"


def smallest_counterexamples(verdicts: Iterable[PairVerdict]) -> dict[str, PairVerdict]:
    """By kind, the pair that differs with the smallest program and counterexample."""
    found: dict[str, PairVerdict] = {}
    for verdict in verdicts:
        known = found.get(verdict.pair.kind)
        if verdict.counterexample and (known is None or _size(verdict) < _size(known)):
            found[verdict.pair.kind] = verdict
    return found


def _size(verdict: PairVerdict) -> int:
    return len(verdict.pair.after) + len(verdict.counterexample)


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the census; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m lab.evidence.census", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("pairs", metavar="PAIRS", help="rows with before, after and call, or with forms")
    parser.add_argument("--sample", type=int, metavar="N", help="judge N pairs drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="random seed of the sample (default: 0)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of each pair (default: 30)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write each verdict as a JSON line")
    arguments = parser.parse_args(argv)
    try:
        pairs, bad = read_pairs(read_rows(arguments.pairs))
    except InputError as error:
        parser.error(str(error))
    warn(*(f"{row.where}: {row.reason}" for row in bad[:5]))
    if arguments.sample is not None and arguments.sample < len(pairs):
        pairs = random.Random(arguments.seed).sample(pairs, arguments.sample)
    with progress_bar() as progress:
        judged = progress.track(pairs, description="comparing pairs")
        verdicts = [judge_pair(pair, arguments.seconds) for pair in judged]
    console = output_console()
    console.print(terminal_table(COLUMNS, list(table(verdicts)), console.width))
    for kind, one in sorted(smallest_counterexamples(verdicts).items()):
        print_lines(console, f"{kind}, {one.pair.name}: {one.why}", *one.counterexample.splitlines())
    note(f"{len(verdicts)} pairs of {arguments.pairs}; {len(bad)} rows could not be read")
    if arguments.output:
        with arguments.output.open("w", encoding="utf-8") as file:
            write_verdicts(verdicts, file)
    return 0


def write_verdicts(verdicts: Iterable[PairVerdict], file: TextIO) -> None:
    """Writes one JSON object per verdict."""
    for one in verdicts:
        row = {"id": one.pair.name, "kind": one.pair.kind, "problem": one.pair.problem, "equivalent": one.equivalent}
        row |= {"why": one.why, "counterexample": one.counterexample, "other_types": one.other_types}
        file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main())
