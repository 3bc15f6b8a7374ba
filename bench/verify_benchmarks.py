"""Checks the rewrites of whole benchmarks: every HumanEval and CruxEval program, on many inputs each.

    python bench/verify_benchmarks.py [--examples 100] [--recipe decompose --recipe methods] [--json PATH]

Each program is rewritten, and original and rewrite are compared on the benchmark's own calls and on inputs derived from
them (`rewrite.check_equivalence`), on all cores. With `--calls`, each is rewritten with its own calls, and the inputs
are those that satisfy the assumptions of the rewrite. Prints a Markdown table of programs, inputs, verdicts, and the
share of lines and branches of the originals that the inputs reached; then every program that is not "equivalent", with
the reason. CruxEval is read from the folder that `SPELLOUT_DATA` names, and skipped with a message without it. Exits
with status 1 if a program differs.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from harness import command, measured, population, print_table, ratio
from measured_row import timed

from lab.published_data import data_folder
from rewrite import check_equivalence, rewrite_source
from rewrite.equivalence.check import Verdict

COLUMNS = (
    *("benchmark", "recipe", "programs", "rewritten", "inputs compared", "raised in both"),
    *("equivalent", "different", "undecided", "lines reached", "branches taken"),
)
NAMES = {True: "equivalent", False: "different", None: "undecided"}


@dataclass(frozen=True)
class Task:
    """One program of a benchmark, with the benchmark's own calls, and how to rewrite it."""

    benchmark: str
    name: str
    source: str
    calls: tuple[str, ...]
    recipe: str
    examples: int
    with_calls: bool = False


@dataclass(frozen=True)
class CheckedTask:
    """The result of a task; the verdict is None if the rewriter changed nothing."""

    task: Task
    verdict: Verdict | None
    seconds: float


def tasks(recipes: Sequence[str], examples: int, with_calls: bool) -> list[Task]:
    """One task per program and recipe, with all calls of the program."""
    data = data_folder() or Path()
    return [
        Task(name, one.id, one.source, one.calls, recipe, examples, with_calls)
        for name in ("humaneval", "cruxeval")
        for one in population(name, data)
        for recipe in recipes
    ]


def check(task: Task) -> CheckedTask:
    return CheckedTask(task, *timed(partial(verdict_of, task)))


def verdict_of(task: Task) -> Verdict | None:
    """The verdict on the rewrite of a task; None if the rewriter changed nothing."""
    after = rewrite_source(task.source, task.recipe, calls=task.calls if task.with_calls else None)
    if not after.changed:
        return None
    given = [call for call in task.calls if call not in dict(after.unobserved)]
    return check_equivalence(
        task.source, after.source, given, examples=task.examples, inputs="any", assumes=after.assumes
    )


def rows(results: list[CheckedTask]) -> Iterator[tuple[str, ...]]:
    """A row for each benchmark and recipe."""
    groups: dict[tuple[str, str], list[CheckedTask]] = {}
    for done in results:
        groups.setdefault((done.task.benchmark, done.task.recipe), []).append(done)
    for key, group in groups.items():
        yield *key, *_cells([done.verdict for done in group if done.verdict], len(group))


def _cells(verdicts: list[Verdict], programs: int) -> tuple[str, ...]:
    counts = Counter(NAMES[verdict.equivalent] for verdict in verdicts)
    tried, raised = sum(verdict.tried for verdict in verdicts), sum(verdict.raised for verdict in verdicts)
    numbers = (programs, len(verdicts), tried, raised, *(counts[kind] for kind in NAMES.values()))
    reached = [verdict.reached for verdict in verdicts if verdict.equivalent]
    lines = sum(len(found.lines) for found in reached)
    missed = sum(len(found.missed_lines) for found in reached)
    taken, branches = sum(found.branches_taken for found in reached), sum(found.branch_count for found in reached)
    shares = (ratio(lines, lines + missed, ".1%"), ratio(taken, branches, ".1%"))
    return *(f"{number:,}" for number in numbers), *(share or "none" for share in shares)


def doubts(results: list[CheckedTask]) -> Iterator[str]:
    """Everything that is not equivalent without reservation, with its reason."""
    for done in results:
        if done.verdict and done.verdict.equivalent is not True:
            yield f"{done.task.name} ({done.task.recipe}): {NAMES[done.verdict.equivalent]}: {done.verdict.why}"
            yield str(done.verdict.counterexample or "")
    reasons = Counter(
        reason for done in results if done.verdict for _, reason in done.verdict.undecided if done.verdict.equivalent
    )
    yield from (f"inputs not compared: {count}: {reason}" for reason, count in reasons.most_common())


def main() -> int:
    parser = command(__doc__)
    parser.add_argument("--examples", type=int, default=100, help="inputs generated per program (default: 100)")
    parser.add_argument("--recipe", action="append", help="may be repeated (default: decompose, methods)")
    parser.add_argument("--calls", action="store_true", help="rewrite each program with its own calls")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="only every Nth program and recipe (default: 1)"
    )
    parser.add_argument("--json", type=Path, help="write one line per program and recipe to this file")
    arguments = parser.parse_args()
    work = tasks(arguments.recipe or ["decompose", "methods"], arguments.examples, arguments.calls)[:: arguments.every]
    results, took = timed(lambda: list(measured(check, work, "verifying")))
    if arguments.json:
        arguments.json.write_text("".join(json.dumps(asdict(done)) + "\n" for done in results), encoding="utf-8")
    print_table(COLUMNS, rows(results), "---")
    print("\n".join(["", *doubts(results)]))
    inputs = sum(done.verdict.tried for done in results if done.verdict)
    print(f"{took:.0f} s on {os.cpu_count()} cores: {len(work) / took:.1f} programs/s, {inputs / took:,.0f} inputs/s")
    return int(any(done.verdict and done.verdict.equivalent is False for done in results))


if __name__ == "__main__":
    raise SystemExit(main())
