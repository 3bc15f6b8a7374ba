"""How a true trace grows with its input: the input is grown, each size is run, and the order is fitted.

An argument of the call that is written as a literal (a text, bytes, list, tuple, set, dict or positive number) is grown
while the others stay; then all containers together, for programs whose arguments must match. Steps and tokens have
orders of their own: a loop that shows a growing text takes linearly many steps and quadratically many tokens.
What it does not do: prove an order. It says what fits the sizes that were run, and shows them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analyze.cost.grown_calls import Growable, growables
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, trace_call
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.deadline import OutOfTimeError
from corpora.execute import SECONDS

Order = Literal["constant", "logarithmic", "linear", "n log n", "quadratic", "cubic", "exponential"]
Floats = NDArray[np.float64]
MULTIPLES = (1, 2, 3, 4, 6, 8, 12)
STEPS = (-3, -2, -1, 0, 1, 2, 3, 4)
"""Sizes beside the call's own, for programs that no multiple of it ends in time."""
SHARES = (8, 6, 4, 3, 2)
LEAST_POINTS = 4
FRAMES = 20_000
SECONDS_A_SIZE = 2.0
BASES = np.linspace(1.1, 4.0, 59)
EXACT, POOR = 0.01, 0.1
"""Relative errors: below the first a simpler order is good enough, above the second none fits."""
BETTER = 0.5
"""What share of a simpler order's error a less simple one may leave, to be preferred."""
_TERMS: dict[Order, Callable[[Floats], list[Floats]]] = {
    "constant": lambda n: [],
    "logarithmic": lambda n: [np.log(n)],
    "linear": lambda n: [n],
    "n log n": lambda n: [n, n * np.log(n)],
    "quadratic": lambda n: [n, n**2],
    "cubic": lambda n: [n, n**2, n**3],
}


@dataclass(frozen=True)
class Point:
    """A size that was run.

    size: of the argument, its length or value; frames, tokens: of the trace (tokens None where they are more than
    `analyze.gold_trace.trace.MAX_COUNTED_TOKENS`).
    """

    size: int
    frames: int
    tokens: int | None


@dataclass(frozen=True)
class Growth:
    """How the trace grows with one argument.

    argument: as the call writes it, "all" for all containers together; points: by size; steps, tokens: the order of
    the frames and of the tokens, None where too few sizes could be run or no order fits; why: why not, or what was not
    run, "" where nothing is to be said.
    """

    argument: str
    points: tuple[Point, ...]
    steps: Order | None
    tokens: Order | None
    why: str = ""

    def largest(self, budget: int) -> int | None:
        """The largest size that was run and whose trace is within so many tokens; None where none was."""
        return max((p.size for p in self.points if p.tokens is not None and p.tokens <= budget), default=None)


def growth(
    source: str, call: str, tokenizer: Tokenizer | None = None, *, seconds: float = SECONDS
) -> tuple[Growth, ...]:
    """How the trace of a call grows with each argument that can be grown; empty where none can be.

    Runs the program some ten times for each argument in the sandbox. Never raises for what the program is or does. If
    the deadline passes (`corpora.deadline`), the sizes that have run are fitted, and `why` says so.

    >>> [found] = growth("def f(text):\\n    for c in text:\\n        pass", "f('abc')")
    >>> found.argument, found.steps
    ("'abc'", 'linear')
    """
    vocabulary = tokenizer or default_tokenizer()
    return tuple(_grown(source, argument, vocabulary, min(seconds, SECONDS_A_SIZE)) for argument in growables(call))


def fitted_order(sizes: Sequence[int], values: Sequence[int]) -> Order | None:
    """The simplest order that fits values over sizes (both positive), by least squares of the relative error.

    None where there are fewer than LEAST_POINTS sizes, or where what they cost goes up and down.
    """
    n, y = np.array(sizes, dtype=np.float64), np.array(values, dtype=np.float64)
    if len(n) < LEAST_POINTS:
        return None
    errors = {name: _error(terms(n), y) for name, terms in _TERMS.items()}
    errors["exponential"] = min(_error([base ** (n - n.max())], y) for base in BASES)
    best: Order = "constant"
    for name, error in errors.items():
        if errors[best] > EXACT and error < BETTER * errors[best]:
            best = name
    return best if errors[best] < POOR else None


def _error(terms: Sequence[Floats], y: Floats) -> float:
    """The root of the mean squared relative error of y = a + b1 * term1 + ...; infinite for a negative last b."""
    columns = np.column_stack([np.ones_like(y), *(term / term.max() for term in terms if term.max() > 0)])
    found, *_ = np.linalg.lstsq(columns / y[:, None], np.ones_like(y), rcond=None)
    error = float(np.sqrt(np.mean((columns @ found / y - 1) ** 2)))
    return error if not terms or found[-1] >= 0 else float("inf")


def _grown(source: str, argument: Growable, tokenizer: Tokenizer, seconds: float) -> Growth:
    """Multiples of the argument's size, then sizes beside it, then shares of it, until enough runs ended."""
    traces: dict[int, Trace] = {}
    cut = ""
    try:
        _run_sizes(source, argument, seconds, traces)
    except OutOfTimeError as error:
        cut = f"no more sizes: {error.message}"
    if argument.size not in traces:
        return Growth(argument.name, (), None, None, cut)
    found = _fitted(argument, dict(sorted(traces.items())), tokenizer)
    return replace(found, why="; ".join(filter(None, [found.why, cut])))


def _run_sizes(source: str, argument: Growable, seconds: float, traces: dict[int, Trace]) -> None:
    own = argument.size
    for sizes in ([own * k for k in MULTIPLES], [own + k for k in STEPS], [own // k for k in SHARES]):
        for size in sorted({size for size in sizes if size > 0} - {size for size in traces if size != own}):
            if size not in traces:
                traces[size] = trace_call(source, argument.at(size), seconds=seconds, max_frames=FRAMES)
            if traces[size].cut is not None:
                break  # larger ones take longer still
        if sum(trace.cut is None for trace in traces.values()) >= LEAST_POINTS:
            break


def _fitted(argument: Growable, traces: Mapping[int, Trace], tokenizer: Tokenizer) -> Growth:
    """A run that ends otherwise than the call itself (raises, or not) is no point, and said."""
    own = traces[argument.size]
    usual = own.outcome.status if own.cut is None else "ok"
    odd = {size: trace for size, trace in traces.items() if trace.cut is not None or trace.outcome.status != usual}
    points = tuple(
        Point(size, len(trace.frames), trace.count_tokens(tokenizer, MAX_COUNTED_TOKENS))
        for size, trace in traces.items()
        if size not in odd
    )
    steps = fitted_order([point.size for point in points], [point.frames for point in points])
    counted = [(point.size, point.tokens) for point in points if point.tokens is not None]
    tokens = fitted_order([size for size, _ in counted], [spent for _, spent in counted])
    return Growth(argument.name, points, steps, tokens, "; ".join(_why_odd(size, trace) for size, trace in odd.items()))


def _why_odd(size: int, trace: Trace) -> str:
    what = (
        f"cut short ({trace.cut})"
        if trace.cut is not None
        else " ".join(trace.outcome.exception or ("ends otherwise",))
    )
    return f"size {size}: {what}"
