"""The documentation site builds without a warning, and a broken link is one. See docs/conf.py."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import ROOT

pytestmark = pytest.mark.slow


def build(source: Path, site: Path) -> subprocess.CompletedProcess[str]:
    pytest.importorskip("myst_nb", reason="Sphinx is missing (extra docs)")
    recipe = re.search(r"sphinx-build (.*) -c docs \. build/site", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert recipe
    command = [sys.executable, "-m", "sphinx", *recipe[1].split(), "-c", str(source / "docs"), str(source), str(site)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("link", "warning"),
    [
        ("no_such_page.md", "no_such_page.md"),
        ("../no_such_file.py", "no_such_file.py"),
        ("other.md#no-such-heading", "no-such-heading"),
        ("#no-such-heading", "no-such-heading"),
    ],
)
def test_a_broken_link_fails(link: str, warning: str, tmp_path: Path) -> None:
    pages = tmp_path / "docs"
    shutil.copytree(ROOT / "docs" / "site", pages / "site")
    shutil.copy(ROOT / "docs" / "conf.py", pages)
    (pages / "index.md").write_text(f"# Index\n```{{toctree}}\nother\n```\n[broken]({link})\n")
    (pages / "other.md").write_text("# Other\n")
    done = build(tmp_path, tmp_path / "built")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert warning in done.stderr


def test_the_site_builds_and_shows_parser_docstrings_and_notebook(tmp_path: Path) -> None:
    done = build(ROOT, tmp_path)
    assert done.returncode == 0, done.stderr
    for page, content in (
        ("docs/reference/cli", "spellout-audit---fail-on"),
        ("docs/reference/api", "runner.evaluate"),
        ("docs/interventions", 'id="temporaries"'),
        ("docs/tutorial", "of 12 correct, "),
        ("index", "docs/index.html"),
    ):
        assert content in (tmp_path / f"{page}.html").read_text(encoding="utf-8")
