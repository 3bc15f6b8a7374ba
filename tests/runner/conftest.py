"""For all tests of the runner."""

import math

import pytest

from runner.terminal import waiting
from runner.terminal.console import LineProgress


@pytest.fixture(autouse=True)
def no_line_of_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, no line of progress is added to the messages that a test reads."""
    monkeypatch.setattr(LineProgress, "SECONDS", math.inf)
    for owner, name in ((LineProgress, "FIRST"), (waiting, "SECONDS")):
        monkeypatch.setattr(owner, name, 0)  # no alarm
