"""Isolation levels to test in turn."""

from collections.abc import Iterator

import pytest

from corpora.program import Isolation
from corpora.sandbox.workers import isolation_levels
from corpora.sandbox.workers.worker import WorkerDiedError


@pytest.fixture(scope="module", params=["A", "B"])
def level(request: pytest.FixtureRequest) -> Iterator[Isolation]:
    isolation_levels.force_level(request.param)
    try:
        isolation_levels.active_isolation()
    except WorkerDiedError as error:
        isolation_levels.force_level(None)
        pytest.skip(f"level {request.param} cannot be had here: {error}")
    yield request.param
    isolation_levels.force_level(None)
