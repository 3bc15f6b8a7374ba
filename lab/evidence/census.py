"""How many of published "semantics-preserving" pairs of programs are equivalent, by kind.

    python -m lab.evidence.census PAIRS [--sample N] [--seed S] [--output VERDICTS]

Each pair is compared as by `spellout verify`, on its calls and on inputs of the same types; inputs of other types are
counted apart. Each verdict is written to VERDICTS at once, so that the same command resumes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from corpora import Row, read_rows
from corpora.errors import InputError
from lab.evidence.pairs import FORMS, PublishedPair, read_pairs
from lab.published_data import published_path
from rewrite.equivalence.check import check_equivalence
from runner.statistics.intervals import accuracy_interval, format_interval, interval_in_percent
from runner.terminal.console import note, output_console, print_lines, progress_bar, warn
from runner.terminal.tables import markdown_table

SECONDS, EXAMPLES = 30.0, 100
COLUMNS = ("kind", "pairs", "undecided", "different", "% of decided (95 %)", "other types")


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


def judge_pair(pair: PublishedPair, seconds: float = SECONDS, examples: int = EXAMPLES) -> PairVerdict:
    """Compares a pair; one that cannot be compared is undecided.

    Args:
        pair: The programs and their calls.
        seconds: Time limit of the comparison.
        examples: Number of generated inputs.
    """
    try:
        verdict = check_equivalence(pair.before, pair.after, pair.calls, seconds=seconds, examples=examples)
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
    parser.add_argument(
        "pairs", metavar="PAIRS", nargs="?", help="rows with before, after and call, or forms (default: published ones)"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="judge N pairs drawn at random (default: all)")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="random seed of the sample (default: 0)")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="time limit of each pair (default: 30)")
    parser.add_argument("--examples", type=int, default=EXAMPLES, help="inputs generated for each pair (default: 100)")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write each verdict as a JSON line, and resume")
    arguments = parser.parse_args(argv)
    path = published_path(parser, arguments.pairs, FORMS)
    try:
        pairs, bad = read_pairs(read_rows(path))
    except InputError as error:
        parser.error(str(error))
    warn(*(f"{row.where}: {row.reason}" for row in bad[:5]))
    if arguments.sample is not None and arguments.sample < len(pairs):
        pairs = random.Random(arguments.seed).sample(pairs, arguments.sample)
    known = read_verdicts(arguments.output) if arguments.output else {}
    verdicts = list(_judged(pairs, known, arguments))
    console = output_console()
    sys.stdout.write("\n".join(markdown_table(COLUMNS, list(table(verdicts)))) + "\n\n")
    for kind, one in sorted(smallest_counterexamples(verdicts).items()):
        print_lines(console, f"{kind}, {one.pair.name}: {one.why}", *one.counterexample.splitlines())
    note(f"{len(verdicts)} pairs of {path}; {len(bad)} rows could not be read")
    return 0


def read_verdicts(path: Path) -> dict[tuple[str, str], PairVerdict]:
    """The verdicts that an interrupted census wrote, by name and kind of the pair; none without the file.

    An incomplete last line is removed from the file.
    """
    if not path.is_file():
        return {}
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        path.write_text("".join(lines[:-1]), encoding="utf-8")
    found: dict[tuple[str, str], PairVerdict] = {}
    for row in read_rows(path) if any(line.endswith("\n") for line in lines) else ():
        if isinstance(row, Row):
            name, kind, problem = (str(row.fields[key]) for key in ("id", "kind", "problem"))
            equivalent = row.fields["equivalent"]
            texts = (str(row.fields[key]) for key in ("why", "counterexample", "other_types"))
            pair = PublishedPair(name, kind, problem, "", "", ())
            found[name, kind] = PairVerdict(pair, None if equivalent is None else bool(equivalent), *texts)
    return found


def _judged(
    pairs: Sequence[PublishedPair], known: Mapping[tuple[str, str], PairVerdict], options: argparse.Namespace
) -> Iterator[PairVerdict]:
    """The verdicts on all pairs; those that are not known are written to the file, one by one."""
    output: Path | None = options.output
    with progress_bar() as progress, output.open("a", encoding="utf-8") if output else nullcontext() as file:
        for pair in progress.track(pairs, description="comparing pairs"):
            verdict = known.get((pair.name, pair.kind))
            verdict = (
                judge_pair(pair, options.seconds, options.examples) if verdict is None else replace(verdict, pair=pair)
            )
            if file is not None and (pair.name, pair.kind) not in known:
                write_verdicts([verdict], file)
                file.flush()
            yield verdict


def write_verdicts(verdicts: Iterable[PairVerdict], file: TextIO) -> None:
    """Writes one JSON object per verdict."""
    for one in verdicts:
        row = {"id": one.pair.name, "kind": one.pair.kind, "problem": one.pair.problem, "equivalent": one.equivalent}
        row |= {"why": one.why, "counterexample": one.counterexample, "other_types": one.other_types}
        file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main())
