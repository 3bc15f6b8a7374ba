"""Figures in pages are what their commands print."""

import runpy
from collections.abc import Callable
from typing import Any

import pytest

from tests.places import ROOT

SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "bench" / "figures.py"))
COMMANDS = [
    (path, command) for path in (ROOT / "docs").glob("*.md") for command in SCRIPT["blocks"](path.read_text("utf-8"))
]
LONG = "bench/coverage.py"
"""A simulation of minutes, tested with few replications in `tests/runner/statistics/test_coverage.py`."""


def test_there_are_figures_and_each_names_a_script() -> None:
    assert {command.split()[0] for _, command in COMMANDS} >= {"bench/ceiling.py", "bench/published_types.py"}
    assert all((ROOT / command.split()[0]).is_file() for _, command in COMMANDS)


def test_a_stale_block_is_replaced_and_others_stay() -> None:
    blocks = (("x.py --n 1", "old"), ("y.py", "kept"))
    page = "".join(f"a\n<!-- figures: {name} -->\n{body}\n<!-- end of figures -->\nb\n" for name, body in blocks)
    outputs: Callable[[str], str | None] = {"x.py --n 1": "\nnew\n\n"}.get
    assert SCRIPT["regenerated"](page, outputs) == page.replace("old", "new")
    assert list(SCRIPT["blocks"](page)) == ["x.py --n 1", "y.py"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "command"),
    [one for one in COMMANDS if LONG not in one[1]],
    ids=lambda value: str(value).rpartition("/")[2],
)
def test_the_figures_of_pages_are_current(path: Any, command: str) -> None:
    text = path.read_text("utf-8")
    found = SCRIPT["output"](command)
    if found is None:
        pytest.skip(f"the data of {command} is missing")
    assert SCRIPT["regenerated"](text, {command: found}.get) == text, "run `make figures`"
