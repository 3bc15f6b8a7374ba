"""What CONTRIBUTING.md tells people to write and to run, written and run in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n)*)", PAGE, re.MULTILINE))
FILE = re.compile(r"^```python\n# (?P<path>\S+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TRIED = [name for name, text in SECTIONS.items() if COMMANDS.search(text)]
COPIED = (
    "corpora",
    "analyze",
    "rewrite",
    "runner",
    "spellout",
    "bench",
    "lab",
    "tests",
    "docs",
    "pyproject.toml",
    "README.md",
)


def test_each_part_that_can_be_added_has_a_section_that_is_tried() -> None:
    parts = ("a string method", "a hazard", "a benchmark", "a backend")
    engine = ["Add an intervention", "Change how a construct is lowered"]
    first = ["Run one test", "Add or correct an operation", *engine]
    assert [*first, *(f"Add {part}" for part in parts), "Change a risk feature"] == TRIED


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The repository without its large files."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.safetensors"))
        else:
            shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("section", TRIED)
def test_a_section_does_what_it_says(section: str, copy: Path) -> None:
    for file in FILE.finditer(SECTIONS[section]):
        (copy / file["path"]).write_text(file["text"], encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(copy), "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for command in "".join(COMMANDS.findall(SECTIONS[section])).splitlines():
        done = subprocess.run(command, shell=True, cwd=copy, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        assert "no tests ran" not in done.stdout
