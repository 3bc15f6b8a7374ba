"""Plans before and after a failure held against their programs, on the calls and on inputs within what was assumed.

    python -m tests.rewrite.planner.equivalence [--every N] [--examples N] [--only cruxeval|humaneval]

Prints each difference, and at the end how many programs and inputs were compared. Exit status 1 for a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from typing import NamedTuple

from corpora import load
from rewrite.equivalence.check import check_equivalence
from rewrite.planner.planning import plan_rewrite
from tests.analyze.shared_data import rows


class Checked(NamedTuple):
    """A plan and what comparing it found: inputs tried, and the difference, "" for none; undecided: why, or ""."""

    name: str
    changed: bool
    tried: int = 0
    difference: str = ""
    undecided: str = ""


Program = tuple[str, str, tuple[str, ...]]


def cruxeval() -> Iterator[Program]:
    """CruxEval's even half: name, source, calls."""
    for row in rows("cruxeval_even.jsonl"):
        yield row["id"], row["code"], (f"f({row['input']})",)


def humaneval() -> Iterator[Program]:
    """HumanEval's problems, each with all of its calls."""
    found: dict[str, tuple[str, list[str]]] = {}
    for case in load("humaneval"):
        found.setdefault(case.id.rpartition("_tc")[0], (case.source, []))[1].append(case.call)
    for name, (source, calls) in found.items():
        yield name, source, tuple(calls)


def checked(program: Program, examples: int, *, failed: bool) -> Checked:
    """One program planned, as after a failure or not, and compared."""
    name, source, calls = program
    plan = plan_rewrite(source, calls, failed=failed)
    if plan.source == source:
        return Checked(name, False)
    verdict = check_equivalence(source, plan.source, list(calls), examples=examples, assumes=plan.assumes, inputs="any")
    if verdict.equivalent is None:
        return Checked(name, True, verdict.tried, undecided=verdict.why)
    found = "" if verdict.equivalent else f"{verdict.why}: {verdict.counterexample}"
    return Checked(name, True, verdict.tried, found)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="every Nth program")
    parser.add_argument("--examples", type=int, default=20, help="inputs that are drawn for each")
    parser.add_argument("--only", choices=("cruxeval", "humaneval"))
    options = parser.parse_args(arguments)
    status = 0
    for make, failed in product((cruxeval, humaneval), (False, True)):
        if options.only not in (None, make.__name__):
            continue
        with ProcessPoolExecutor(2) as pool:
            check = partial(checked, examples=options.examples, failed=failed)
            found = list(pool.map(check, list(make())[:: options.every]))
        for one in found:
            if one.difference or one.undecided:
                sys.stdout.write(f"{one.name}: {one.difference or f'undecided: {one.undecided}'}\n")
        differences = sum(bool(one.difference) for one in found)
        sys.stdout.write(
            f"{make.__name__}{' after a failure' * failed}: {len(found)} programs, "
            f"{sum(one.changed for one in found)} changed, {sum(one.tried for one in found):,} inputs compared, "
            f"{differences} differences\n"
        )
        status = status or int(differences > 0)
    return status


if __name__ == "__main__":
    sys.exit(main())
