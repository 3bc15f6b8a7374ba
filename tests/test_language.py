"""Terms: one concept has one name in code, help texts and pages; a class name is a noun and names one class.

`RETIRED` has the terms that a reader of the field would not know, each with the standard term. Only terms that are
wrong in every context are listed.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache

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
CODE = ("corpora", "analyze", "rewrite", "runner", "spellout", "lab")
PLACES = [
    path
    for pattern in (*(f"{package}/**/*.py" for package in (*CODE, "bench", "integrations")), "docs/**/*.md", "*.md")
    for path in sorted(ROOT.glob(pattern))
    if path.name != "CHANGELOG.md"
]
HELP = sorted((ROOT / "tests" / "runner" / "help").glob("*.txt"))
IMPLEMENTATIONS = {
    "A-normal form": "rewrite/anf/__init__.py",
    "clustered": "runner/statistics/intervals.py",
    "confidence interval": "runner/statistics/intervals.py",
    "copy propagation": "rewrite/passes/cleanup/copy_propagation.py",
    "dead-store elimination": "rewrite/passes/shortening/dead_store_elimination.py",
    "definite assignment": "rewrite/analysis/definite_assignment.py",
    "draft": "runner/asking/drafts.py",
    "evaluation order": "rewrite/analysis/evaluation_order.py",
    "function outlining": "rewrite/passes/shortening/function_outlining.py",
    "greedy selection": "rewrite/cost/greedy_selection.py",
    "guard": "rewrite/string_methods/guards.py",
    "KV cache": "runner/backends/transformers/kv_cache.py",
    "liveness": "rewrite/passes/cleanup/temporary_reuse.py",
    "memoization": "rewrite/passes/shortening/memoization.py",
    "nondeterministic": "corpora/nondeterminism.py",
    "paired": "runner/statistics/paired.py",
    "prompt format": "runner/asking/prompts.py",
    "purity": "rewrite/passes/purity.py",
    "register allocation": "rewrite/passes/cleanup/temporary_reuse.py",
    "renaming": "rewrite/passes/shortening/local_renaming.py",
    "rollback": "runner/backends/transformers/kv_cache.py",
    "sampling": "runner/backends/transformers/gumbel_noise.py",
    "short-circuit": "rewrite/anf/short_circuit.py",
    "speculative verification": "runner/backends/transformers/speculative_decoding.py",
    "strength reduction": "rewrite/passes/shortening/strength_reduction.py",
    "token budget": "analyze/cost/token_budget.py",
    "worker": "corpora/sandbox/workers/zygote.py",
}
"""The module that implements a term of the field; its docstring begins with the term, so that a search finds it."""
PARTICIPLE = re.compile(r"_?([A-Z][a-z]+ed|Given|Known|Made|Order|Shown|Taken|Told|Written)")
PUBLIC = {"Rewritten"}
"""Participles that are public names (`from rewrite import ...`)."""


@pytest.mark.medium
def test_no_retired_term_is_used() -> None:
    texts = {path: " ".join(path.read_text(encoding="utf-8").split()) for path in [*PLACES, *HELP]}  # terms may wrap
    found = [
        f"{path.relative_to(ROOT)}: {match[0]!r}; use: {standard}"
        for path, text in texts.items()
        for term, standard in RETIRED.items()
        for match in re.finditer(term, text, re.IGNORECASE)
    ]
    assert found == []


@pytest.mark.parametrize("term", IMPLEMENTATIONS)
def test_a_search_for_a_term_of_the_field_finds_its_implementation(term: str) -> None:
    path = ROOT / IMPLEMENTATIONS[term]
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert term.lower() in docstring.lower()[:600], path


@cache
def classes() -> dict[str, list[str]]:
    """File and line of each class, by name."""
    places: dict[str, list[str]] = defaultdict(list)
    for package in CODE:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    return places


@pytest.mark.medium
def test_no_two_classes_have_the_same_name() -> None:
    assert not {name: where for name, where in classes().items() if len(where) > 1}


@pytest.mark.medium
def test_class_names_are_nouns() -> None:
    assert not {name: where for name, where in classes().items() if PARTICIPLE.fullmatch(name) and name not in PUBLIC}
