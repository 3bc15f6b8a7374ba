"""The shell blocks of README and docs do what they say, typed as they stand, in a folder of `spellout example`.

A block `sh` is executed; each command has to succeed, or to end with the status that a comment behind it names ("exits
with status 1"). A block `console` has commands behind `$ ` and what they print on standard output, possibly followed by
standard error; a line `...` stands for any lines. A block that is not executed has a comment with the reason before it:
`<!-- not run: needs a GPU -->`. A small model stands in for the embedded one, which needs two seconds per answer.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from runner.backends import backends
from runner.inputs.examples import write_examples
from tests.models import SMALL_TRACER
from tests.places import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(
    r"^(?:<!-- not run: (?P<reason>[^\n]+) -->\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"^(?:\$ )?(?:spellout|python|make|pip|vllm) ", re.MULTILINE)
WAITING = re.compile(r"^[\w ]+ …\n", re.MULTILINE)
"""What a command writes to a log if its work takes more than two seconds, as on a busy machine."""
STATUS = re.compile(r"#.*exits with status (\d)")
MOST_NOT_RUN = 23
PROMPT = "$ "


class Block(NamedTuple):
    """A block of a page; reason: why it is not executed, "" if it is."""

    language: str
    text: str
    reason: str


def blocks(page: Path) -> list[Block]:
    """The blocks of a page that have commands of a shell."""
    found = [Block(m["language"], m["text"], m["reason"] or "") for m in BLOCK.finditer(page.read_text("utf-8"))]
    return [
        one for one in found if one.language in ("sh", "console") or (not one.language and COMMAND.search(one.text))
    ]


RUN = [page for page in PAGES if any(not block.reason for block in blocks(page))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_are_in_blocks_that_are_executed(page: Path) -> None:
    assert [block.text for block in blocks(page) if block.language == ""] == []
    assert all(COMMAND.search(block.text) or block.reason for block in blocks(page) if block.language == "sh")


def test_few_blocks_are_not_executed() -> None:
    left = [block for page in PAGES for block in blocks(page) if block.reason]
    assert len(left) <= MOST_NOT_RUN < len([block for page in RUN for block in blocks(page)])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the example files."""
    list(write_examples(tmp_path))
    return tmp_path


def in_shell(command: str, folder: Path) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Runs a command of bash with the installed `spellout`; the result, and the folder in which the shell is then."""
    place = folder / ".place"
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    command = command.replace("--model pocket", f"--model {SMALL_TRACER}")
    script = f"set -o pipefail\n{command}\nstatus=$?\npwd > {place}\nexit $status\n"
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL
    )
    return done, Path(place.read_text().strip()) if place.exists() else folder


def commands(text: str) -> list[str]:
    """The commands of a block: a line each, with the lines that continue it."""
    found: list[str] = []
    for line in text.splitlines():
        if found and found[-1].rstrip().endswith(("|", "\\")):
            found[-1] += "\n" + line
        elif line.strip():
            found.append(line)
    return found


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    parts = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def matches(printed: str, shown: str) -> bool:
    """Whether a command printed what the page shows, where a line `...` stands for any lines."""
    pattern = "".join(r"(?:.*\n)*" if line == "...\n" else re.escape(line) for line in shown.splitlines(keepends=True))
    return re.fullmatch(pattern, re.sub(r" +$", "", printed, flags=re.MULTILINE)) is not None


def test_a_reason_is_that_of_the_next_block_alone() -> None:
    text = "<!-- not run: a -->\n```sh\nls\n```\n```sh\nspellout\n```\n<!-- not run: b -->\n```sh\npwd\n```\n"
    assert [found["reason"] for found in BLOCK.finditer(text)] == ["a", None, "b"]


def test_what_is_shown_is_compared() -> None:
    assert matches("a\nb\nc\n", "a\n...\nc\n") and matches("a\n", "a\n")
    assert not matches("a\nb\n", "a\n") and not matches("b\n", "a\n") and not matches("a\nb\n", "...\nc\n")


def check(page: Path, folder: Path) -> None:
    for block in blocks(page):
        if block.reason:
            continue
        typed = [(one, None) for one in commands(block.text)]
        for command, shown in sessions(block.text) if block.language == "console" else typed:
            done, folder = in_shell(command, folder)
            status = STATUS.search(command)
            allowed = {0, int(status[1])} if status else {0}
            if shown is not None:
                printed = done.stdout, done.stdout + WAITING.sub("", done.stderr)
                assert any(matches(text, shown) for text in printed), (
                    f"{command}\nprinted\n{done.stdout}\n{done.stderr}"
                )
                continue
            assert done.returncode in allowed, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


@pytest.mark.medium
def test_the_readme(folder: Path) -> None:
    pytest.importorskip("torch", reason="models need the extra model")
    check(ROOT / "README.md", folder)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in RUN if page.parent != ROOT], ids=lambda page: page.stem)
def test_a_page(page: Path, folder: Path) -> None:
    pytest.importorskip("torch", reason="models need the extra model")
    check(page, folder)


def test_the_page_of_models_lists_the_backends() -> None:
    table = (ROOT / "docs" / "backends.md").read_text("utf-8").partition("| --- |")[2].partition("\n\n")[0]
    listed = [line.split(" | ")[0].removeprefix("| ").replace("`", "") for line in table.splitlines()[1:]]
    assert sorted(listed) == sorted(re.sub(r" \([^)]*\)", "", module.SPEC) for module in backends().values())
