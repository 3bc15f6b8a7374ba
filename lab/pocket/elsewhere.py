"""The control for the place of a rewrite: other values exposed, at about as many tokens as a plan adds.

A plan chooses which operations get another form. If it helps more than as many tokens on lines that it leaves alone,
the choice matters; if not, what helps is that a trace gets longer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random

from corpora import Case
from lab.pocket.gate_programs import calls_by_source
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once
from rewrite.planner.planning import plan_rewrite
from rewrite.planner.trace_counter import TraceCounter

RECIPE = "decompose"
"""What exposes the other values."""


def elsewhere(cases: Iterable[Case]) -> Callable[[str], str]:
    """A recipe that rewrites lines which the recipe `planned` leaves alone.

    Args:
        cases: what will be rewritten: a plan needs the calls of its program.
    """
    calls = calls_by_source(cases)

    def elsewhere(source: str) -> str:
        if source not in calls:  # the result, which `rewrite.pipeline.source_rewrites` gives again
            return source
        plan = plan_rewrite(source, calls[source])
        if plan.tokens is None or plan.original_tokens is None:
            return source
        lines = {choice.line for choice in plan.choices}
        return expose_elsewhere(source, calls[source], lines, plan.tokens - plan.original_tokens)

    return elsewhere


def expose_elsewhere(source: str, calls: Sequence[str], lines: Collection[int], tokens: int) -> str:
    """Exposes values on other lines, taken at random, as long as the trace grows by no more than some tokens.

    Args:
        source: the program.
        calls: its calls.
        lines: the lines to leave alone, from 1.
        tokens: the most that the longest trace may grow, in the default vocabulary.

    Returns:
        The program itself if no other line has a hidden value, or none at that price.
    """
    evidence = gather_evidence(source, calls)
    counts = TraceCounter(source, calls)
    whole = rewrite_once(source, RECIPE, RewriteContext("assume", evidence), options={})
    others = sorted({change.line for change in whole.changes} - set(lines))
    Random(source).shuffle(others)
    found, chosen = source, set[int]()
    for line in others:
        kept = dict.fromkeys(_all_lines(source, {*chosen, line}), "not chosen")
        made = rewrite_once(source, RECIPE, RewriteContext("assume", evidence, kept), options={}).source
        after = counts.tokens(made)
        if counts.original is not None and after is not None and 0 < after - counts.original <= tokens:
            found, chosen = made, {*chosen, line}
    return found


def _all_lines(source: str, besides: Collection[int]) -> Iterator[InterventionSite]:
    """The lines of a program other than some, as sites."""
    start = 0
    for number, text in enumerate(source.splitlines(keepends=True), 1):
        if number not in besides:
            yield InterventionSite(start, start + len(text))
        start += len(text)
