"""A sample of the parameters or drawn examples of a test for `make test`, and all of them for `make test-all`."""

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark import ParameterSet


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
