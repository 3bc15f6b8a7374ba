"""`rewrite_source`: one rewrite (`rewrite.pipeline.driver`), with calls as evidence and a limit on its cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from corpora.errors import InputError
from rewrite.anf.argument_types import Observed
from rewrite.anf.options import OPTION_NAMES, refuse_unknown
from rewrite.baselines import paper
from rewrite.baselines.placebo import PLACEBO, SUBSTITUTES
from rewrite.cost.call_agreement import check_calls
from rewrite.cost.cost_limit import rewrite_with_calls
from rewrite.evidence.given import Given, read_calls, read_cost, read_mode
from rewrite.pipeline import recipes
from rewrite.pipeline.compile_check import refusal
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.planning import plan_rewrite
from rewrite.result import Left, Rewritten
from rewrite.syntax.form_feeds import without_form_feeds
from rewrite.syntax.source_map import Position


def rewrite_source(
    source: str,
    recipe: str = "decompose",
    *,
    filename: str = "",
    calls: str | Iterable[str] | None = None,
    unproven: str | None = None,
    cost: float | str | None = "usual",
    observed: Observed | None = None,
    **options: object,
) -> Rewritten:
    """The program with hidden values spelled out, and the same program otherwise.

    recipe: `decompose` (nested expressions and the paper's string operations), `expressions`, `strings`, another recipe
    or the name of a single intervention; what `paper` gives, the paper's own tool, may be another program, and
    `planned` needs calls (`rewrite.planner`). calls: run once, in the sandbox, to see what the source does not prove;
    what the rewrite then rests on stands in `assumes`. unproven: what is done where nothing proves a type: "assume"
    what every call showed (the usual with calls), "guard" it by a type test (the usual without), or "leave" it alone.
    A change that does something else under one of the calls is left out and stands in `left`; `unobserved` names the
    calls that are not compared, such as nondeterministic ones. cost: how many times the original's tokens the longest
    trace of the calls may take ("usual": 4.0, for `methods` and `paper` any number; None: any). observed: argument
    types seen in the calls of a benchmark, by function and parameter (`rewrite.anf.argument_types.observed_types`);
    calls with other types still do the same. options: those of the interventions, such as `threshold=2`. Raises
    InputError, with line and column, for source that does not parse, and for a recipe, option or call that there is
    not.

    >>> print(rewrite_source("def f(a, b):\\n    return (a + b) * 2\\n").source, end="")
    def f(a, b):
        _t0 = a + b
        return _t0 * 2
    """
    refuse_unknown(options, OPTION_NAMES, rewrite_source.__kwdefaults__)
    if recipe == recipes.PLANNED:
        return _planned(source, calls or (), options)
    rewrite = partial(rewrite_once, source, recipe, filename=filename, observed=observed, options=options)
    return rewrite_by(rewrite, source, recipe, calls or (), unproven, cost, options)


def _planned(source: str, calls: str | Iterable[str], options: Mapping[str, object]) -> Rewritten:
    if options:
        raise InputError(f"the recipe {recipes.PLANNED} takes no option, such as {next(iter(options))}")
    return plan_rewrite(source, calls).rewritten(source)


def rewrite_by(
    rewrite: Callable[[Given], Rewritten],
    source: str,
    recipe: str,
    calls: str | Iterable[str],
    unproven: str | None,
    cost: float | str | None,
    options: Mapping[str, object],
) -> Rewritten:
    """What `rewrite_source` does with calls or without any, the rewriting itself being done by `rewrite`."""
    taken = read_calls(calls)
    mode, limit = read_mode(unproven, taken), read_cost(cost, recipe)
    unchanged = Rewritten(source, False, positions=tuple(Position(n + 1, 1) for n in range(source.count("\n") + 1)))
    if recipe == PLACEBO and not options.keys() - {SUBSTITUTES}:
        return gated(check_calls(rewrite(Given(mode, calls=taken)), unchanged, taken), unchanged)
    recipes.check(recipe, options)  # says at once what is wrong with them
    if not taken:
        return rewrite(Given(mode))
    shared = recipe != paper.NAME and options.get("names", "short") == "short" and not options.get("release")
    plain, _ = without_form_feeds(source)
    refused = None if recipe == paper.NAME else unchanged
    made = rewrite_with_calls(plain, taken, rewrite, unproven=mode, cost=limit, shared=shared, unchanged=refused)
    return gated(made, unchanged)


def gated(made: Rewritten, unchanged: Rewritten) -> Rewritten:
    """What was made, or, where that does not compile as far as the original does, that with the reason.

    A form that is chosen by its cost is another text than the one that `rewrite.pipeline.attempts` compiled.
    """
    found = refusal(unchanged.source, made.source) if made.changed else None
    return made if found is None else replace(unchanged, left=(Left(1, found.reason),))
