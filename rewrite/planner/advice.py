"""What helps a program that stays over budget with every shortening pass applied."""

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
    """In sentences: the excess, what was tried, the budget that is enough, the largest inputs that fit.

    Args:
        states: The program, then the program after each pass.
        calls: Its calls, the longest trace first.
        budget: Tokens that the longest trace may have.
        tokenizer: The model's tokenizer (default: Llama-3's).
    """
    original, shortest = states[0], states[-1]
    over = original.tokens - budget
    yield f"over budget: the longest trace has {original.tokens:,} tokens, {over:,} too many"
    if shortest.applied:
        done = "; ".join(f"{what} (line {line})" for _, line, what in shortest.applied)
        rest = f"{shortest.tokens:,} tokens, {shortest.tokens - budget:,} too many"
        yield f"not enough: {done}; the trace still has {rest}"
    found = {one.name for one in find_candidates(original.source, calls)} | {name for name, _, _ in shortest.applied}
    absent = [name for name in pass_names() if name not in found]
    if absent:
        yield f"passes without a candidate in this program: {', '.join(absent)}"
    how = "with these passes" if shortest.applied else "unchanged"
    enough = f"it fits a budget of {shortest.tokens:,} tokens {how} (--budget {shortest.tokens})"
    yield f"{enough}, and a smaller one if forms that save tokens are found"
    yield from smaller_inputs(original.source, calls[0], budget, tokenizer)


def smaller_inputs(source: str, call: str, budget: int, tokenizer: Tokenizer | None = None) -> Iterator[str]:
    """The largest inputs that fit the budget, in sentences."""
    fitting = list(largest_fitting(source, call, budget, tokenizer))
    for one in fitting:
        of = "all containers" if one.argument == "all" else _short(one.argument)
        yield (
            f"a smaller input fits: {of} of size {one.size:,} instead of {one.original:,}, "
            f"{one.tokens:,} tokens: {_short(one.call)}"
        )
    if not fitting:
        yield "no smaller input that fits was found"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
