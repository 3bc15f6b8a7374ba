"""From source to source: parse, look at scopes, rewrite scope by scope, print, and say what was done."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import libcst as cst

from corpora.errors import InputError
from rewrite import recipe as recipes
from rewrite.collector import collect
from rewrite.definitions import Definitions
from rewrite.intervention import Change, Left, Position, Rewritten
from rewrite.names import Names
from rewrite.observed import Observed
from rewrite.positions import Printed, origins
from rewrite.report import Report
from rewrite.spelling import as_read
from rewrite.tree import code, one_line


def rewrite_source(
    source: str, recipe: str = "decompose", *, filename: str = "", observed: Observed | None = None, **options: object
) -> Rewritten:
    """The program with hidden values spelled out, and the same program otherwise.

    recipe: `decompose` (nested expressions and the paper's string operations), `expressions`, `strings`, another recipe
    or the name of a single intervention. observed: argument types seen in the calls of a benchmark, by function and
    parameter (`rewrite.observed.observed_types`); calls with other types still do the same. options: those of the
    interventions, such as `threshold=2`. Raises InputError, with line and column, for source that does not parse, and
    for a recipe or option that there is not.

    >>> print(rewrite_source("def f(a, b):\\n    return (a + b) * 2\\n").source, end="")
    def f(a, b):
        _t0 = a + b
        return _t0 * 2
    """
    chosen = recipes.make(recipe, options)
    module = parse(source, filename)
    try:
        with _deep_recursion():
            new, report = rewrite_module(module, chosen, source, observed)
            return _result(source, module, new, report)
    except RecursionError:
        raise InputError("expressions nested too deeply", where=filename or "<source>") from None


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for tables written as hundreds of adjacent strings, which LibCST nests one in the other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 5000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def parse(source: str, filename: str = "") -> cst.Module:
    """The tree of a module; InputError names file, line and column (from 1) of what does not parse."""
    try:
        return as_read(cst.parse_module(source), source)
    except cst.ParserSyntaxError as error:
        message, line, column = error.message, error.raw_line, error.raw_column + 1
    try:
        ast.parse(source)
    except SyntaxError as error:  # Python's own parser says better what is wrong
        message, line, column = error.msg, error.lineno or line, error.offset or column
    raise InputError(message, where=f"{filename or '<source>'}:{line}:{column}")


def rewrite_module(
    module: cst.Module,
    recipe: recipes.Recipe,
    source: str | None = None,
    observed: Observed | None = None,
) -> tuple[cst.Module, Report]:
    """Rewrite a tree; gives the new one (the same, if nothing changed) and what was done and left."""
    text = module.code if source is None else source
    names = Names(text, readable=recipe.options.names == "readable")
    definitions = Definitions(recipe.interventions, collect(module), names, observed, release=recipe.options.release)
    body = definitions.module(module)
    same = len(body) == len(module.body) and all(a is b for a, b in zip(body, module.body, strict=True))
    return module if same else module.with_changes(body=body), definitions.report


def _result(source: str, module: cst.Module, new: cst.Module, report: Report) -> Rewritten:
    old = Printed(module)
    printed = old if new is module else Printed(new)
    places: dict[int, Position] = {}
    made = {}
    for key, (_, node) in report.origins.items():
        if id(node) in old.index:
            if id(node) not in places:
                places[id(node)] = old.place(node)
            made[key] = places[id(node)]
    exact = {key: old.place(node) for key, node in report.steps.items() if id(node) in old.index}
    # Where an operation is written twice, under a guard and in its else branch, the original counts.
    applied = [(name, node) for name, node in report.applied if id(node) in old.index]
    left = [(node, reason) for node, reason in report.left.values() if id(node) in old.index]
    return Rewritten(
        source=printed.text,
        changed=printed.text != source,
        changes=tuple(Change(name, *old.place(node), code(one_line(node))) for name, node in applied),
        left=tuple(sorted(Left(old.line(node), reason) for node, reason in left)),
        positions=origins(old, printed, made, exact),
    )
