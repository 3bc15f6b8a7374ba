"""The page of the experiment: its claims with effects, accuracies by operation, first divergences, and the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corpora.generators.matched_functions import OPERATIONS, TYPES
from lab.tokenization.arm_differences import Effect, differences, effects_table, mean_effect
from lab.tokenization.results import Answer, ModelResult
from runner.pocket.findings.programs import VARIANT
from runner.pocket.findings.vocabularies import ARMS

BPE, CHARACTERS = ARMS


def report(results: Sequence[ModelResult]) -> str:
    """The page as Markdown."""
    found = Comparison(results)
    parts = (_budget(results), effects_table(list(found.effects())), _accuracy_table(found), _divergences(found))
    return "\n\n".join(parts) + "\n"


class Comparison:
    """The answers of both arms, by program and seed."""

    def __init__(self, results: Sequence[ModelResult]) -> None:
        self.results = results
        self.kinds = {answer.id: answer.kind for answer in results[0].answers}
        self.right: dict[str, dict[tuple[str, int], bool]] = {arm: {} for arm in ARMS}
        for one in results:
            for answer in one.answers:
                self.right[one.arm][answer.id, one.seed] = answer.verdict == "correct"

    def effects(self) -> Iterator[Effect]:
        """The claims of the experiment, the main ones first."""
        strings, lists = self._between_arms("string"), self._between_arms("list")
        yield mean_effect("characters instead of BPE tokens: string programs", [strings], [1])
        yield mean_effect("characters instead of BPE tokens: list programs (control)", [lists], [1])
        yield mean_effect("interaction: strings gain more than lists", [strings, lists], [1, -1])
        bpe, characters = self._between_words(BPE), self._between_words(CHARACTERS)
        yield mean_effect("other letters instead of a word, BPE tokens", [bpe], [1])
        yield mean_effect("other letters instead of a word, characters (control)", [characters], [1])
        # Paired by program: the difference of the two differences.
        yield mean_effect("interaction: other letters help BPE tokens more than characters", [bpe - characters], [1])
        for operation in OPERATIONS:
            own = self._between_arms(f"string {operation}")
            yield mean_effect(f"characters instead of BPE tokens: string {operation}", [own], [1])

    def _between_arms(self, kind: str) -> NDArray[np.float64]:
        """Characters less BPE, for the original programs of a type, or of a type and operation."""
        chosen = [name for name, own in self.kinds.items() if f"{own} ".startswith(f"{kind} ") and VARIANT not in own]
        return differences(self.right[BPE], self.right[CHARACTERS], [(name, name) for name in chosen])

    def _between_words(self, arm: str) -> NDArray[np.float64]:
        """Other letters less the word, in one arm."""
        pairs = [(name.removesuffix("-variant"), name) for name, kind in self.kinds.items() if VARIANT in kind]
        return differences(self.right[arm], self.right[arm], pairs)

    def of(self, arm: str, kind: str = "") -> list[Answer]:
        """All answers of an arm to programs of one kind (default: of every kind)."""
        own = (answer for one in self.results if one.arm == arm for answer in one.answers)
        return [answer for answer in own if kind in ("", answer.kind)]


def _accuracy(answers: Sequence[Answer]) -> str:
    return f"{100 * sum(one.verdict == 'correct' for one in answers) / len(answers):.0f} %" if answers else "—"


def _accuracy_table(found: Comparison) -> str:
    rows = []
    for operation in OPERATIONS:
        kinds = (*(f"{kind} {operation}" for kind in TYPES), f"string {operation} {VARIANT}")
        rows.append((operation, *(_accuracy(found.of(arm, kind)) for kind in kinds for arm in ARMS)))
    return _table(("operation", *(f"{kind}, {arm}" for kind in (*TYPES, VARIANT) for arm in ARMS)), rows)


def _is_original_string(kind: str) -> bool:
    return kind.startswith("string") and VARIANT not in kind


def _divergences(found: Comparison) -> str:
    counts = {
        arm: Counter(one.divergence for one in found.of(arm) if one.divergence and _is_original_string(one.kind))
        for arm in ARMS
    }
    kinds = sorted({kind for one in counts.values() for kind in one}, key=lambda kind: -counts[BPE][kind])
    rows = ((kind, *(str(counts[arm][kind]) for arm in ARMS)) for kind in kinds)
    return _table(("first divergence, string programs", *ARMS), rows)


def _budget(results: Sequence[ModelResult]) -> str:
    columns = ("model", "programs seen", "tokens seen", "hours", "last loss")
    rows = (
        (one.name, f"{one.programs:,}", f"{one.tokens / 1e6:.1f} M", f"{one.hours:.1f}", f"{one.loss:.4f}")
        for one in results
    )
    return _table(columns, rows)


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown: names in the first column, figures in the others."""
    lines = [f"| {' | '.join(cells)} |" for cells in (columns, *rows)]
    return "\n".join([lines[0], "|---|" + "--:|" * (len(columns) - 1), *lines[1:]])
