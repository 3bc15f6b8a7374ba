"""One table of speed: each job and its baseline, a floor or a peer, both measured in this run, with ratio and goal.

    python bench/speed.py                  all jobs: some minutes on two quiet cores
    python bench/speed.py trace sandbox    the jobs of bench_trace.py and bench_sandbox.py

Exits with status 1 if a ratio exceeds its goal by more than a tenth. The goals apply to a quiet machine; ratios change
less than seconds do if other processes run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from harness import command
from measured_row import Row
from rich.table import Table

from runner.terminal.console import error_console, output_console

JOBS = tuple(sorted(file.stem.removeprefix("bench_") for file in Path(__file__).parent.glob("bench_*.py")))


def main() -> int:
    """Measure and print the table."""
    parser = command(__doc__)
    parser.add_argument(
        "jobs", nargs="*", choices=[[], *JOBS], metavar="JOB", help=f"default: all of {', '.join(JOBS)}"
    )
    found = list(measured(parser.parse_args().jobs or JOBS))
    output_console().print(table(found))
    return int(any(row.is_missed for row in found))


def measured(jobs: Iterable[str]) -> Iterable[Row]:
    """Yield the rows of some jobs, and show on standard error which one is being measured."""
    for job in jobs:
        with error_console().status(f"measuring {job}") as status:
            for row in import_module(f"bench_{job}").rows():
                status.update(f"measuring {job}: {row.job} done")
                yield row


def table(rows: Iterable[Row]) -> Table:
    """Return the table."""
    made = Table("job", "takes", "floor or peer", "takes", "ratio", "goal", "", box=None)
    for row in rows:
        goal = "" if row.goal is None else f"{row.goal:.3g}"
        seconds, floor = (f"{value:.3g} {row.unit}" for value in (row.seconds, row.floor))
        made.add_row(
            row.job, seconds, row.baseline, floor, f"{row.ratio:.2f}", goal, "missed" if row.is_missed else row.note
        )
    return made


if __name__ == "__main__":
    sys.exit(main())
