"""Recipes that are lists of interventions: they are prepared for a program, and its scopes are lowered one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import libcst as cst

from corpora.errors import InputError
from rewrite.anf.intervention import BaseIntervention, Intervention, StatementIntervention
from rewrite.anf.lowering_report import LoweringReport
from rewrite.anf.rewrite_options import COMMON_OPTIONS
from rewrite.anf.rewrite_result import ExpressionChange, Rewritten, SkippedExpression
from rewrite.pipeline.attempts import RewriteAttempt, rewrite_until_compiles
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.pipeline.recipe import PreparedInterventions, Recipe, RewriteTask
from rewrite.pipeline.restore_form_feeds import restore_form_feeds
from rewrite.pipeline.source_rewrites import UNSTABLE
from rewrite.syntax.long_lines import fold_long_lines, line_limit
from rewrite.syntax.parsing import deep_recursion, parse
from rewrite.syntax.source_map import PrintedModule


@dataclass(frozen=True)
class InterventionRecipe(Recipe):
    """An ordered list of interventions.

    Attributes:
        name: its name.
        interventions: in the order in which they are asked.
        usual_limit: see `Recipe` (default: none).
        is_planned: see `Recipe` (default: False).
        assumes_failure: see `Recipe` (default: False).
        is_local: see `Recipe` (default: False). The result of such a recipe must be stable: a second rewrite changes
            nothing.
    """

    name: str
    interventions: tuple[type[BaseIntervention], ...]
    usual_limit: float | None = None
    is_planned: bool = False
    assumes_failure: bool = False
    is_local: bool = False

    @property
    def takes(self) -> frozenset[str]:  # type: ignore[override]
        """The options that every intervention has, and those of its own."""
        return frozenset(COMMON_OPTIONS).union(*(one.takes for one in self.interventions))

    def prepared(self, options: Mapping[str, object] | None = None) -> PreparedInterventions:
        """Return new interventions for one program. Raises InputError for an option as `check_options` does."""
        checked = self.check_options(options or {})
        made = [intervention(checked) for intervention in self.interventions]
        expressions = tuple(one for one in made if isinstance(one, Intervention))
        return PreparedInterventions(
            expressions, checked, tuple(one for one in made if isinstance(one, StatementIntervention))
        )

    def shares_temporaries(self, options: Mapping[str, object]) -> bool:
        """See `Recipe`: not if temporaries have readable names, or are released."""
        return options.get("names", "short") == "short" and not options.get("release")

    def rewrite(self, task: RewriteTask) -> Rewritten:
        """See `Recipe`. The form feeds of the source are restored, unless the result does not compile with them."""
        made = partial(self.prepared, task.options)
        try:
            with deep_recursion():
                attempt = rewrite_until_compiles(task.module, made, task.plain, task.context)
                result = _result(task.plain, attempt)
                if self.is_local and result.changed and not _is_stable(result.source, made):
                    same = PrintedModule(task.module)
                    result = _result(task.plain, RewriteAttempt(same, same, LoweringReport()))
                    return replace(result, left=(SkippedExpression(1, UNSTABLE),))
        except RecursionError:
            raise InputError("expressions nested too deeply", where=task.filename or "<source>") from None
        if not task.form_feeds:
            return result
        fed = restore_form_feeds(result, task.source, task.form_feeds)
        return fed if find_compile_failure(task.source, fed.source) is None else result


def rewrite_module(
    module: cst.Module, prepared: Callable[[], PreparedInterventions]
) -> tuple[cst.Module, LoweringReport]:
    """Rewrite a tree.

    Args:
        module: the tree.
        prepared: creates the interventions, anew for each attempt (`rewrite.pipeline.attempts`).

    Returns:
        The new tree (the same object if nothing changed), and the report.
    """
    attempt = rewrite_until_compiles(module, prepared, module.code)
    return attempt.new.module, attempt.report


def _is_stable(source: str, prepared: Callable[[], PreparedInterventions]) -> bool:
    """Whether a second rewrite, without what calls show, changes nothing."""
    module = parse(source)
    return rewrite_module(module, prepared)[0] is module


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
        constructs=frozenset(report.constructs),
        changes=tuple(ExpressionChange(name, *old.position_of(node), old.source_of(node)) for name, node in applied),
        left=tuple(sorted(SkippedExpression(old.line_of(node), reason) for node, reason in left)),
        positions=tuple(attempt.positions[line] for line in lines if line < len(attempt.positions)),
    )
