"""The generated benchmarks: refusals first, then that every expected value is what running the program gives."""

import hashlib
import re
from collections import Counter
from itertools import islice

import pytest

from corpora.benchmarks import load, names
from corpora.benchmarks.composition import NAMES, called_functions, pool_functions
from corpora.benchmarks.zoo import SOURCES
from corpora.errors import InputError
from corpora.execute import run_call
from corpora.generators.compose import split_functions
from corpora.generators.yuan_functions import PAPER_FUNCTIONS, RECONSTRUCTED_FUNCTIONS


@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param("permutations", {"n": 1}, id="S_1 has no permutation but the identity"),
        pytest.param("permutations", {"length": -1}, id="a length is not negative"),
        pytest.param("zoo", {"kinds": "string"}, id="the zoo has no string category"),
        pytest.param("zoo", {"depth": 0}, id="a zoo program calls at least one function"),
        pytest.param("composition", {"pool": "some"}, id="a pool has a name"),
        pytest.param("composition", {"width": 3}, id="an option that a benchmark does not have is refused"),
        pytest.param("no such thing", {}, id="a benchmark that is not there is refused"),
    ],
)
def test_wrong_options_are_the_users_to_mend(name: str, options: dict[str, object]) -> None:
    with pytest.raises(InputError):
        list(load(name, **options))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("zoo", {"size": 4, "depth": 5}),
        ("zoo", {"size": 2, "depth": 1, "kinds": "boolean,dictionary"}),
        ("composition", {"size": 25, "depth": 1, "pool": "all"}),
        ("composition", {"size": 25, "depth": 4}),
    ],
)
def test_the_expected_value_is_what_the_program_returns(name: str, options: dict[str, object]) -> None:
    for case in load(name, **options):
        outcome = run_call(case.source, case.call)
        assert (outcome.status, outcome.value) == ("ok", case.expected), case


@pytest.mark.parametrize("n", [2, 3, 5, 26])
def test_the_expected_state_is_that_after_the_last_assignment(n: int) -> None:
    for case in load("permutations", n=n, length=7, size=3, seed=4):
        with_state = re.sub(r"    print\(.*\)\n$", "    return dict(locals())\n", case.source)
        outcome = run_call(with_state, case.call)
        assert outcome.value == case.expected
        assert case.grading == "state"
        assert run_call(case.source, case.call).stdout == f"{'c' if n > 2 else 'b'} = {eval_state(case.expected, n)}\n"


def eval_state(expected: str | None, n: int) -> str:
    found = re.search(rf"'{'c' if n > 2 else 'b'}': (\d)", expected or "")
    return found[1] if found else ""


def test_a_permutation_program_has_the_papers_form() -> None:
    lines = next(load("permutations")).context.splitlines()
    assert lines[:2] == ["def execute_repl_trace():", '    """Execute the REPL trace operations."""']
    assert re.fullmatch(r"    a = \d", lines[2])
    assert re.fullmatch(r"    a, b, c, d, e = [a-e](, [a-e]){4}", lines[7])
    assert lines[-4:] == ['    print(f"c = {c}")', "", "def main(): # << START_OF_TRACE", "    execute_repl_trace()"]


def test_a_composition_has_the_papers_form() -> None:
    assert (NAMES["add_prefix"], NAMES["alternate_case"], NAMES["insert_separator"]) == ("func_1", "func_12", "func_14")
    assert sorted(NAMES.values()) == sorted(f"func_{number}" for number in range(25))
    case = next(load("composition", depth=3))
    assert re.search(r"\n\ndef main_solution\(x\):\n    return func_\d+\(func_\d+\(func_\d+\(x", case.source)
    assert re.fullmatch(r'main_solution\("[a-z]{4,8}"\)', case.call)


def test_there_are_as_many_functions_as_the_paper_has() -> None:
    assert (len(split_functions(PAPER_FUNCTIONS)), len(split_functions(RECONSTRUCTED_FUNCTIONS))) == (15, 10)
    assert {kind: len(split_functions(sources)) for kind, sources in SOURCES.items()} == dict.fromkeys(SOURCES, 5)


def test_the_same_seed_gives_the_same_programs_whatever_the_size() -> None:
    for name in ("permutations", "zoo", "composition"):
        assert list(islice(load(name, size=3, seed=7), 3)) == list(islice(load(name, size=9, seed=7), 3))
        assert list(load(name, size=3, seed=7)) != list(load(name, size=3, seed=8))


def test_programs_stay_the_same_from_version_to_version() -> None:
    text = "".join(c.context for name in ("permutations", "zoo", "composition") for c in load(name, size=3))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "5bb90e1e4154e44e"


def test_expected_values_can_be_left_out() -> None:
    assert {case.expected for case in load("zoo", size=1, expected=False)} == {None}


def test_generators_are_found_by_their_files() -> None:
    assert {"permutations", "zoo", "composition"} <= set(names())


def test_a_pool_of_names_composes_those_alone() -> None:
    cases = load("composition", size=20, pool="add_suffix, rotate_str")
    assert {name for case in cases for name in called_functions(case.source)} == {"add_suffix", "rotate_str"}


def test_a_pool_with_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="not 'nothing'"):
        next(load("composition", pool="add_suffix,nothing"))


@pytest.mark.medium
def test_the_atomic_test_has_every_function_as_often_and_the_paper_has_15_of_them() -> None:
    cases = list(load("atomic", size=3))
    assert Counter(case.kind for case in cases) == dict.fromkeys(pool_functions("all"), 3)
    assert len(pool_functions("all")) == 25 and len(pool_functions("paper")) == 15
    for case in cases:
        assert called_functions(case.source) == [case.kind]
        assert run_call(case.source, case.call).value == case.expected
