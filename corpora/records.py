"""Cases as JSON lines: what `spellout corpora make` writes and `read_rows` with `case_from_row` read back.

One line a case, fields in the order of `Case`; `expected` is left out where there is none. What a run with a model
writes (samples, summaries) belongs to the runner.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import IO

from corpora.program import Case


def case_line(case: Case) -> str:
    r"""A case as a line of JSON, without the fields that are None.

    >>> case_line(Case("a", "def f(): pass", "f()"))
    '{"id": "a", "source": "def f(): pass", "call": "f()", "benchmark": "", "kind": "", "grading": "return"}\n'
    """
    return json.dumps({name: value for name, value in asdict(case).items() if value is not None}) + "\n"


def write_cases(cases: Iterable[Case], file: IO[str]) -> int:
    """Write each case as it comes; returns how many."""
    count = 0
    for count, case in enumerate(cases, 1):  # noqa: B007 - the count is the result
        file.write(case_line(case))
    return count
