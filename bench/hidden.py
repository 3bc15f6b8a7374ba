"""Counts the intermediate values that stay hidden in runs after full decomposition, on HumanEval and CruxEval.

    python bench/hidden.py [--data DIR]

Rewrites with the recipe `expressions` and `conditions=True`, counts with `analyze.hidden_values` before and after, and
prints a Markdown table. Exits with status 1 if a program with no rejected candidates hides a value.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

from harness import command, measured, population, print_table

from analyze import hidden_values
from corpora.errors import InputError
from lab.hidden_values import is_hidden
from lab.published_data import add_data_option
from rewrite import rewrite_source

NAMES = {"humaneval": "HumanEval", "cruxeval": "CruxEval (even)"}
COLUMNS = ("", "runs", "hidden before", "hidden after", "runs with values left alone", "hidden in those", "not counted")


class HiddenCount(NamedTuple):
    """Hidden values of a run before and after, and the number of rejected candidates."""

    before: int
    after: int
    kept: int


def measure(case: tuple[str, str]) -> HiddenCount | None:
    """The count of a program and a call; None for a run that cannot be counted."""
    source, call = case
    result = rewrite_source(source, "expressions", conditions=True)
    try:
        before, after = hidden_values(source, call), hidden_values(result.source, call)
    except InputError:
        return None
    return HiddenCount(before, after, sum(map(is_hidden, result.left)))


def row(name: str, found: Sequence[HiddenCount | None]) -> tuple[str, ...]:
    """The row of a benchmark."""
    counted = [one for one in found if one]
    left = [one.after for one in counted if one.kept]
    totals = (len(found), sum(one.before for one in counted), sum(one.after for one in counted))
    return NAMES[name], *(f"{count:,}" for count in (*totals, len(left), sum(left), len(found) - len(counted)))


def main() -> int:
    data = command(__doc__, add_data_option).parse_args().data
    found = {}
    for name in NAMES:
        runs = [(one.source, call) for one in population(name, data) for call in one.calls]
        found[name] = list(measured(measure, runs, name))
    print_table(COLUMNS, (row(*one) for one in found.items()), "---", "---:")
    return int(any(one.after and not one.kept for every in found.values() for one in every if one))


if __name__ == "__main__":
    sys.exit(main())
