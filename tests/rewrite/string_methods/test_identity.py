"""A part of a string may be the string itself, which `is` shows."""

import pytest

from corpora.source_block import source_block
from rewrite import rewrite_source
from rewrite.string_methods.expansion import IDENTITY

PARTS = (
    "s[:]",
    "s[0:]",
    "s[:9]",
    "s[-9:]",
    "s[n:]",
    "s[n:9]",
    "s[::k]",
    "s.split(',')[0]",
    "s.rsplit(',')[0]",
    "s.splitlines()[0]",
)
RECIPES = ("decompose", "elements", "idioms", "letters", "methods")


def results(source: str) -> object:
    namespace: dict[str, object] = {}
    exec(source, namespace)
    return namespace["f"]()  # type: ignore[operator]


@pytest.mark.parametrize("recipe", RECIPES)
def test_a_part_that_is_the_string_itself_stays_it(recipe: str) -> None:
    source = source_block(f"""
        def f():
            s, n, k = 'banana', 0, 1
            return [{", ".join(f"{part} is s" for part in PARTS)}]
    """)
    assert results(source) == [True] * len(PARTS)
    assert results(rewrite_source(source, recipe).source) == results(source)


def test_the_reason_is_reported() -> None:
    source = "def f():\n    s = 'banana'\n    t = s[1:]\n    return t is s\n"
    assert IDENTITY in {left.reason for left in rewrite_source(source, "elements").left}


@pytest.mark.parametrize("test", ["t is None", "type(t) is str", "t == s"])
def test_other_comparisons_do_not_show_it(test: str) -> None:
    source = f"def f():\n    s = 'banana'\n    t = s[1:]\n    return {test}\n"
    rewritten = rewrite_source(source, "elements").source
    assert "s[1:]" not in rewritten and results(rewritten) == results(source)
