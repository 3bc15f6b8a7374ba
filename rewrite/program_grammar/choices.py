"""Sources of randomness: Hypothesis, which shrinks what it drew, or `random.Random`, which is a hundred times faster."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Protocol, TypeVar

from hypothesis import strategies as st

Option = TypeVar("Option")


class Choices(Protocol):
    """What a grammar asks of a source of randomness. The first option and False are the simplest results."""

    def choice(self, options: Sequence[Option]) -> Option:
        """Return one of the options, each equally often."""

    def integer(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""

    def chance(self, share: float) -> bool:
        """Return True in about this share of the cases."""


class RandomChoices:
    """Choices of a `random.Random`."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def choice(self, options: Sequence[Option]) -> Option:
        return options[int(self._random() * len(options))]

    def integer(self, low: int, high: int) -> int:
        return low + int(self._random() * (high - low + 1))

    def chance(self, share: float) -> bool:
        return self._random() < share


class HypothesisChoices:
    """Choices of the `draw` of a composite strategy."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def choice(self, options: Sequence[Option]) -> Option:
        return options[self.integer(0, len(options) - 1)]

    def integer(self, low: int, high: int) -> int:
        return low if low == high else self._draw(_integers(low, high))

    def chance(self, share: float) -> bool:
        return self.integer(0, 19) >= 20 * (1 - share)


_integers = cache(st.integers)
