"""Benchmarks by name, as large, long and deep as asked for."""

from runner.inputs.benchmarks import token_limit
from runner.runs.cases import load_cases


def test_options_draw_what_they_say() -> None:
    cases = load_cases("permutations", [], None, seed=4, generator_options={"length": 3, "size": 2}).cases
    assert [(case.kind, case.id) for case in cases] == [("S5, length 3", "S5-3-4-0"), ("S5, length 3", "S5-3-4-1")]
    assert {
        case.kind.partition(", ")[2]
        for case in load_cases("zoo", [], None, generator_options={"depth": 2, "size": 1}).cases
    } == {"depth 2"}


def test_composition_has_the_papers_smaller_limit() -> None:
    assert (token_limit("composition"), token_limit("zoo"), token_limit("rows.jsonl")) == (4096, 8192, 8192)


def test_ids_that_come_twice_are_named_in_one_line_and_all_are_asked() -> None:
    rows = [
        {"id": name, "code": "def f(x):\n    return x", "input": str(n), "output": str(n)}
        for n, name in enumerate("aabba")
    ]
    found = load_cases(rows, [], None)
    assert len(found.cases) == 5
    (told,) = found.repeated
    assert "row 2 has the same id as row 1 (a) but different content (2 more rows share ids)" in told
