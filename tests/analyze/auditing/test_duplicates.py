"""Rows that repeat a program or a program with its input."""

from __future__ import annotations

import subprocess
import sys

import pytest

from analyze.auditing.duplicates import MAX_LISTED, DuplicateIndex
from corpora.dataset import BadRow, Row
from tests.places import ROOT

MEMORY = """
import resource
import sys
from analyze.auditing.duplicates import DuplicateIndex
index = DuplicateIndex()
for number in range(int(sys.argv[1])):
    index.add(number, f"cases.jsonl:{number}", f"def f():\\n    return {number}\\n", "f()")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.parametrize(
    "other", ["def f(x):\n    return 2", "def f(x):\n  return 1", "def g(x):\n    return 1", "def f(x):\n    return 1#"]
)
def test_other_programs_are_no_duplicates(other: str) -> None:
    index = DuplicateIndex()
    index.add(1, "a.jsonl:1", "def f(x):\n    return 1", "f(1)")
    index.add(2, "a.jsonl:2", other, "f(1)")
    assert (index.programs, index.inputs, index.listed) == (0, 0, [])


def test_rows_without_a_program_are_no_duplicates() -> None:
    index = DuplicateIndex()
    rows: list[Row | BadRow] = [Row(2, "a:2", {"call": "f()"}), Row(3, "a:3", {"code": None})]
    rows = [BadRow(1, "a:1", "is not JSON"), *rows] * 2
    assert list(index.watch(rows)) == rows
    assert index.programs == 0


def test_the_first_row_of_a_program_and_of_an_input_is_named() -> None:
    index = DuplicateIndex()
    for number, call in enumerate(("f(1)", "f(2)", " f(2) ", None), 1):
        index.add(number, f"a.jsonl:{number}", "def f(x):\n    return x  \r\n", call)
    assert [str(one) for one in index.listed] == [
        "a.jsonl:2: the program of a.jsonl:1",
        "a.jsonl:3: the program and input of a.jsonl:2",
        "a.jsonl:4: the program of a.jsonl:1",
    ]
    assert str(index) == "3 rows repeat a program, 1 of them with the same input"


def test_lone_surrogates_in_programs_and_paths() -> None:
    index = DuplicateIndex()
    for number in (1, 2):
        index.add(number, f"\udcff.jsonl:{number}", "f = '\ud800'", None)
    assert index.listed[0].first == "\udcff.jsonl:1"


def test_only_the_first_duplicates_are_listed_and_all_are_counted() -> None:
    index = DuplicateIndex()
    for number in range(MAX_LISTED + 3):
        index.add(number, f"a:{number}", "f", None)
    assert (index.programs, len(index.listed)) == (MAX_LISTED + 2, MAX_LISTED)


@pytest.mark.medium
def test_memory_does_not_grow_with_the_rows() -> None:
    few, many = (
        int(subprocess.run([sys.executable, "-c", MEMORY, str(rows)], cwd=ROOT, capture_output=True, check=True).stdout)
        for rows in (1_000, 150_000)
    )
    assert many - few < 30  # MB; the cache of the database has at most 16
