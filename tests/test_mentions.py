"""Files, modules and names of ours that pages, docstrings and comments speak of are there."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.places import ROOT

OURS = "corpora|analyze|rewrite|runner|spellout|lab|tests|bench|docs"
PATH = re.compile(rf"(?<![\w./-])(?:{OURS})/[\w./*-]*[\w*]")
NAME = re.compile(rf"(?<![\w./-])(?:{OURS})(?:\.(?!(?:py|jsonl|md)\b)[A-Za-z_]\w*)+")
IN_COMMENT = re.compile(rf"#.*(?:{OURS})[./]")
# docs/records.md is made from a schema, and has fields with names like those of our packages.
PAGES = [
    *ROOT.glob("*.md"),
    *(p for p in (ROOT / "docs").glob("*.md") if p.stem != "records"),
    ROOT / "Makefile",
    ROOT / "pyproject.toml",
]
MODULES = [path for top in OURS.split("|") for path in (ROOT / top).rglob("*.py")]


def prose(path: Path) -> str:
    """The text of a page; of a module its docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return re.sub(r"^```python\n# .*?^```", "", text, flags=re.MULTILINE | re.DOTALL)  # files to be written
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    said = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, owners)]
    return "\n".join([*said, *comments(text)])


def comments(text: str) -> Iterator[str]:
    """The comments of a module; none if none speaks of ours, which is seen without tokenization."""
    if IN_COMMENT.search(text):
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from (token.string for token in tokens if token.type == tokenize.COMMENT)


def missing(text: str) -> Iterator[str]:
    """What a text speaks of and is not there."""
    yield from (path for path in PATH.findall(text) if not any(ROOT.glob(re.sub(r"\b[A-Z]{3,}\b", "*", path))))
    yield from (name for name in NAME.findall(text) if not is_there(name))


@cache
def is_there(name: str) -> bool:
    """Whether a dotted name is a module of ours, or a name that stands in one."""
    inner = name.removeprefix("spellout.").partition(".")[0]
    if name.startswith("spellout.") and not (ROOT / "spellout" / f"{inner}.py").is_file():  # a name of the four others
        return any(
            is_there(name.replace("spellout", package, 1)) for package in ("corpora", "analyze", "rewrite", "runner")
        )
    place = ROOT
    for part in name.split("."):
        if place.suffix or not (file := place / f"{part}.py").is_file():
            file = place if place.suffix else place / part
        if not file.exists():
            first_page = place / "__init__.py"
            return first_page.is_file() and stands_in(part, first_page)
        if file == place:
            return stands_in(part, place)
        place = file
    return True


def stands_in(word: str, path: Path) -> bool:
    return word in words_of(path)


@cache
def words_of(path: Path) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", path.read_text(encoding="utf-8")))


@pytest.mark.medium
def test_what_is_spoken_of_is_there() -> None:
    found = {path.relative_to(ROOT).as_posix(): list(missing(prose(path))) for path in [*PAGES, *MODULES]}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "`rewrite/collector.py`",
        "see bench/no_*.py",
        "`rewrite.collector`",
        "`rewrite.pipeline.recipes.unheard_of`",
        "rewrite.nope()",
    ],
)
def test_what_is_not_there_is_found(text: str) -> None:
    assert list(missing(text))


@pytest.mark.parametrize(
    "text",
    [
        "`tests/places.py`",
        "bench/bench_*.py",
        "`rewrite.pipeline.recipes.recipe_names`",
        "corpora.load",
        "runner/commands/NAME.py",
        "your `runner.py`",
        "`rewrite`",
    ],
)
def test_what_is_there_is_not_found(text: str) -> None:
    assert not list(missing(text))
