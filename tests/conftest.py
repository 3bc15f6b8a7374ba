"""For all tests: programs may run at whatever isolation this machine has, and measured figures are shown at the end.

A test shows a figure by `record_property("figure", "...")`.
"""

import gc
import os
import sys
from collections.abc import Generator, Iterator
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

from corpora.execute import allow_weak_isolation
from corpora.sandbox.workers import pool
from lab.published_data import SETTING
from rewrite.pipeline.registration import external_recipes
from tests.places import DATA

# The same examples in every run, and no test that fails because the machine is busy. `make fuzz` asks for fresh ones.
settings.register_profile("spellout", derandomize=True, database=None, deadline=None)
settings.register_profile("fuzz", derandomize=False, deadline=None, print_blob=True)
# Commands that tests run find the published data where the tests find it (docs/published_data.md).
if DATA.is_dir():
    os.environ.setdefault(SETTING, str(DATA))
# In two workers on two cores, two threads each would wait for each other longer than they compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")
settings.load_profile(os.environ.get("SPELLOUT_PROFILE", "spellout"))


@pytest.fixture(scope="session", autouse=True)
def weak_isolation() -> Iterator[None]:
    """Where nothing better than level C can be had, tests run their own programs at level C."""
    allow_weak_isolation(True)
    yield
    allow_weak_isolation(False)


@pytest.fixture(autouse=True)
def weak_isolation_again(weak_isolation: None) -> None:
    """A job of a data set sets the permission for its process: what one test refuses, the next may do."""
    allow_weak_isolation(True)


def _registered_recipes() -> Iterator[None]:
    """A recipe that one test registers is unknown to the next: help texts, for example, list all of them."""
    before = dict(external_recipes())
    yield
    external_recipes().clear()
    external_recipes().update(before)


registered_recipes = pytest.fixture(autouse=True)(_registered_recipes)
recipes_of_a_module = pytest.fixture(scope="module", autouse=True)(_registered_recipes)  # by its fixtures


@pytest.fixture
def short_endless_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program with `while True` is stopped after 0.3 s instead of 5: it ends on no machine, however fast."""
    run = pool.run

    def shorter(job: Any, seconds: float, **options: Any) -> Any:
        return run(job, min(seconds, 0.3) if "while True" in job.source else seconds, **options)

    monkeypatch.setattr(pool, "run", shorter)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects no garbage during the collection of tests, and little in tests, where it takes a tenth of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`make test`, which leaves out exhaustive parameters, also tries a quarter of the drawn examples.

    Hypothesis has no public way to change the settings of a test that has some of its own; `constraints.txt` pins its
    version, and `tests/test_conftest.py` fails if this stops working.
    """
    if "not exhaustive" not in config.option.markexpr:
        return
    for function in {item.function for item in items if isinstance(item, pytest.Function)}:
        if is_hypothesis_test(function):
            every = function._hypothesis_internal_use_settings
            few = min(every.max_examples, max(10, every.max_examples // 4))
            function._hypothesis_internal_use_settings = settings(every, max_examples=few)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """A line a figure, with the interpreter that it was measured on."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "figure":
                terminalreporter.write_line(f"Python {sys.version_info.major}.{sys.version_info.minor}: {value}")
