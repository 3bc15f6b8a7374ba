"""One rewrite of one source: parse, analyze scopes, lower scope by scope, print.

The caller decides what to assume from calls and what the rewrite may cost (`rewrite.rewriting`, `rewrite.planner`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import libcst as cst

from corpora.errors import InputError
from rewrite.anf.argument_types import Observed
from rewrite.anf.report import LoweringReport
from rewrite.anf.result import ExpressionChange, Rewritten, SkippedExpression
from rewrite.baselines import PLACEBO, SUBSTITUTES, paper
from rewrite.baselines.placebo import rename
from rewrite.evidence.context import RewriteContext
from rewrite.pipeline import recipes
from rewrite.pipeline.attempts import RewriteAttempt, rewrite_until_compiles
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.pipeline.registration import external_recipe
from rewrite.pipeline.restore_form_feeds import restore_form_feeds
from rewrite.pipeline.source_rewrites import UNSTABLE, rewrite_by
from rewrite.syntax.form_feeds import remove_form_feeds
from rewrite.syntax.long_lines import fold_long_lines, line_limit
from rewrite.syntax.parsing import deep_recursion, parse
from rewrite.syntax.source_map import PrintedModule


def rewrite_once(
    source: str,
    recipe: str,
    context: RewriteContext,
    *,
    filename: str = "",
    observed: Observed | None = None,
    options: Mapping[str, object],
) -> Rewritten:
    """Rewrite a source once, without running the program.

    Args:
        source: the program.
        recipe: the name of a recipe or intervention.
        context: evidence, mode for unproven types and excluded sites.
        filename: the name of the file in error messages.
        observed: argument types by function and parameter.
        options: options of the interventions.

    Raises:
        InputError: if the source does not parse or nests too deeply, or for an unknown recipe or option.
    """
    plain, feeds = remove_form_feeds(source)
    module = parse(plain, filename)
    if recipe == PLACEBO:
        return rename(source, module, list(context.calls), options.get(SUBSTITUTES))  # type: ignore[arg-type]
    if recipe == paper.NAME:
        return paper.rewrite_like_paper(source, **options)  # type: ignore[arg-type]
    outside = external_recipe(recipe)
    if outside is not None and outside.rewrite is not None:
        return rewrite_by(outside.rewrite, source)
    try:
        with deep_recursion():
            made = partial(recipes.build_recipe, recipe, options)
            result = _result(plain, rewrite_until_compiles(module, made, plain, observed, context))
            if outside is not None and result.changed and not _is_stable(result.source, made):
                result = _result(plain, RewriteAttempt(PrintedModule(module), PrintedModule(module), LoweringReport()))
                return replace(result, left=(SkippedExpression(1, UNSTABLE),))
    except RecursionError:
        raise InputError("expressions nested too deeply", where=filename or "<source>") from None
    if not feeds:
        return result
    fed = restore_form_feeds(result, source, feeds)
    if find_compile_failure(source, fed.source) is None:
        return fed
    return result  # without form feeds it is the same program


def _is_stable(source: str, recipe: Callable[[], recipes.Recipe]) -> bool:
    """Whether a second rewrite, without what calls show, changes nothing."""
    module = parse(source)
    return rewrite_module(module, recipe)[0] is module


def rewrite_module(module: cst.Module, recipe: Callable[[], recipes.Recipe]) -> tuple[cst.Module, LoweringReport]:
    """Rewrite a tree.

    Args:
        module: the tree.
        recipe: creates the interventions, anew for each attempt (`rewrite.pipeline.attempts`).

    Returns:
        The new tree (the same object if nothing changed), and the report.
    """
    attempt = rewrite_until_compiles(module, recipe, module.code)
    return attempt.new.module, attempt.report


def _result(source: str, attempt: RewriteAttempt) -> Rewritten:
    old, new, report = attempt.old, attempt.new, attempt.report
    # An operation may be written twice, under a guard and in its else branch; it counts once, by its original.
    applied = [(name, node) for name, node in report.applied if id(node) in old.token_index]
    left = [(node, reason) for node, reason in report.left.values() if id(node) in old.token_index]
    text, lines = fold_long_lines(new.text, line_limit(source)) or (new.text, range(len(attempt.positions)))
    return Rewritten(
        source=text,
        changed=text != source,
        spans=tuple(old.span_of(node) or (0, 0) for _, node in applied),
        assumes=attempt.observed_facts.assumptions() if attempt.observed_facts is not None else (),
        changes=tuple(ExpressionChange(name, *old.position_of(node), old.source_of(node)) for name, node in applied),
        left=tuple(sorted(SkippedExpression(old.line_of(node), reason) for node, reason in left)),
        positions=tuple(attempt.positions[line] for line in lines if line < len(attempt.positions)),
    )
