"""A part of CPython's own test suite, small enough for every run, against rewritten modules."""

import importlib.util
from pathlib import Path

import pytest

from tests.stdlib.suite import SMALL, imported_elsewhere, passes, rewrite_library

pytestmark = pytest.mark.skipif(importlib.util.find_spec("test") is None, reason="this Python has no test suite")


def test_rewritten_modules_are_imported_and_pass_cpythons_own_tests(tmp_path: Path) -> None:
    chosen = rewrite_library(tmp_path, "decompose", only=tuple(SMALL.values()))
    assert len(chosen) == len(SMALL)
    assert imported_elsewhere(tmp_path, chosen) == []
    passed, said = passes(list(SMALL), tmp_path)
    assert passed, said
