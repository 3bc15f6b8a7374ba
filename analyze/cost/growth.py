"""Measures how a reference trace grows with its input: runs several sizes and fits the order of growth.

An argument of the call that is a literal (a string, bytes, list, tuple, set, dict or positive number) is grown while
the others stay unchanged; then all containers together, for programs whose arguments must match. Steps and tokens have
separate orders: a loop that shows a growing string takes a linear number of steps and a quadratic number of tokens. The
fitted order describes the sizes that were run and proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analyze.cost.grown_calls import GrowableArgument, growable_arguments
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS, Trace, trace_call
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.deadline import OutOfTimeError

Order = Literal["constant", "logarithmic", "linear", "n log n", "quadratic", "cubic", "exponential"]
Floats = NDArray[np.float64]
MULTIPLES = (1, 2, 3, 4, 6, 8, 12)
STEPS = (-3, -2, -1, 0, 1, 2, 3, 4)
"""Offsets from the call's own size, for programs that do not end in time on multiples of it."""
SHARES = (8, 6, 4, 3, 2)
MIN_POINTS = 4
MAX_FRAMES = 20_000
SECONDS_PER_SIZE = 2.0
BASES = np.linspace(1.1, 4.0, 59)
EXACT, POOR = 0.01, 0.1
"""Relative errors: a simpler order suffices below EXACT; no order fits above POOR."""
BETTER = 0.5
"""A more complex order is preferred if its error is below this share of the simpler order's error."""
_TERMS: dict[Order, Callable[[Floats], list[Floats]]] = {
    "constant": lambda n: [],
    "logarithmic": lambda n: [np.log(n)],
    "linear": lambda n: [n],
    "n log n": lambda n: [n, n * np.log(n)],
    "quadratic": lambda n: [n, n**2],
    "cubic": lambda n: [n, n**2, n**3],
}


@dataclass(frozen=True)
class GrowthPoint:
    """A size that was run.

    Attributes:
        size: Length or value of the argument.
        frames: Number of frames in the trace.
        tokens: Number of tokens; None if it exceeds `analyze.gold_trace.trace.MAX_COUNTED_TOKENS`.
    """

    size: int
    frames: int
    tokens: int | None


@dataclass(frozen=True)
class Growth:
    """How the trace grows with one argument.

    Attributes:
        argument: The argument as the call writes it, or "all" for all containers together.
        points: The sizes that were run, in increasing order.
        steps: The order of the number of frames; None if too few sizes could be run or no order fits.
        tokens: The order of the number of tokens; None as above.
        why: Why sizes or orders are missing; empty if nothing is.
    """

    argument: str
    points: tuple[GrowthPoint, ...]
    steps: Order | None
    tokens: Order | None
    why: str = ""

    def largest(self, budget: int) -> int | None:
        """Returns the largest size that was run and whose trace is within the token budget; None if there is none."""
        return max((p.size for p in self.points if p.tokens is not None and p.tokens <= budget), default=None)


def growth(source: str, call: str, tokenizer: Tokenizer | None = None) -> tuple[Growth, ...]:
    """Measures how the trace of a call grows with each argument that can be grown; empty if there is none.

    Runs the program about ten times per argument in the sandbox. Whatever the program does is reported, never raised.
    If the deadline passes (`corpora.deadline`), the sizes that were run are fitted, and `why` says so.

    >>> [found] = growth("def f(text):\\n    for c in text:\\n        pass", "f('abc')")
    >>> found.argument, found.steps
    ("'abc'", 'linear')
    """
    vocabulary = tokenizer or default_tokenizer()
    return tuple(_grown(source, argument, vocabulary) for argument in growable_arguments(call))


def fitted_order(sizes: Sequence[int], values: Sequence[int]) -> Order | None:
    """Returns the simplest order that fits positive values over positive sizes, by least squares of the relative error.

    An order fits only if it predicts the value at the largest size from the others: a cubic polynomial is near any few
    values, such as one step up. Returns None if there are fewer than MIN_POINTS sizes, or if no order fits.
    """
    n, y = np.array(sizes, dtype=np.float64), np.array(values, dtype=np.float64)
    if len(n) < MIN_POINTS:
        return None
    errors = {name: _error(terms(n), y) for name, terms in _TERMS.items()}
    errors["exponential"] = min(_error([base ** (n - n.max())], y) for base in BASES)
    best: Order = "constant"
    for name, error in errors.items():
        if errors[best] > EXACT and error < BETTER * errors[best]:
            best = name
    return best if errors[best] < POOR else None


