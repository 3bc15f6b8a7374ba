"""HumanEval from its package, CruxEval from its file: what is a case and what is not."""

from collections import Counter
from pathlib import Path

import pytest

from corpora import Case, InputError, load, run_call, run_calls
from corpora.benchmarks.humaneval import literal_assertions
from tests.places import DATA

CRUXEVAL = DATA / "cruxeval_even.jsonl"


@pytest.mark.parametrize(
    "assertion",
    [
        pytest.param("assert candidate(1) is True", id="an identity"),
        pytest.param("assert abs(candidate(1) - 2) < 1e-6", id="a tolerance"),
        pytest.param("assert candidate(1) == x", id="a comparison with a variable"),
        pytest.param("assert candidate(1) == 1 == 1", id="a chain"),
        pytest.param("assert candidate(1)", id="a bare call"),
        pytest.param("assert 2 == candidate(1)", id="a literal on the left"),
        pytest.param("assert other(1) == 2", id="another function"),
        pytest.param("assert candidate(1) == 3 + 5", id="an expression that is no literal"),
    ],
)
def test_other_assertions_are_no_cases(assertion: str) -> None:
    assert literal_assertions(assertion, "candidate") == []


def test_a_call_over_several_lines_is_joined() -> None:
    assert literal_assertions("assert f(\n    [1,\n     2]) == [ -1 ], 'why'", "f") == [("f( [1, 2])", "[-1]")]


@pytest.mark.medium
def test_humaneval_has_the_papers_cases() -> None:
    cases = list(load("humaneval"))
    assert len(cases) == 707
    problems = Counter(case.id.partition("_tc")[0] for case in cases)
    assert max(problems.values()) == 5
    by_id = {case.id: case for case in cases}
    assert by_id["HumanEval_146_tc3"].call == "specialFilter([43, -12, 93, 125, 121, 109])"
    assert by_id["HumanEval_146_tc3"].expected == "4"


@pytest.mark.medium
def test_humanevals_canonical_solutions_return_the_literals() -> None:
    by_source: dict[str, list[Case]] = {}
    for case in load("humaneval"):
        by_source.setdefault(case.source, []).append(case)
    for source, cases in by_source.items():
        outcomes = run_calls(source, [case.call for case in cases])
        assert [outcome.value for outcome in outcomes] == [case.expected for case in cases]


def test_cruxeval_without_its_file_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(load("cruxeval", path=str(tmp_path / "cruxeval.jsonl")))


def test_a_bad_row_of_cruxeval_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "cruxeval.jsonl"
    path.write_text('{"code": "def f(:", "input": "1"}\n')
    with pytest.raises(InputError, match=r"cruxeval\.jsonl:1: the program does not parse"):
        list(load("cruxeval", path=str(path)))


@pytest.mark.medium
@pytest.mark.skipif(not CRUXEVAL.exists(), reason="the shared data with CruxEval's even samples is not here")
def test_cruxevals_outputs_are_what_its_programs_return() -> None:
    cases = list(load("cruxeval", path=str(CRUXEVAL)))
    assert len(cases) == 400
    for case in cases[::8]:
        assert run_call(case.source, case.call).value == case.expected, case.id
