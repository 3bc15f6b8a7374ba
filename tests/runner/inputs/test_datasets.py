"""Rows that were used, that could not be, and that failed, and the message about them."""

from __future__ import annotations

import pytest

from corpora.errors import InputError
from corpora.rows import BadRow, FailedRow
from runner.inputs.datasets import RowTally

ROWS = (BadRow(1, "rows:1", "not JSON"), None, FailedRow(3, "rows:3", "died"), FailedRow(4, "rows:4", "late"))


def tally() -> RowTally:
    counted = RowTally("rows")
    for bad in ROWS:
        counted.add(bad)
    return counted


def test_what_failed_and_what_could_not_be_read_is_reported_with_the_first_of_both() -> None:
    with pytest.raises(InputError, match=r"2 rows of 4 failed, and 1 could not be read; the first is rows:1: not JSON"):
        tally().check(None)


def test_what_failed_is_reported_alone_if_all_rows_could_be_read() -> None:
    counted = RowTally("rows")
    counted.add(FailedRow(1, "rows:1", "died"))
    with pytest.raises(InputError, match=r"1 row of 1 failed; the first is rows:1: died"):
        counted.check(None)


def test_rows_within_the_limit_are_no_error() -> None:
    tally().check(3)
