"""Every example in a docstring gives what it shows."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.places import ROOT

PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout")
SHOWING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", SHOWING)
def test_the_examples_give_what_they_show(name: str) -> None:
    if name.startswith("runner.pocket"):
        pytest.importorskip("torch", reason="torch is missing (extra model)")
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted
    assert not found.failed
