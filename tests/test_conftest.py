"""`make test` tries a quarter of the examples that a test of Hypothesis asks for; other runs try all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

TESTS = """
from hypothesis import given, settings, strategies as st

settings.register_profile("all", database=None, derandomize=True)
settings.load_profile("all")
SEEN = []

@settings(max_examples=80)
@given(st.integers())
def test_counts(number):
    SEEN.append(number)

def test_how_many():
    print("examples:", len(SEEN))
"""


@pytest.mark.medium
@pytest.mark.parametrize(("selected", "count"), [("not slow and not exhaustive", 20), ("not slow", 80)])
def test_a_quarter_of_the_examples_is_tried(selected: str, count: int, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_collection_modifyitems\n")
    (tmp_path / "test_drawn.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-m", selected, str(tmp_path)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # importing them takes most of the time
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert f"examples: {count}" in done.stdout