def _error(terms: Sequence[Floats], y: Floats) -> float:
    """Returns the root mean squared relative error of y = a + b1 * term1 + ...; infinite if it does not fit."""
    columns = np.column_stack([np.ones_like(y), *(term / term.max() for term in terms if term.max() > 0)])
    found, earlier = _coefficients(columns, y), _coefficients(columns[:-1], y[:-1])
    if (terms and found[-1] < 0) or abs(columns[-1] @ earlier / y[-1] - 1) > POOR:
        return float("inf")
    return float(np.sqrt(np.mean((columns @ found / y - 1) ** 2)))


def _coefficients(columns: Floats, y: Floats) -> Floats:
    """Returns the least-squares solution of columns @ b = y, by relative errors."""
    found, *_ = np.linalg.lstsq(columns / y[:, None], np.ones_like(y), rcond=None)
    return np.asarray(found)


def _grown(source: str, argument: GrowableArgument, tokenizer: Tokenizer) -> Growth:
    """Runs multiples of the argument's size, then sizes near it, then fractions of it, until enough runs ended."""
    traces: dict[int, Trace] = {}
    cut = ""
    try:
        _run_sizes(source, argument, traces)
    except OutOfTimeError as error:
        cut = f"no more sizes: {error.message}"
    if argument.size not in traces:
        return Growth(argument.name, (), None, None, cut)
    found = _fitted(argument, dict(sorted(traces.items())), tokenizer)
    return replace(found, why="; ".join(filter(None, [found.why, cut])))


def _run_sizes(source: str, argument: GrowableArgument, traces: dict[int, Trace]) -> None:
    own = argument.size
    for sizes in ([own * k for k in MULTIPLES], [own + k for k in STEPS], [own // k for k in SHARES]):
        for size in sorted({size for size in sizes if size > 0} - {size for size in traces if size != own}):
            if size not in traces:
                at_size = argument.at(size)
                traces[size] = trace_call(source, at_size, seconds=SECONDS_PER_SIZE, max_frames=MAX_FRAMES)
            if traces[size].cut is not None:
                break  # larger ones take longer still
        if sum(trace.cut is None for trace in traces.values()) >= MIN_POINTS:
            break


def _fitted(argument: GrowableArgument, traces: Mapping[int, Trace], tokenizer: Tokenizer) -> Growth:
    """Fits the orders; runs that end differently from the call itself (raise, or do not) are reported instead."""
    own = traces[argument.size]
    usual = own.outcome.status if own.cut is None else "ok"
    odd = {size: trace for size, trace in traces.items() if trace.cut is not None or trace.outcome.status != usual}
    points = tuple(
        GrowthPoint(size, len(trace.frames), trace.count_tokens(tokenizer, MAX_COUNTED_TOKENS))
        for size, trace in traces.items()
        if size not in odd
    )
    steps = fitted_order([point.size for point in points], [point.frames for point in points])
    counted = [(point.size, point.tokens) for point in points if point.tokens is not None]
    tokens = fitted_order([size for size, _ in counted], [spent for _, spent in counted])
    return Growth(argument.name, points, steps, tokens, "; ".join(_why_odd(odd, is_alone=len(points) < 2)))


def _why_odd(odd: Mapping[int, Trace], *, is_alone: bool) -> Iterator[str]:
    """Yields, for each way in which runs ended otherwise, the first size, the number of the others, and the reason.

    If only the call itself was run (`is_alone`), its sizes do not matter.
    """
    reasons = {size: trace.cut or next(iter(trace.outcome.exception or ()), "") for size, trace in odd.items()}
    for reason in dict.fromkeys(reasons.values()):
        size, *others = (size for size, other in reasons.items() if other == reason)
        more = f" and {len(others)} more" if others else ""
        ended = ": ".join(filter(None, odd[size].outcome.exception or ("ends otherwise",)))
        which = "other sizes end otherwise" if is_alone else f"size {size:,}{more}"
        yield f"{which}: {ended if odd[size].cut is None else f'cut short ({reason})'}"
