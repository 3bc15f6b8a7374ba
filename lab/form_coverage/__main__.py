"""Print the coverage of populations of programs: `python -m lab.form_coverage --data DIR`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from corpora.failures import DIED
from corpora.process_pool import map_over_cores
from lab.form_coverage.level_tables import hole_table, level_table
from lab.form_coverage.levels import OperationCoverage, measure_program
from lab.populations import POPULATIONS, CalledProgram
from lab.published_data import add_data_option


def main(arguments: Sequence[str] | None = None) -> None:
    """Print two tables for each population.

    Args:
        arguments: Those of the command line (default: `sys.argv`).
    """
    given = _parser().parse_args(arguments)
    for name in given.population:
        programs = list(POPULATIONS[name](given.data))[given.offset :: given.every]
        results = list(map_over_cores(measure_program, programs, on_death=_dead, ordered=True))
        found = [one for result in results if not isinstance(result, str) for one in result]
        lines = [f"## {name}: {len(programs)} programs\n", *level_table(found), "", *hole_table(found), ""]
        left = [(one.id, result) for one, result in zip(programs, results, strict=True) if isinstance(result, str)]
        lines += [f"Not counted: {program}: {why}" for program, why in left]
        sys.stdout.write("\n".join(lines) + "\n\n")


def _dead(
    program: CalledProgram, alone: Callable[[CalledProgram], list[OperationCoverage] | str]
) -> list[OperationCoverage] | str:
    return DIED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m lab.form_coverage", description=__doc__)
    add_data_option(parser)
    parser.add_argument(
        "--population", nargs="+", choices=sorted(POPULATIONS), default=sorted(POPULATIONS), help="(default: all)"
    )
    parser.add_argument("--every", type=int, default=4, metavar="N", help="one of N programs (default: 4)")
    parser.add_argument("--offset", type=int, default=0, metavar="N", help="the first of them (default: 0)")
    return parser


if __name__ == "__main__":
    main()
