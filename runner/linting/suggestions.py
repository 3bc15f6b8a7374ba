"""Suggestions for findings, each checked before it is made.

A separator is suggested if all of its occurrences keep its own tokens in the string of the finding, with the finding's
tokenizer and context. A recipe is suggested if the operation shows the hazard when it is executed, and no longer does
after `spellout rewrite` with that recipe. That is checked on the first finding of each class and operation, separately
for patterns of one character and longer ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from analyze.auditing.audit import AuditScope, audit_rows
from analyze.hazards.batch import QuestionBatch, StringQuestion
from analyze.hazards.match_positions import SEARCH_METHODS, WHITESPACE_METHODS
from analyze.hazards.measured_effects import measured_effects
from analyze.operations.catalogue import methods
from analyze.operations.operation import Kind, Occurrences
from analyze.tokens.contexts import as_context
from analyze.tokens.engines import TokenizationEngine, engine_for
from analyze.tokens.tokenizer import load_tokenizer
from corpora.dataset import Row
from corpora.errors import InputError

NO_ACTION = "no action: not associated with failures"
KEEP_CHARACTER = "use another character, or a vocabulary with a token for every byte; an escape keeps it in source"
NO_FIX = "no checked fix: see --explain"
SEPARATORS = (",", ", ", ";", "|", " | ", "->", "::", ":", "/", "--", "\t", "\n", "\x1f")
"""Candidates, the most usual first."""
RECIPES = ("decompose", "methods")
_ALL = (Occurrences.ALL, Occurrences.ALL_FROM_RIGHT)
_SPLITS = methods("str", lambda one: one.finds in _ALL or (one.kind is Kind.SPLIT and one.finds is not None))
_UNKNOWN_ARGUMENTS = frozenset({"translate", "format", ""})
_NEEDS_PATTERN = frozenset(SEARCH_METHODS) - WHITESPACE_METHODS
_WIDTHS = methods("str", lambda one: one.kind is Kind.PAD)


class SuggestionFinder:
    """Finds suggestions. Recipes are kept by class and operation, because a check runs programs.

    Args:
        tokenizers: The tokenizers of the audit, by the name that its findings have.
    """

    def __init__(self, tokenizers: Mapping[str, str]) -> None:
        self._tokenizers = tokenizers
        self._recipes: dict[tuple[str, str, int, str], str | None] = {}

    def suggest(self, finding: Mapping[str, Any], level: str) -> str:
        """Returns what to do about a finding, in one line.

        Args:
            finding: With the fields of `analyze.auditing.findings.Finding`.
            level: "error", "warning" or "info".
        """
        engine = engine_for(load_tokenizer(self._tokenizers[finding["tokenizer"]]))
        if level == "error":
            return KEEP_CHARACTER
        separator = safe_separator(finding, engine)
        if level == "info":
            measured = finding["hazard"] in measured_effects().hazards
            reason = NO_ACTION if measured else "no action: its effect on failures was not measured"
            return reason if separator is None else f"{reason} (the separator {separator!r} would keep its token)"
        if separator is not None:
            return f"use the separator {separator!r}, which keeps its token here"
        recipe = self._recipe(finding, engine)
        return f"spellout rewrite --recipe {recipe}" if recipe else NO_FIX

    def _recipe(self, finding: Mapping[str, Any], engine: TokenizationEngine) -> str | None:
        # Recipes rewrite searches for one character in another way than those for longer patterns.
        length = min(2, len(finding["pattern"] or ""))
        key = (finding["hazard"], finding["method"], length, finding["tokenizer"])
        if key not in self._recipes:
            self._recipes[key] = removing_recipe(finding, engine)
        return self._recipes[key]


def safe_separator(finding: Mapping[str, Any], engine: TokenizationEngine) -> str | None:
    """Returns a separator that keeps its own tokens wherever the finding's separator is; None if there is none.

    None also if the operation does not split, join or count at a pattern without letters and digits.
    """
    text, pattern, method = finding["text"], finding["pattern"], finding["method"]
    if not pattern or method not in _SPLITS or any(char.isalnum() for char in pattern) or pattern not in text:
        return None
    candidates = [one for one in SEPARATORS if one != pattern and one not in text.replace(pattern, "")]
    searched = method if method in SEARCH_METHODS else "split"
    questions = [StringQuestion(text.replace(pattern, one), one, searched) for one in candidates]
    spots = QuestionBatch(questions, engine, as_context(finding["context"])).occurrences
    cut = set(spots.rows[~spots.equal].tolist())
    return next((one for row, one in enumerate(candidates) if row not in cut), None)


def removing_recipe(finding: Mapping[str, Any], engine: TokenizationEngine) -> str | None:
    """Returns the first recipe of `RECIPES` after which the finding's operation no longer has its hazard."""
    call = f"f({finding['text']!r})"
    for source in _programs(finding):
        if not _has_hazard(source, call, finding, engine):
            continue
        for recipe in RECIPES:
            after = _rewritten(source, recipe)
            if after != source and not _has_hazard(after, call, finding, engine):
                return recipe
        return None
    return None


@cache
def _rewritten(source: str, recipe: str) -> str:
    """Rewrites as the suggested command does: without a call whose types it may assume."""
    from rewrite import rewrite_source  # only a warning needs it

    return rewrite_source(source, recipe).source


def _programs(finding: Mapping[str, Any]) -> list[str]:
    """Returns programs that apply the finding's operation to their argument."""
    method, text, pattern = finding["method"], finding["text"], finding["pattern"]
    sought = "" if pattern is None else repr(pattern)
    if method == "in":
        expressions = [f"{sought} in text"]
    elif method == "[]":
        expressions = [f"text[{len(text.encode()[: finding['start']].decode(errors='ignore'))}]"]
    elif method == "replace":
        expressions = [f"text.replace({sought}, {new!r})" for new in ("_", "", str(pattern).upper())]
    elif method in _WIDTHS:
        expressions = [f"text.{method}({len(text) + 5})"]
    elif method == "join":
        expressions = [f"{sought}.join(text.split({sought}))"] if pattern else []
    elif method in _UNKNOWN_ARGUMENTS or (pattern is None and method in _NEEDS_PATTERN):
        expressions = []
    else:
        expressions = [f"text.{method}({sought})"]
    return [f"def f(text):\n    return {expression}\n" for expression in expressions]


def _has_hazard(source: str, call: str, finding: Mapping[str, Any], engine: TokenizationEngine) -> bool:
    """Whether executing the call shows the hazard for the string. True if that is unknown, as without a sandbox."""
    scope = AuditScope((engine,), (as_context(finding["context"]),), codes=frozenset({finding["hazard"]}))
    try:
        findings, summary = audit_rows([Row(1, "", {"source": source, "call": call})], scope)
    except InputError:
        return True
    if summary.bad:
        return True
    executed = [found for found in findings if found.field in ("operation", "execution")]
    return any(found.text == finding["text"] for found in executed)
