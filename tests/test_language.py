"""Terms: one concept has one name in code, help texts and pages, and one class name is one class.

`RETIRED` has the terms that a reader of the field would not know, each with the standard term. Only terms that are
wrong in every context are listed.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import pytest

from tests.places import ROOT

RETIRED = {
    r"nobody vetted|not vetted": "untrusted program",
    r"forms? to ask in": "prompt format",
    r"slots? that can be set back": "KV cache with rollback",
    r"does all go through": "smoke test",
    r"told (beside|apart|from nothing)": "reported separately, distinguished, not significant",
    r"what (it|this) does not do": "not in scope",
    r"stands? by itself": "self-contained",
    r"is no file\b": "is not a regular file",
    r"(cannot|can) be had\b": "is (not) available",
    r"drawn anew|draws? (the programs|them) anew": "random seed",
    r"\bunsteady\b": "nondeterministic",
    r"\b(mended|mendable)\b": "repaired, fixable",
    r"worth least": "smallest gain",
    r"\btoo dear\b|\bdearest\b|\bdearer\b": "exceeds the budget, most expensive",
    r"\bparts? from the\b": "diverges from",
    r"held against": "compared with",
    r"comes? by it\b|came? by it\b|was come by": "how it was obtained",
    r"nearly safe": "a risk near zero",
    r"\bso many (tokens|samples|times|of)\b": "N, a number of",
    r"\bmeans nothing (for|with)\b": "does not apply to",
    r"\bit is held that\b": "state the fact",
    r"\bof these, \w+ are\b": "N of M are",
    r"\b(dead_locals|outer_function|stepped_range|short_names)\b": "the standard name of the pass",
    r"how sure a share is": "confidence interval",
    r"should have written": "reference trace",
    r"like lengths": "batches are bucketed by length",
    r"\bin its head\b": "simulates",
    r"the house\b": "the project",
    r"(is|are) told by\b": "depends on, is given by",
}
CODE = ("corpora", "analyze", "rewrite", "runner", "spellout")
EXCEPT = (
    "rewrite/anf/comments.py",
    "docs/rewrite.md",
)
"""Files and folders that still have some of the terms."""
PLACES = [
    path
    for pattern in (*(f"{package}/**/*.py" for package in (*CODE, "bench", "integrations")), "docs/*.md", "*.md")
    for path in sorted(ROOT.glob(pattern))
    if path.name != "CHANGELOG.md" and not path.relative_to(ROOT).as_posix().startswith(EXCEPT)
]
HELP = sorted((ROOT / "tests" / "runner" / "help").glob("*.txt"))
TWO_CLASSES = frozenset({"Judged", "Operation", "Recorded", "Request", "Scope"})
"""Class names that several classes still have."""


@pytest.mark.parametrize("path", [*PLACES, *HELP], ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_retired_term_is_used(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())  # a term may be wrapped
    found = {
        match[0]: standard for term, standard in RETIRED.items() for match in re.finditer(term, text, re.IGNORECASE)
    }
    assert not found, "use the standard terms"


def test_no_two_classes_have_one_name() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for package in CODE:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    several = {name: where for name, where in places.items() if len(where) > 1}
    assert not {name: where for name, where in several.items() if name not in TWO_CLASSES}
