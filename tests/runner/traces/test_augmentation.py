"""Rewrites for augmentation: equal on their call, or left out with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from corpora import Case, run_call
from rewrite import rewrite_source
from runner.traces import augmentation
from runner.traces.augmentation import rewrite_case
from runner.traces.trace_request import DroppedRowError

SOURCE = "def f(s):\n    return (len(s) + 1) * s.count('a')"


@pytest.mark.medium
def test_a_rewrite_is_equal_on_its_call() -> None:
    source = rewrite_case(Case("a", SOURCE, "f('banana')"), "decompose", 5)
    assert source != SOURCE and run_call(source, "f('banana')").value == "21"


def test_a_program_with_nothing_to_rewrite_is_named() -> None:
    with pytest.raises(DroppedRowError, match="leaves the program unchanged"):
        rewrite_case(Case("a", "def f(x):\n    return x", "f(1)"), "decompose", 5)


@pytest.mark.medium
def test_a_wrong_rewrite_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    class WrongRewriter:
        def rewrite(self, source: str, recipe: str, *, calls: list[str]) -> object:

            return replace(rewrite_source(source, recipe), source=source.replace("+ 1", "+ 2"))

    monkeypatch.setattr(augmentation, "shared_process", WrongRewriter)
    with pytest.raises(DroppedRowError, match="not proven equal on its call"):
        rewrite_case(Case("a", SOURCE, "f('banana')"), "decompose", 5)
