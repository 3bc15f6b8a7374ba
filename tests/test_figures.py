"""Figures in pages are what their commands print."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import figures
import pytest

from tests.places import ROOT

PAGES = [ROOT / name for name in figures.pages()]
BLOCKS = [(path, block) for path in PAGES for block in figures.blocks(path.read_text("utf-8"))]
QUICK = ("bench/headline.py", "bench/hazard_classes.py", "bench/record_fields.py")
"""Read other pages, or what is in the packages, so they are tested in every run."""
SIMULATION = "bench/interval_coverage.py"
"""Tested with few replications in `tests/runner/statistics/test_interval_coverage.py`."""
NOT_GENERATED = {
    "docs/sandbox.md": "speeds of the machine that is named",
    "docs/proof.md": "test suites of CPython and of packages: make test-stdlib, make test-packages",
    "docs/equivalence.md": "checkers that Spellout does not install: the extra symbolic",
}
"""Pages with tables of figures that no block holds, and the reason."""
NUMBER = re.compile(r"(?!3\.1\d$)\**[+-]?\d[\d,.]*( ?%| ?×| of \d.*| \(.*\)| \[.*\])?\**")
COMMANDS = sorted({(path, block.command) for path, block in BLOCKS if not block.is_slow})
SLOW_COMMANDS = sorted({(path, block.command) for path, block in BLOCKS if block.is_slow})


def named(command: str) -> str:
    """A short id of a parameter."""
    return str(command).rpartition("/")[2]


def current(path: Path, command: str, *, slow: bool = False) -> bool:
    """Whether the blocks of one command hold what it prints. Skips without its data."""
    if figures.output(command) is None:
        pytest.skip(f"the data of {command} is missing")
    text = path.read_text("utf-8")

    def output(asked: str) -> str | None:
        return figures.output(asked) if asked.partition(" | ")[0] == command else None

    return figures.regenerated(text, output, slow=slow) == text


def test_there_are_figures_and_each_names_a_script_or_module() -> None:
    scripts = {command.split()[0] for _, command in COMMANDS}
    assert scripts >= {"bench/ceiling.py", "bench/published_types.py", *QUICK}
    for script in scripts - {"-m"}:
        assert (ROOT / script).is_file()


def test_a_stale_block_is_replaced_and_others_stay() -> None:
    blocks = (("x.py --n 1", "old"), ("y.py", "kept"))
    page = "".join(f"a\n<!-- figures: {name} -->\n{body}\n<!-- end of figures -->\nb\n" for name, body in blocks)
    outputs: Callable[[str], str | None] = {"x.py --n 1": "\nnew\n\n"}.get
    assert figures.regenerated(page, outputs) == page.replace("old", "new")
    assert [block.command for block in figures.blocks(page)] == ["x.py --n 1", "y.py"]


def test_a_slow_block_is_regenerated_apart() -> None:
    page = "<!-- slow figures: x.py -->\nold\n<!-- end of figures -->\n"
    assert figures.regenerated(page, lambda command: "new") == page
    assert figures.regenerated(page, lambda command: "new", slow=True) == page.replace("old", "new")


def test_a_block_takes_one_table_or_the_messages_and_keeps_its_fence() -> None:
    page = "<!-- figures: x.py | {} -->\n```text\nold\n```\n<!-- end of figures -->\n"
    outputs = {"x.py": "|a|\n\n|b|\n", "x.py | messages": "c\n"}
    for part, new in (("table 2", "|b|"), ("messages", "c")):
        text = page.format(part)
        assert figures.regenerated(text, outputs.get) == text.replace("old", new)


def test_a_fence_that_the_command_prints_is_regenerated_with_its_text() -> None:
    page = "<!-- figures: x.py -->\n### a\n\n```\n{}\n```\n<!-- end of figures -->\n"
    assert figures.regenerated(page.format("old"), lambda command: "### a\n\n```\nnew\n```\n") == page.format("new")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_table_of_figures_is_generated(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    if name in (*figures.PAGES, *NOT_GENERATED):
        return
    typed_in = re.sub(
        r"<!-- (slow )?figures: .*?<!-- end of figures -->|^```.*?^```", "", path.read_text("utf-8"), flags=re.S | re.M
    )
    rows = [line for line in typed_in.splitlines() if line.startswith("|")]
    found = [row for row in rows if any(NUMBER.fullmatch(cell.strip()) for cell in row.strip("|").split("|"))]
    assert found == []


def test_exceptions_are_needed() -> None:
    assert all((ROOT / name).is_file() for name in NOT_GENERATED)


@pytest.mark.medium
@pytest.mark.parametrize(("path", "command"), [one for one in COMMANDS if one[1].startswith(QUICK)], ids=named)
def test_quick_figures_are_current(path: Path, command: str) -> None:
    assert current(path, command), "run `make figures`"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "command"),
    [one for one in COMMANDS if not one[1].startswith(QUICK) and SIMULATION not in one[1]],
    ids=named,
)
def test_the_figures_of_pages_are_current(path: Path, command: str) -> None:
    assert current(path, command), "run `make figures`"


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("SPELLOUT_SLOW_FIGURES"), reason="set SPELLOUT_SLOW_FIGURES for these")
@pytest.mark.parametrize(("path", "command"), SLOW_COMMANDS, ids=named)
def test_the_slow_figures_of_pages_are_current(path: Path, command: str) -> None:
    assert current(path, command, slow=True), "run `make figures-slow`"
