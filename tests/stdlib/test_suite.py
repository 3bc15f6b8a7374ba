"""A part of CPython's own test suite, small enough for every run, against rewritten modules."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.stdlib.home import Home, original, rewritten
from tests.stdlib.imported import look, observe
from tests.stdlib.regrtest import LINE, run

# Tests, and the modules that they look at.
SMALL = {"test_textwrap": "textwrap", "test_heapq": "heapq", "test_bisect": "bisect", "test_colorsys": "colorsys"}
pytestmark = pytest.mark.skipif(importlib.util.find_spec("test") is None, reason="this Python has no test suite")


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Home:
    return original(tmp_path_factory.mktemp("original"))


@pytest.mark.medium
def test_a_module_that_does_not_come_from_its_rewritten_file_is_found(tmp_path: Path, before: Home) -> None:
    missing = Home(before.folder, (Path("textwrap.py"), Path("no_such_module.py")))
    other = Home(tmp_path, missing.rewritten)
    (tmp_path / "imported").mkdir()
    (tmp_path / "imported" / "1").write_text("textwrap\t/elsewhere/textwrap.py\n", encoding="utf-8")
    (tmp_path / "bin").symlink_to(before.folder / "bin")
    found = look(before, other)
    assert "textwrap: /elsewhere/textwrap.py" in found.elsewhere
    assert [line.partition(":")[0] for line in found.neither] == ["no_such_module"]


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("0:00:38 load avg: 0.90 [ 42/457] test_aifc passed", "passed"),
        ("0:05:07 [378/457/1] test_aifc failed (1 failure) -- running (1): test_ssl (42 sec)", "failed (1 failure)"),
        ("0:00:38 [ 42/457] test_aifc crashed (Exit code -6)", "crashed (Exit code -6)"),
    ],
)
def test_the_state_of_a_test_module_is_read(line: str, state: str) -> None:
    match = LINE.match(line)
    assert match is not None
    assert (match["name"], match["state"]) == ("test_aifc", state)


@pytest.mark.medium
def test_rewritten_modules_are_imported_and_pass_cpythons_own_tests(tmp_path: Path, before: Home) -> None:
    after = rewritten(tmp_path, "decompose", only=tuple(SMALL.values()))
    observe(after)
    assert len(after.rewritten) == len(SMALL)
    assert not after.left
    results = run(after, list(SMALL), processes=1)
    assert {name: results.states.get(name) for name in SMALL} == dict.fromkeys(SMALL, "passed"), results.said
    assert len(results.passed) > 100
    found = look(before, after)
    assert found.by_tests == tuple(sorted(SMALL.values()))
    assert not found.elsewhere
