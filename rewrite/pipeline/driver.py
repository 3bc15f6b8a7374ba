"""One rewrite of one text, with what is known beforehand: parse, look at scopes, rewrite scope by scope, print.

What calls show, and what a rewrite may cost, is decided by whoever asks (`rewrite.rewriting`, `rewrite.planner`).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import libcst as cst

from corpora.errors import InputError
from rewrite.anf.argument_types import Observed
from rewrite.anf.report import Report
from rewrite.baselines import paper
from rewrite.baselines.placebo import PLACEBO, SUBSTITUTES, rename
from rewrite.evidence.given import Given
from rewrite.pipeline import recipes
from rewrite.pipeline.attempts import Attempt, rewrite_until_it_compiles
from rewrite.pipeline.compile_check import refusal
from rewrite.pipeline.restore_form_feeds import restore_form_feeds
from rewrite.result import Change, Left, Rewritten
from rewrite.syntax.form_feeds import without_form_feeds
from rewrite.syntax.long_lines import fold, limit_of
from rewrite.syntax.nesting_depth import too_deep
from rewrite.syntax.spelling import as_read


def rewrite_once(
    source: str,
    recipe: str,
    given: Given,
    *,
    filename: str = "",
    observed: Observed | None = None,
    options: Mapping[str, object],
) -> Rewritten:
    """One rewrite, with what is known beforehand; nothing of the program is run."""
    plain, feeds = without_form_feeds(source)
    module = parse(plain, filename)
    if recipe == PLACEBO:
        return rename(source, module, list(given.calls), options.get(SUBSTITUTES))  # type: ignore[arg-type]
    if recipe == paper.NAME:
        return paper.rewrite_like_paper(source, **options)  # type: ignore[arg-type]
    try:
        with _deep_recursion():
            made = partial(recipes.make, recipe, options)
            result = _result(plain, rewrite_until_it_compiles(module, made, plain, observed, given))
    except RecursionError:
        raise InputError("expressions nested too deeply", where=filename or "<source>") from None
    if not feeds:
        return result
    fed = restore_form_feeds(result, source, feeds)
    return fed if refusal(source, fed.source) is None else result  # the same program without them


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for what `syntax.nesting_depth` lets pass: adjacent strings and `elif`, which LibCST nests in each other."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 12_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def parse(source: str, filename: str = "") -> cst.Module:
    """The tree of a module; InputError names file, line and column (from 1) of what does not parse.

    And file and line of what nests so deep that LibCST would take the process with it (`rewrite.syntax.nesting_depth`).
    """
    deep = too_deep(source)
    try:
        if deep is None:
            with _deep_recursion():
                return as_read(cst.parse_module(source), source)
        message, line, column = f"nested too deeply: {deep[1]}", deep[0], 1
    except RecursionError:
        raise InputError("expressions nested too deeply", where=filename or "<source>") from None
    except cst.ParserSyntaxError as error:
        message, line, column = error.message, error.raw_line, error.raw_column + 1
    try:
        ast.parse(source)
    except SyntaxError as error:  # Python's own parser says better what is wrong
        message, line, column = error.msg, error.lineno or line, error.offset or column
    except (ValueError, RecursionError, MemoryError):  # null bytes, or too deep for that one, too
        pass
    raise InputError(message, where=f"{filename or '<source>'}:{line}:{column}")


def rewrite_module(module: cst.Module, recipe: Callable[[], recipes.Recipe]) -> tuple[cst.Module, Report]:
    """Rewrite a tree; gives the new one (the same, if nothing changed) and what was done and left.

    recipe: makes the interventions, anew for each attempt (`rewrite.pipeline.attempts`).
    """
    attempt = rewrite_until_it_compiles(module, recipe, module.code)
    return attempt.new.module, attempt.report


def _result(source: str, attempt: Attempt) -> Rewritten:
    old, new, report = attempt.old, attempt.new, attempt.report
    # Where an operation is written twice, under a guard and in its else branch, the original counts.
    applied = [(name, node) for name, node in report.applied if id(node) in old.index]
    left = [(node, reason) for node, reason in report.left.values() if id(node) in old.index]
    text, lines = fold(new.text, limit_of(source)) or (new.text, range(len(attempt.positions)))
    return Rewritten(
        source=text,
        changed=text != source,
        spans=tuple(old.span(node) or (0, 0) for _, node in applied),
        assumes=attempt.shown.assumptions() if attempt.shown is not None else (),
        changes=tuple(Change(name, *old.place(node), old.shown(node)) for name, node in applied),
        left=tuple(sorted(Left(old.line(node), reason) for node, reason in left)),
        positions=tuple(attempt.positions[line] for line in lines if line < len(attempt.positions)),
    )
