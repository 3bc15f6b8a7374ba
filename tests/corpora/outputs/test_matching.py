"""Which case a recorded output is about: what fits none, or several, first."""

import pytest

from corpora.outputs.matching import CaseIndex
from corpora.program import Case
from corpora.rows import BadRow, Row

UPPER, LOWER = "def f(s):\n    return s.upper()", "def f(s):\n    return s.lower()"
CASES = (Case("a", UPPER, "f('x')"), Case("b", UPPER, "f('y')"), Case("c", LOWER, "f('x')"))


def _case(index: CaseIndex, **fields: str) -> Case | str:
    found = index.case_of(Row(1, "log:1", {"output": "", **fields}))
    return found.reason if isinstance(found, BadRow) else found


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"id": "z"}, "no case has the id 'z'", id="unknown id"),
        pytest.param(
            {"id": "z", "prompt": "hello"}, "no case has the id 'z' or the program of its prompt", id="no program"
        ),
        pytest.param({"id": "z", "prompt": f"{UPPER}\nf('x') or f('y')"}, "2 cases fit it: a, b", id="two calls"),
        pytest.param(
            {"id": "a", "prompt": LOWER.replace("lower", "title")},
            "its prompt does not contain the program of case a: another version of the benchmark?",
            id="another version",
        ),
        pytest.param(
            {"id": "a", "source": LOWER, "call": "f('z')"}, "case a has another program or call", id="its own"
        ),
        pytest.param(
            {"id": "z", "source": UPPER, "call": "f(' x')"}, "no case has its program and call", id="space in a string"
        ),
        pytest.param(
            {"id": "z", "prompt": UPPER + "f('x ')"},
            "no case has the id 'z' or the program of its prompt",
            id="another",
        ),
        pytest.param(
            {"id": "z", "source": LOWER, "call": "f('z')"}, "no case has its program and call", id="not there"
        ),
    ],
)
def test_what_cannot_be_matched_says_why(fields: dict[str, str], reason: str) -> None:
    assert _case(CaseIndex(CASES), **fields) == reason


def test_without_cases_an_output_needs_its_program() -> None:
    assert "--benchmark" in str(_case(CaseIndex(), id="a"))
    assert _case(CaseIndex(), id="a", source=UPPER, call="f('x')") == Case("a", UPPER, "f('x')")


def test_an_id_is_enough_without_a_prompt_and_is_checked_with_one() -> None:
    index = CaseIndex(CASES)
    assert _case(index, id="b") == CASES[1]
    assert _case(index, id="b", prompt=f"Predict:\n{UPPER}\n>>> f('y')") == CASES[1]


def test_program_and_call_in_a_prompt_are_found_whatever_the_id_says() -> None:
    prompt = "```python\n" + LOWER.replace("\n    ", "\n        ") + "\n```\nassert f( 'x' ) == ??"
    assert _case(CaseIndex(CASES), id="17", prompt=prompt) == CASES[2]


def test_a_program_is_matched_whatever_the_id_says() -> None:
    assert _case(CaseIndex(CASES), id="17", source=UPPER + "\n", call=" f('y')") == CASES[1]


def test_cases_that_only_indentation_or_a_space_in_a_string_tells_apart_are_two() -> None:
    inner = "def f(n):\n    for i in n:\n        x = i\n        return x"
    cases = [Case("a", inner, "f('xy')"), Case("b", inner.replace("    return", "return"), "f('xy')")]
    cases.append(Case("c", inner, "f('x y')"))
    index = CaseIndex(cases)
    assert [_case(index, id="z", source=case.source, call=case.call) for case in cases] == cases


def test_ids_that_several_cases_share_are_ambiguous_without_a_prompt() -> None:
    index = CaseIndex((*CASES, Case("a", LOWER, "f('q')")))
    assert _case(index, id="a") == "2 cases fit it: a, a"
    assert _case(index, id="a", prompt=LOWER + "f('q')") == Case("a", LOWER, "f('q')")
