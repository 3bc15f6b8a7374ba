"""Only the catalogue lists operations of the language: a scan for literal tables of their names elsewhere.

A table is a set, list, tuple or dict (its keys or values, also within an inner set, list or tuple), an alternative of
patterns or of classes, or a string that is split, with at least three names of methods, builtin functions or operators.
Operators are classes of `ast` or LibCST. Names of types do not count, since most tables of types are about values.
"""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import libcst as cst
import pytest

from analyze.operations.catalogue import called, operators
from tests.places import ROOT

PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout")
FEWEST = 3
TYPES = {name for name, value in vars(builtins).items() if isinstance(value, type)}
NAMES = called(lambda one: True) - TYPES - {"index", "count", "step", "values", "items", "keys", "format", "copy"}
OPERATORS = {
    "ast": operators(),
    "cst": {
        name
        for name, value in vars(cst).items()
        if isinstance(value, type)
        and issubclass(value, cst.BaseBinaryOp | cst.BaseUnaryOp | cst.BaseBooleanOp | cst.BaseCompOp | cst.BaseAugOp)
        and not name.startswith("Base")
    },
}
# Tables that may stay, each with the reason.
EXCEPTIONS = {
    "analyze/risk/operations.py": "the calls that the published weights were fitted on are part of the fitted model",
    "corpora/calls.py": "`corpora` is below the catalogue; names that define names, builtins or not",
    "corpora/library_modification.py": "`corpora` is below the catalogue; names that reach a module",
    "rewrite/testing/mutation.py": "the few operators that a random change of a program inserts",
    "rewrite/baselines/paper.py": "the paper's own list of operations, with its loops",
    "rewrite/string_methods/reference.py": "the operations with a reference implementation, as its page names them",
    "analyze/operations/constant_folding.py": "the function that computes each operator",
    "rewrite/planner/siblings.py": "the operators that are written in one chain",
    "rewrite/equivalence/comparison_solving.py": "the function that inverts each function, as a guess",
    "rewrite/equivalence/inferred_annotations.py": "the stems of special methods",
    "rewrite/equivalence/argument_strategies.py": "names of random edits of a list",
    "rewrite/equivalence/input_hints.py": "the methods whose argument is tried as the receiver",
    "rewrite/analysis/reflection.py": "names of several modules that look something up by a string",
    "rewrite/anf/applied_functions.py": "the functions that have another form",
    "rewrite/anf/generator_items.py": "the functions for which this rewrite is proven",
    "rewrite/interventions/character_list.py": "the functions for which this rewrite is proven",
    "rewrite/interventions/consumed_generator.py": "the functions for which this rewrite is proven",
    "rewrite/interventions/item_loop_table.py": "the operations for which this rewrite is proven, with their loops",
    "rewrite/string_methods/character_lists.py": "the functions for which this rewrite is proven",
    "analyze/risk/features.py": "the names of features",
    "runner/reports/debugger/shell.py": "the commands of the debugger",
}


def names_in(node: ast.AST) -> Iterator[str]:
    """The names of operations that the parts of a display or pattern are."""
    match node:
        case ast.Set(elts=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from names_in(part.value if isinstance(part, ast.Starred) else part)
                yield from name_of(part)
        case ast.Dict(keys=keys, values=values):
            yield from (name for part in (*keys, *values) if part for name in name_of(part))
            for key, value in zip(keys, values, strict=True):
                if key is None and isinstance(value, ast.Call):  # `**dict.fromkeys((…), …)`
                    yield from (name for part in value.args for name in names_in(part))
        case ast.MatchOr(patterns=patterns):
            for pattern in patterns:
                if isinstance(pattern, ast.MatchValue | ast.MatchClass):
                    yield from name_of(pattern.value if isinstance(pattern, ast.MatchValue) else pattern.cls)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            yield from (name for part in (left, right) for name in (*names_in(part), *name_of(part)))
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(text)), attr="split")):
            yield from (word for word in text.split() if word in NAMES)


def name_of(part: ast.expr) -> Iterator[str]:
    match part:
        case ast.Constant(value=str(name)) if name in NAMES:
            yield name
        case ast.Attribute(value=ast.Name(id=module), attr=name) if name in OPERATORS.get(module, ()):
            yield name


def tables(path: Path) -> list[tuple[int, list[str]]]:
    """Line and names of each table of a file."""
    found = ((node, {*names_in(node)}) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    return [(getattr(node, "lineno", 0), sorted(names)) for node, names in found if len(names) >= FEWEST]


def sources() -> list[Path]:
    paths = (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))
    return [path for path in paths if "operations" not in path.relative_to(ROOT).parent.parts]


@pytest.mark.medium
def test_no_table_of_operations_outside_the_catalogue() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{line}": names
        for path in sources()
        if str(path.relative_to(ROOT)) not in EXCEPTIONS
        for line, names in tables(path)
    }
    assert found == {}


@pytest.mark.parametrize("path", EXCEPTIONS)
def test_an_exception_is_needed(path: str) -> None:
    assert tables(ROOT / path)


def test_the_scan_finds_tables_of_every_form(tmp_path: Path) -> None:
    file = tmp_path / "tables.py"
    file.write_text(
        "A = {'find', 'rfind', 'upper'}\n"
        "B = {**dict.fromkeys(('sorted', 'len', 'max'), 1)}\n"
        "C = (ast.Add, ast.Sub, ast.Mult)\n"
        "D = {*('find', 'split', 'rsplit')}\n"
        "E = 'strip lstrip rstrip'.split()\n"
        "match name:\n    case 'center' | 'ljust' | 'zfill': pass\n"
        "F = ('int', 'str', 'list')\n"
        "G = ({ast.Add, ast.Sub}, {ast.Mult})\n"
        "H = {cst.AddAssign: cst.Add, cst.SubtractAssign: cst.Subtract}\n"
        "I = ast.BitAnd | ast.BitOr | ast.BitXor\n"
        "match node:\n    case cst.Add() | cst.Subtract() | cst.Multiply(): pass\n"
    )
    assert {line for line, _ in tables(file)} == {1, 2, 3, 4, 5, 7, 9, 10, 11, 13}
