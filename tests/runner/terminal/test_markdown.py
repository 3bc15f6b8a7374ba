"""Foreign text stands in Markdown as text: nothing in it makes a heading, a table, a link, a fence or HTML."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runner.terminal.markdown import code, fenced, plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>", "&lt;script>"),
        ("&lt;", "&amp;lt;"),
        ("a|b", r"a\|b"),
        ("# a", r"\# a"),
        ("- a", r"\- a"),
        ("1. a", r"1\. a"),
        ("a\n\n# b", r"a\\n\\n# b"),
        ("[a](b)", r"\[a\](b)"),
        ("_a_ a_b", r"\_a\_ a_b"),
        ("\x1b[31m", r"\\x1b\[31m"),
        ("\ud800", r"\\ud800"),
        ("HumanEval/12", "HumanEval/12"),
    ],
)
def test_text_that_would_be_markup_is_escaped(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(st.text(st.characters(), max_size=30))
def test_text_is_one_line_without_html_cells_or_escape_sequences(text: str) -> None:
    shown = plain(text)
    shown.encode("utf-8")
    assert "<" not in shown and "\x1b" not in shown and len(shown.splitlines()) <= 1
    assert not re.search(r"(?<!\\)(\\\\)*\|", shown), "an unescaped bar ends a cell"


@given(st.text(alphabet="`a \n", max_size=20))
def test_no_span_and_no_block_is_closed_from_inside(text: str) -> None:
    span, block = code(text), fenced(text, "python")
    runs = re.findall("`+", span)
    assert len(span.splitlines()) == 1 and runs.count(runs[0]) == 2, "the first and the last"
    runs = re.findall("`+", block)
    assert max(runs, key=len) == runs[0] and sum(len(run) >= len(runs[0]) for run in runs) == 2
