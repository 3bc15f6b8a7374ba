"""The example of docs/property_testing.md is what the page says: it runs as it stands, passes, and can fail."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

from tests.places import ROOT

PAGE = ROOT / "docs" / "property_testing.md"
LINES = 10
Rewriter = Callable[[str, str], Any]


def example() -> str:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, "the page has no example"
    return found[1]


def defined_by(code: str) -> Callable[[], None]:
    """The test that the example defines, with a few examples of its own."""
    space: dict[str, Any] = {}
    exec(code, space)
    test: Callable[[], None] = settings(max_examples=8, deadline=None)(space["test_the_rewrite_is_the_same_program"])
    return test


def test_the_example_has_ten_lines() -> None:
    assert sum(bool(line.strip()) for line in example().splitlines()) <= LINES


@pytest.mark.medium
def test_the_example_passes() -> None:
    defined_by(example())()


@pytest.mark.slow
def test_the_example_fails_for_a_rewriter_that_is_wrong() -> None:
    rewriter = 'rewrite_source(program.source, "expressions").source'
    wrong = example().replace(rewriter, "program.source + '\\ndef f(*a): return a, 1'")
    assert wrong != example()
    with pytest.raises(AssertionError, match="differs in"):
        defined_by(wrong)()
