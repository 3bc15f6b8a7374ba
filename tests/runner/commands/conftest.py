"""Commands process rows and files in this process, because a process for each core takes a second to start.

Tests with `--jobs 2` or `every_core` start processes.
"""

import pytest

from corpora import process_pool

every_usable_core = process_pool.usable_cores


@pytest.fixture(autouse=True)
def one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_pool, "usable_cores", lambda: every_usable_core()[:1])


@pytest.fixture
def every_core(one_core: None, monkeypatch: pytest.MonkeyPatch) -> None:
    if len(every_usable_core()) == 1:
        pytest.skip("with one core, this process does the work itself")
    monkeypatch.setattr(process_pool, "usable_cores", every_usable_core)
