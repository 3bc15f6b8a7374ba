"""Every example in a docstring gives what it shows."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab", "bench")
SHOWING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__").removeprefix("bench.")
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]
"""Names of modules; the scripts in `bench` are no package."""


@pytest.mark.parametrize("name", SHOWING)
def test_the_examples_give_what_they_show(name: str) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed


BLOCK = re.compile(r"^```python\n(>>> .*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [path for path in sorted((ROOT / "docs").glob("*.md")) if BLOCK.search(path.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_the_examples_of_a_page_give_what_they_show(path: Path) -> None:
    blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, block in enumerate(blocks):
        runner.run(doctest.DocTestParser().get_doctest(block, {}, f"{path.name}[{number}]", str(path), 0))
    assert runner.summarize(verbose=False).attempted
    assert not runner.summarize(verbose=False).failed
