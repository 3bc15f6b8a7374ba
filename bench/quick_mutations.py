"""Mutates drawn lines of modules, and counts the mutations that the quick tests of these modules find.

    python bench/quick_mutations.py --seed 0                     with the tests of the working tree
    python bench/quick_mutations.py --seed 0 --tests REVISION    with the tests of another revision, same mutations

A mutation negates a condition, swaps an operator, changes a constant, or returns None. It is found if a test of the
file that stands with its module in `PAIRS` fails, or exceeds the time limit, with `-m "not slow and not exhaustive"`.
"""

from __future__ import annotations

import argparse
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

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab", "tests", "pyproject.toml")
SECONDS = 240
# Tests that draw samples in `make test`, and the modules that they test. Not the sandbox: hostile programs would run in
# one with a hole.
PAIRS = {
    "tests/analyze/operations/test_operations.py": "analyze/operations/*.py",
    "tests/rewrite/string_methods/test_expansion.py": "rewrite/string_methods/*.py",
    "tests/rewrite/string_methods/test_inline.py": "rewrite/string_methods/inline.py",
    "tests/rewrite/string_methods/test_references.py": "rewrite/string_methods/[!a]*ing.py",
    "tests/rewrite/interventions/test_item_loops.py": "rewrite/interventions/item_loop*.py",
    "tests/rewrite/passes/test_shortening.py": "rewrite/passes/shortening/*.py",
    "tests/rewrite/planner/test_plan.py": "rewrite/planner/*.py",
    "tests/rewrite/equivalence/test_check.py": "rewrite/equivalence/*.py",
    "tests/rewrite/testing/test_intervention_check.py": "rewrite/testing/*.py",
    "tests/corpora/test_json_documents.py": "corpora/reading/json_documents.py",
    "tests/rewrite/analysis/test_scopes.py": "rewrite/analysis/s*.py",
    "tests/rewrite/test_options.py": "rewrite/anf/*.py",
    "tests/rewrite/test_hard_programs.py": "rewrite/anf/*.py",
    "tests/runner/records/test_damaged_runs.py": "runner/records/*.py",
    "tests/runner/asking/test_ask.py": "runner/asking/*.py",
}
SWAPS: dict[type[ast.AST], Callable[[], Any]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add,
}  # fmt: skip


def main() -> None:
    """Print each mutation with its result, and the number found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--each", type=int, default=4, help="mutations for each test file (default: 4)")
    parser.add_argument("--tests", metavar="REVISION", help="take the tests from this revision")
    arguments = parser.parse_args()
    found = total = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        copy_tree(place, arguments.tests)
        for test, modules in PAIRS.items():
            assert (place / test).is_file(), f"{test} is missing: every mutation would count as found"
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
    """Whether the quick tests of a file fail with a mutated module, which is restored."""
    before = path.read_text(encoding="utf-8")
    path.write_text(mutated, encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not exhaustive"]
    try:
        command = [sys.executable, "-m", "pytest", *options, test]
        return subprocess.run(command, cwd=place, capture_output=True, timeout=SECONDS, check=False).returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(before, encoding="utf-8")


if __name__ == "__main__":
    main()
