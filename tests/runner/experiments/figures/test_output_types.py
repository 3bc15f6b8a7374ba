"""Figure 2 of runs: what is left out, shares of types with intervals, first divergences."""

import csv
import io
from dataclasses import replace

from analyze.diagnosis.divergence import NO_TRACE
from runner.experiments.figures.output_types import divergences_csv, failure_types, types_csv
from tests.runner.experiments.figures.samples import samples


def test_controlled_benchmarks_and_benchmarks_without_failures_are_left_out() -> None:
    every = samples("zoo", "w") + samples("permutations", "w", kind="S5, length 8") + samples("mine", "rn")
    assert failure_types({"a": every}) == []


def test_truncated_answers_are_not_wrong_but_have_a_first_divergence() -> None:
    [found] = failure_types({"a": samples("mine", "rtt")})
    assert (found.outputs, found.wrong, found.truncated) == (3, 0, 2)
    assert found.types[0].wrong_share is None
    assert found.divergences == ((("truncated", "int"), (("state", 2),)),)


def test_types_are_shares_of_outputs_and_of_wrong_answers() -> None:
    strings = samples("cruxeval", "rwww", reference="'a'")
    [found] = failure_types({"a": strings + samples("cruxeval", "rrrrrw", reference="1")})
    integers, texts = found.types
    assert (integers.type, integers.outputs, integers.wrong, integers.share) == ("int", 6, 1, 60.0)
    assert (integers.wrong_share, texts.wrong_share) == (25.0, 75.0)
    assert integers.interval is not None and integers.interval[0] < 25 < integers.interval[1]
    assert (integers.published, texts.published) == ((12.1, 11.4), (46.4, 72.8))


def test_wrong_answers_are_counted_by_type_and_first_divergence() -> None:
    first, *others = samples("mine", "www", reference="'a'") + samples("mine", "w")
    [found] = failure_types({"a": [replace(first, diagnosis=None), *others]})
    assert found.divergences == (
        (("incorrect", "str"), (("state", 2), (NO_TRACE, 1))),
        (("incorrect", "int"), (("state", 1),)),
    )


def test_csv_files_have_a_row_per_type_and_per_kind() -> None:
    found = failure_types({"a": samples("cruxeval", "rw", reference="'a'"), "b": samples("cruxeval", "w")})
    rows = list(csv.DictReader(io.StringIO(types_csv(found))))
    assert [(row["run"], row["type"], row["wrong_percent"], row["paper_wrong_percent"]) for row in rows] == [
        ("a", "str", "100.0", "72.8"),
        ("b", "int", "100.0", "11.4"),
    ]
    assert divergences_csv(found).splitlines()[1:] == [
        "a,CruxEval-O,incorrect,str,state,1",
        "b,CruxEval-O,incorrect,int,state,1",
    ]
