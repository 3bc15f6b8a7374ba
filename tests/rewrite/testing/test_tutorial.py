"""The page docs/tutorial_intervention.md is executed: the first version fails its check, the second one passes."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from rewrite.pipeline.registration import external_recipes
from rewrite.testing import Report
from tests.places import ROOT

PAGE = ROOT / "docs" / "tutorial_intervention.md"


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    before = dict(external_recipes())
    yield
    external_recipes().clear()
    external_recipes().update(before)


@pytest.mark.slow
def test_the_page_does_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    space: dict[str, Any] = {"__name__": "tutorial"}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), space)
    report = space["report"]
    assert isinstance(report, Report) and report.counterexample is not None
    assert len(report.counterexample.program.splitlines()) <= 6, report
    space["test_swapped_branches"]()
    assert capsys.readouterr().out.endswith(
        "def f(n):\n    if not n:\n        return 2\n    else:  # any\n        return 1\n\n"
    )
