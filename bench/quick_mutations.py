"""Mutates drawn lines of modules, and counts the mutations that the quick tests of these modules find.

    python bench/quick_mutations.py --seed 0                     with the tests of the working tree
    python bench/quick_mutations.py --seed 0 --tests REVISION    with the tests of another revision, same mutations

A mutation negates a condition, swaps an operator, changes a constant, or returns None. It is found if a test of the
folder that stands with its modules in `PAIRS` fails, or exceeds the time limit, of those that `make test` selects.
"""

from __future__ import annotations

import ast
import io
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from harness import command

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab", "tests", "pyproject.toml")
SELECTED = "not medium and not slow and not exhaustive"
SECONDS = 600
# Folders of tests, and the modules that they test. Not the sandbox: hostile programs would run in one with a hole.
PAIRS = {
    "tests/analyze/diagnosis": "analyze/diagnosis/*.py",
    "tests/analyze/operations": "analyze/operations/*.py",
    "tests/analyze/risk": "analyze/risk/*.py",
    "tests/rewrite/analysis": "rewrite/analysis/*.py",
    "tests/rewrite/anf": "rewrite/anf/*.py",
    "tests/rewrite/equivalence": "rewrite/equivalence/*.py",
    "tests/rewrite/interventions": "rewrite/interventions/*.py",
    "tests/rewrite/passes": "rewrite/passes/*/*.py",
    "tests/rewrite/planner": "rewrite/planner/*.py",
    "tests/rewrite/string_methods": "rewrite/string_methods/*.py",
    "tests/rewrite/syntax": "rewrite/syntax/*.py",
    "tests/rewrite/testing": "rewrite/testing/*.py",
    "tests/runner/asking": "runner/asking/*.py",
    "tests/runner/records": "runner/records/*.py",
    "tests/runner/statistics": "runner/statistics/*.py",
}
SWAPS: dict[type[ast.AST], Callable[[], Any]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


def main() -> None:
    """Print each mutation with its result, and the number found."""
    parser = command(__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=2, help="mutations for each folder of tests (default: 2)")
    parser.add_argument("--tests", metavar="REVISION", help="take the tests from this revision")
    arguments = parser.parse_args()
    found = total = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        copy_tree(place, arguments.tests)
        for test, modules in PAIRS.items():
            assert (place / test).is_dir(), f"{test} is missing: every mutation would count as found"
            rng = random.Random(f"{arguments.seed} {test}")
            for _ in range(arguments.each):
                path, line, mutated = draw(sorted(place.glob(modules)), rng)
                is_found = try_mutation(place, path, mutated, test)
                found, total = found + is_found, total + 1
                where = f"{path.relative_to(place)}:{line}"
                print("found " if is_found else "missed", where, test, flush=True)
    print(f"{found} of {total} mutations found")


def copy_tree(place: Path, revision: str | None) -> None:
    for name in PACKAGES:
        whole = ROOT / name
        if whole.is_dir():
            shutil.copytree(whole, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(whole, place / name)
    if revision:
        shutil.rmtree(place / "tests")
        archive = subprocess.run(["git", "archive", revision, "tests"], cwd=ROOT, capture_output=True, check=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            files.extractall(place, filter="data")


def draw(paths: list[Path], rng: random.Random) -> tuple[Path, int, str]:
    """A module, the line that is mutated, and the mutated source."""
    while True:
        path = rng.choice(paths)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        choices = list(mutations(tree))
        if choices:
            line, mutate = rng.choice(choices)
            mutate()
            return path, line, ast.unparse(tree)


def mutations(tree: ast.Module) -> Iterator[tuple[int, Callable[[], None]]]:
    """Line and action of each mutation of a module, which changes the tree."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            match node:
                case ast.If() | ast.IfExp() | ast.While():
                    yield node.lineno, partial(setattr, node, "test", ast.UnaryOp(ast.Not(), node.test))
                case ast.Compare(ops=[operator]) if type(operator) in SWAPS:
                    yield node.lineno, partial(setattr, node, "ops", [SWAPS[type(operator)]()])
                case ast.BoolOp() | ast.BinOp() if type(node.op) in SWAPS:
                    yield node.lineno, partial(setattr, node, "op", SWAPS[type(node.op)]())
                case ast.Constant(value=int()) if type(node.value) is int:
                    yield node.lineno, partial(setattr, node, "value", node.value + 1)
                case ast.Return(value=ast.expr()):
                    yield node.lineno, partial(setattr, node, "value", ast.Constant(None))


def try_mutation(place: Path, path: Path, mutated: str, test: str) -> bool:
    """Whether the quick tests of a folder fail with a mutated module, which is restored."""
    before = path.read_text(encoding="utf-8")
    path.write_text(mutated, encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "-m", SELECTED]
    try:
        command = [sys.executable, "-m", "pytest", *options, test]
        done = subprocess.run(command, cwd=place, capture_output=True, timeout=SECONDS, check=False)
        assert done.returncode != pytest.ExitCode.NO_TESTS_COLLECTED, f"{test} has no quick tests"
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")


if __name__ == "__main__":
    main()
