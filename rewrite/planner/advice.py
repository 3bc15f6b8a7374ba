"""What helps a program that is over budget even with every saving that shortens it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyze.cost.fitting import largest_fitting
from analyze.tokens.tokenizer import Tokenizer
from rewrite.passes import find_candidates, pass_names
from rewrite.planner.shortening import ShortenedProgram

SHOWN = 80


def give_advice(
    states: Sequence[ShortenedProgram], calls: Sequence[str], budget: int, tokenizer: Tokenizer | None = None
) -> Iterator[str]:
    """In sentences: how far it is, what was tried, the budget that it takes, the largest inputs that fit.

    states: the program and what each saving makes of it; calls: the longest first.
    """
    original, shortest = states[0], states[-1]
    over = original.tokens - budget
    yield f"over budget: its longest trace has {original.tokens:,} tokens, {over:,} too many"
    if shortest.applied:
        done = "; ".join(f"{what} (line {line})" for _, line, what in shortest.applied)
        rest = f"{shortest.tokens:,} tokens, {shortest.tokens - budget:,} too many"
        yield f"not enough: {done}; the trace still has {rest}"
    found = {one.name for one in find_candidates(original.source, calls)} | {name for name, _, _ in shortest.applied}
    absent = [name for name in pass_names() if name not in found]
    if absent:
        yield f"no place in this program for: {', '.join(absent)}"
    yield f"it fits a budget of {shortest.tokens:,} tokens (--budget {shortest.tokens})"
    yield from smaller_inputs(original.source, calls[0], budget, tokenizer)


def smaller_inputs(source: str, call: str, budget: int, tokenizer: Tokenizer | None = None) -> Iterator[str]:
    """The largest inputs that fit, in sentences."""
    fitting = list(largest_fitting(source, call, budget, tokenizer))
    for one in fitting:
        of = "all containers" if one.argument == "all" else _short(one.argument)
        yield (
            f"a smaller input fits: {of} of size {one.size:,} in place of {one.original:,}, "
            f"{one.tokens:,} tokens: {_short(one.call)}"
        )
    if not fitting:
        yield "no smaller input was found that fits"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
