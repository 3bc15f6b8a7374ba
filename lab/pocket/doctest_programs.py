"""Builds a file of real functions with the calls of their doctests: `python -m lab.pocket.doctest_programs CLONE FILE`.

CLONE is a clone of a repository of Python programs, such as TheAlgorithms/Python (MIT). Each function with doctests
becomes a program with the functions, imports and constants of its file that it needs, without docstrings and
annotations. Calls with arguments that are no literals are left out. Nothing of the clone is run.
"""

from __future__ import annotations

import ast
import doctest
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lab.pocket.real_programs import RealProgram

_MAX_CHARACTERS = 4000


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the file."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if len(given) != 2 or not Path(given[0]).is_dir():
        sys.stderr.write("usage: python -m lab.pocket.doctest_programs CLONE FILE.jsonl.gz\n")
        return 2
    count = 0
    with gzip.open(given[1], "wt", encoding="utf-8") as file:
        for path in sorted(Path(given[0]).rglob("*.py")):
            for program in programs_in(path.read_text(encoding="utf-8", errors="replace"), f"doctest_{count}"):
                where = str(path.relative_to(given[0]))
                row = {"id": f"doctest_{count}", "code": program.code, "calls": list(program.calls), "file": where}
                file.write(json.dumps(row) + "\n")
                count += 1
    sys.stderr.write(f"{count} programs\n")
    return 0


def programs_in(source: str, name: str) -> Iterator[RealProgram]:
    """The programs of one file; none if it does not parse. `name`: their id."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return
    calls = {node.name: _calls(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    _Plain().visit(tree)
    definitions = dict(_definitions(tree))
    for function, found in calls.items():
        needed = _needed(function, definitions)
        nodes = [node for node in tree.body if any(definitions.get(one) is node for one in needed)]
        code = ast.unparse(ast.Module(nodes, []))
        if found and len(code) <= _MAX_CHARACTERS:
            yield RealProgram(name, code, tuple(found))


def _calls(function: ast.FunctionDef) -> list[str]:
    """The calls of the function in its doctests whose arguments are literals, each once."""
    try:
        examples = doctest.DocTestParser().get_examples(ast.get_docstring(function) or "")
    except ValueError:  # a doctest with inconsistent indentation
        return []
    return list(dict.fromkeys(call for example in examples if (call := _call(example.source, function.name))))


def _call(source: str, name: str) -> str:
    try:
        node = ast.parse(source.strip(), mode="eval").body
        found = next(one for one in ast.walk(node) if isinstance(one, ast.Call) and _name(one.func) == name)
        for argument in (*found.args, *(keyword.value for keyword in found.keywords)):
            ast.literal_eval(argument)
    except (SyntaxError, ValueError, TypeError, StopIteration, MemoryError):
        return ""
    return ast.unparse(found)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Every name of the module with the statement that defines it."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from (((alias.asname or alias.name).partition(".")[0], node) for alias in node.names)
        elif isinstance(node, ast.Assign):
            yield from ((target.id, node) for target in node.targets if isinstance(target, ast.Name))


def _needed(name: str, definitions: dict[str, ast.stmt]) -> set[str]:
    """The name and all names of the module that its definition uses, directly or not."""
    needed, waiting = set[str](), [name]
    while waiting:
        one = waiting.pop()
        if one in definitions and one not in needed:
            needed.add(one)
            waiting += [node.id for node in ast.walk(definitions[one]) if isinstance(node, ast.Name)]
    return needed


class _Plain(ast.NodeTransformer):
    """Removes docstrings and annotations."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        return self._without_docstring(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> Any:
        return self._without_docstring(node)

    def visit_arg(self, node: ast.arg) -> Any:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None

    def _without_docstring(self, node: ast.FunctionDef | ast.ClassDef) -> ast.stmt:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        self.generic_visit(node)
        return node
