"""Rewriting, compared with what it cannot do without: LibCST parses, visits and prints the same programs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import libcst
from measured_row import Row, compare

from corpora.benchmarks import humaneval
from rewrite import rewrite_source

PROGRAMS = 40
RECIPES = ("expressions", "decompose", "methods")


def rows() -> Iterator[Row]:
    """Yield a row for each recipe."""
    sources = list(map(humaneval.program, islice(humaneval.problems(), PROGRAMS)))

    def floor() -> None:
        for source in sources:
            _ = libcst.parse_module(source).visit(libcst.CSTTransformer()).code

    for recipe in RECIPES:
        yield compare(
            f"rewrite, {recipe}", partial(_rewrite, sources, recipe), "LibCST: parse, visit, print", floor, None, 3
        )
    yield compare(
        "LibCST: parse, visit, print", floor, "ast.parse", lambda: [ast.parse(source) for source in sources], None, 3
    )


def _rewrite(sources: Sequence[str], recipe: str) -> None:
    for source in sources:
        rewrite_source(source, recipe)
