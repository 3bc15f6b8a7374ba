"""What a change to a program costs a model on average, in the unit that risks of steps and lines add up in.

A price is what one unit of a change adds to −log of the probability of a right answer. It is an average: what a rewrite
does to one program cannot be predicted. `python -m lab.evidence.prices` measures the prices in `prices.json`; a kind of
change whose effect the data do not show has no price there (docs/evidence.md has the data, and the smallest effect
that they could show).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("prices.json")


@dataclass(frozen=True)
class ChangePrice:
    """The price of several changes together, as −log of a probability: 0.1 stands for about 10 % fewer right answers.

    Attributes:
        estimate: The sum of the prices; above 0: harm.
        low: Lower bound of its 95 % interval.
        high: Upper bound.
        error: Standard error of the estimate.
        unpriced: Kinds of change among those given that have no price. The sum is without them.
    """

    estimate: float
    low: float
    high: float
    error: float = 0.0
    unpriced: tuple[str, ...] = ()


def price(changes: Mapping[str, float]) -> ChangePrice:
    """The average price of a rewrite: the sum over its changes, with the interval of the sum.

    Prices are proportional to the amounts, and measured for one kind of change at a time: where kinds are combined,
    the sum is an upper estimate. The amounts in the data are 1 to 12 renamed variables, 1 to 5 rewritten conditions,
    and 12 to 15 dead statements.

    Args:
        changes: Amount by kind of change, one of `kinds()`.

    Raises:
        ValueError: A kind is not one of `kinds()`.

    Example:
        >>> found = price({"variable renamed": 2, "frame added": 5})
        >>> 0 < found.low < found.estimate < found.high, found.unpriced
        (True, ('frame added',))
    """
    content = _content()
    unknown = sorted(changes.keys() - set(kinds()))
    if unknown:
        raise ValueError(f"no kind of change: {', '.join(unknown)} (kinds: {', '.join(kinds())})")
    priced: list[str] = content["priced"]
    amounts = [float(changes.get(kind, 0.0)) for kind in priced]
    estimate = sum(amount * content["kinds"][kind]["estimate"] for kind, amount in zip(priced, amounts, strict=True))
    variance = sum(
        one * other * content["covariance"][row][column]
        for row, one in enumerate(amounts)
        for column, other in enumerate(amounts)
    )
    error = math.sqrt(variance)
    half = content["quantile"] * error
    unpriced = tuple(kind for kind, amount in changes.items() if amount and kind not in priced)
    return ChangePrice(estimate, estimate - half, estimate + half, error, unpriced)


def kinds() -> tuple[str, ...]:
    """The kinds of change that were measured, those without a price too.

    >>> "condition rewritten" in kinds()
    True
    """
    return tuple(_content()["kinds"])


@cache
def _content() -> dict[str, Any]:  # Any: JSON
    return dict(json.loads(FILE.read_text(encoding="utf-8")))
