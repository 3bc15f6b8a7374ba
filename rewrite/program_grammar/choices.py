"""Sources of randomness: Hypothesis, which shrinks what it drew, and `random.Random`, which is many times faster."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st

Option = TypeVar("Option")


class Choices(ABC):
    """What a grammar asks of a source of randomness. The first option and False are the simplest results."""

    @abstractmethod
    def integer(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""

    def choice(self, options: Sequence[Option]) -> Option:
        """Return one of the options, each equally often."""
        return options[self.integer(0, len(options) - 1)]

    def chance(self, share: float) -> bool:
        """Return True in about this share of the cases."""
        return self.integer(0, 19) >= 20 - 20 * share


class RandomChoices(Choices):
    """Choices of a `random.Random`."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random

    def integer(self, low: int, high: int) -> int:  # noqa: D102
        return low + int(self._random() * (high - low + 1))

    def choice(self, options: Sequence[Option]) -> Option:  # noqa: D102 - shorter than by way of `integer`
        return options[int(self._random() * len(options))]

    def chance(self, share: float) -> bool:  # noqa: D102
        return self._random() < share


class HypothesisChoices(Choices):
    """Choices of the `draw` of a composite strategy."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:  # noqa: D102
        return self._draw(_integers(low, high))


_integers = cache(st.integers)
