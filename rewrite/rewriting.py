"""`rewrite_source`: one rewrite (`rewrite.pipeline.driver`), with calls as evidence and a limit on its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from corpora.errors import InputError
from rewrite.anf.rewrite_options import OPTION_NAMES, reject_unknown_options
from rewrite.anf.rewrite_result import Rewritten, SkippedExpression
from rewrite.evidence.context import RewriteContext, check_source, read_calls, read_cost, read_mode
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.pipeline.driver import rewrite_once
from rewrite.pipeline.recipe import Recipe
from rewrite.pipeline.recipes import find_recipe
from rewrite.pipeline.registration import RecipeLike, recipe_name
from rewrite.syntax.form_feeds import remove_form_feeds
from rewrite.syntax.source_map import SourcePosition


def rewrite_source(
    source: str,
    recipe: RecipeLike = "decompose",
    *,
    filename: str = "",
    calls: str | Iterable[str] | None = None,
    unproven: str | None = None,
    cost: float | str | None = "usual",
    **options: object,
) -> Rewritten:
    """Rewrite a program so that hidden values become visible, without changing what it does.

    Args:
        source: the program.
        recipe: `decompose` (nested expressions and the paper's string operations), another recipe, or the name of a
            single intervention. `paper` is the paper's own tool, whose result may be a different program; one that
            does something else under a call is dropped. `planned`
            needs calls (`rewrite.planner`). An intervention of your own, a LibCST codemod, a function from source to
            source, or a list of interventions is used directly (`rewrite.pipeline.registration`).
        filename: the name of the file in error messages.
        calls: Python expressions that call the program. They run once, in the sandbox, to show what the source does not
            prove. A change that behaves differently under one of them is dropped and appears in `left`.
        unproven: what to do with unproven types: "assume" what every call showed (default with calls), "guard" with a
            type test (default without), or "leave" the expression alone.
        cost: limit for the longest trace of the calls, as a multiple of the original's trace tokens. "usual": 4.0 for
            `decompose`, `expressions`, `letters` and `strings`, no limit for others; None: no limit (default: "usual").
        **options: options of the interventions, such as `threshold=2` (`rewrite.anf.rewrite_options`).

    Returns:
        The rewritten program. `assumes` lists the facts that it assumes, `unobserved` the calls that were not compared,
        such as nondeterministic ones.

    Raises:
        InputError: with line and column if the source does not parse; for a source that is not a string; for an unknown
            recipe or option; for an invalid call.

    Example:
        >>> print(rewrite_source("def f(a, b):\\n    return (a + b) * 2\\n").source, end="")
        def f(a, b):
            _t0 = a + b
            return _t0 * 2
    """
    reject_unknown_options(options, OPTION_NAMES, rewrite_source.__kwdefaults__)
    found = find_recipe(recipe_name(recipe))
    check_source(source)
    if found.is_planned:
        return _planned(source, calls or (), options, found)
    rewrite = partial(rewrite_once, source, found.name, filename=filename, options=options)
    return rewrite_with(rewrite, source, found, calls or (), unproven, cost, options)


def _planned(source: str, calls: str | Iterable[str], options: Mapping[str, object], recipe: Recipe) -> Rewritten:
    if options:
        raise InputError(f"the recipe {recipe.name} takes no option, such as {next(iter(options))}")
    from rewrite.planner.planning import plan_rewrite  # takes a quarter of a second, which only this recipe needs

    return plan_rewrite(source, calls, failed=recipe.assumes_failure).rewritten(source)


def rewrite_with(
    rewrite: Callable[[RewriteContext], Rewritten],
    source: str,
    recipe: Recipe,
    calls: str | Iterable[str],
    unproven: str | None,
    cost: float | str | None,
    options: Mapping[str, object],
) -> Rewritten:
    """Do what `rewrite_source` does with calls, or without any, through a given function for the rewrite itself.

    Args:
        rewrite: rewrites the program once in a given context.
        source: the program.
        recipe: the recipe.
        calls: see `rewrite_source`.
        unproven: see `rewrite_source`.
        cost: see `rewrite_source`.
        options: see `rewrite_source`.
    """
    taken = read_calls(source, calls)
    mode, limit = read_mode(unproven, taken), read_cost(cost, recipe.usual_limit)
    unchanged = Rewritten(
        source, False, positions=tuple(SourcePosition(n + 1, 1) for n in range(source.count("\n") + 1))
    )
    recipe.check_options(options)  # report errors before anything runs
    if recipe.is_whole:
        from rewrite.cost.call_agreement import check_calls  # needs the sandbox

        return check_compiled(check_calls(rewrite(RewriteContext(mode, calls=taken)), unchanged, taken), unchanged)
    if not taken:
        return rewrite(RewriteContext(mode))
    from rewrite.cost.call_agreement import confirm_unobserved
    from rewrite.cost.cost_limit import rewrite_with_calls  # needs the passes, which take a tenth of a second to import

    shared = recipe.shares_temporaries(options)
    plain, _ = remove_form_feeds(source)
    made = rewrite_with_calls(plain, taken, rewrite, unproven=mode, cost=limit, shared=shared, unchanged=unchanged)
    return confirm_unobserved(check_compiled(made, unchanged), unchanged, taken)


def check_compiled(made: Rewritten, unchanged: Rewritten) -> Rewritten:
    """Return the rewrite, or the original with the reason if the rewrite does not compile as far as the original does.

    Selecting the cheapest form changes the source after `rewrite.pipeline.attempts` has compiled it.
    """
    found = find_compile_failure(unchanged.source, made.source) if made.changed else None
    return made if found is None else replace(unchanged, left=(SkippedExpression(1, found.reason),))
