"""A sample of the parameters or drawn examples of a test for `make test`, and all of them for `make test-all`."""

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

ValueT = TypeVar("ValueT")


def sampled(values: Iterable[Any], names: Iterable[str], every: int = 6) -> list[ParameterSet]:
    """The parameters of a test, tuples for several. Every sixth runs in `make test`; the others are exhaustive."""
    return [
        pytest.param(
            *(value if type(value) is tuple else (value,)),
            id=name,
            marks=() if number % every == 0 else pytest.mark.exhaustive,
        )
        for number, (value, name) in enumerate(zip(values, names, strict=True))
    ]


def example_counts(few: int, many: int) -> pytest.MarkDecorator:
    """The parameter `examples`: the number of drawn examples in `make test`, and in `make test-all`."""
    return pytest.mark.parametrize("examples", [few, pytest.param(many, marks=pytest.mark.exhaustive)])


@cache
def drawn_values(strategy: st.SearchStrategy[ValueT]) -> tuple[ValueT, ...]:
    """200 values of a strategy, drawn once: drawing them for each parameter takes longer than most tests of it.

    Drawn as lists, because Hypothesis draws no example twice, and so would draw special values as rarely as others.
    """
    found: list[ValueT] = []

    @seed(0)
    @settings(max_examples=20, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
    @given(st.lists(strategy, min_size=10, max_size=10))
    def collect(some: list[ValueT]) -> None:
        found.extend(some)

    collect()
    return tuple(found)
