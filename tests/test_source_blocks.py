"""Examples and templates of several lines are blocks that one reads, not strings with escaped line breaks.

F-strings do not count: their values may have several lines, which a dedented block would tear.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.places import ROOT

PACKAGES = ("corpora", "analyze", "rewrite", "runner", "spellout")
PLACEHOLDER = re.compile(r"%s|\{\w*\}")


def escaped_sources(text: str) -> Iterator[int]:
    """The lines where a string begins that is Python source of several lines and has no triple quotes."""
    tree = ast.parse(text)
    pieces = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in pieces:
            is_long = node.value.count("\n") > 1 and len(node.value.strip().splitlines()) > 1
            if is_long and is_source(node.value) and not has_triple_quotes(node, text):
                yield node.lineno


def is_source(text: str) -> bool:
    try:
        ast.parse(PLACEHOLDER.sub("_", text))
    except SyntaxError:
        return False
    return True


def has_triple_quotes(node: ast.Constant, text: str) -> bool:
    written = (ast.get_source_segment(text, node) or "").lstrip("rRuUbB")
    return written.startswith(('"""', "'''"))


def found(path: Path) -> list[int]:
    return list(escaped_sources(path.read_text(encoding="utf-8")))


@pytest.mark.medium
def test_sources_of_several_lines_are_blocks() -> None:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    named = {str(path.relative_to(ROOT)): path for path in paths}
    assert {name: lines for name, path in named.items() if (lines := found(path))} == {}


@pytest.mark.parametrize(
    "text",
    [
        'A = "return 1\\n"\n',
        'A = """\ndef f():\n    return 1\n"""\n',
        'A = f"if {a}:\\n    {b}\\n"\n',
        'A = "no Python\\nat all\\n"\n',
        'A = "\\n\\n"\n',
    ],
)
def test_what_may_stand_on_a_line(text: str) -> None:
    assert list(escaped_sources(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        'A = "def f():\\n    return 1\\n"\n',
        'A = ("if {0}:\\n"\n    "    {one} = {}\\n")\n',
        'A = "for {x} in %s:\\n    print({x})\\n"\n',
    ],
)
def test_the_scan_finds_sources_of_every_form(text: str) -> None:
    assert list(escaped_sources(text)) == [1]
