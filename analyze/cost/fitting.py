"""Finds the largest input whose reference trace fits a token budget, by running smaller ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from analyze.cost.grown_calls import GrowableArgument, growable_arguments
from analyze.gold_trace.trace import trace_call
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer

MAX_ARGUMENTS = 3
MAX_FRAMES = 20_000


@dataclass(frozen=True)
class FittingInput:
    """A smaller call whose trace fits.

    Attributes:
        argument: The argument as the call writes it, or "all" for all containers together.
        size: Its size there: a length, or the value of a number.
        original: Its size in the call.
        call: The smaller call.
        tokens: Tokens of its trace.
    """

    argument: str
    size: int
    original: int
    call: str
    tokens: int


def largest_fitting(source: str, call: str, budget: int, tokenizer: Tokenizer | None = None) -> Iterator[FittingInput]:
    """Yields, for each of the first arguments that can be shrunk, the largest size whose trace fits.

    Doubling, then bisection: exact if the trace never gets shorter as the argument grows, and if the call ends in the
    same way (raises, or does not) at every size. Runs the program in the sandbox.

    >>> [found] = largest_fitting("def f(n):\\n    for i in range(n):\\n        pass", "f(1000)", 1000)
    >>> found.call
    'f(24)'
    """
    status = trace_call(source, call).outcome.status
    for argument in list(growable_arguments(call))[:MAX_ARGUMENTS]:
        found = _bisected(source, argument, budget, tokenizer or default_tokenizer(), status)
        if found is not None:
            yield found


def _bisected(
    source: str, argument: GrowableArgument, budget: int, tokenizer: Tokenizer, status: str
) -> FittingInput | None:
    best: FittingInput | None = None
    low, high = 0, argument.size
    while high - low > 1:
        # Doubled until one does not fit, so that the longest traces are never recorded; then bisected.
        size = min(2 * low or 1, high - 1) if high == argument.size else (low + high) // 2
        call = argument.at(size)
        trace = trace_call(source, call, max_frames=MAX_FRAMES)
        ended = trace.outcome.status == status
        tokens = trace.count_tokens(tokenizer, budget) if trace.cut is None and ended else None
        if tokens is not None:
            low, best = size, FittingInput(argument.name, size, argument.size, call, tokens)
        elif not ended and trace.cut is None and high == argument.size:
            low = size  # too small for the program
        else:
            high = size
    return best
