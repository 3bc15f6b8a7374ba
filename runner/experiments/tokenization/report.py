"""The page of the experiment: its claims with effects, accuracies by operation, first divergences, and the budget."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpora.generators.matched_functions import OPERATIONS, TYPES
from runner.experiments.findings import AccuracyPoint, Findings, can_plot, plot
from runner.experiments.tokenization.effects import Effect, differences, effects_table, mean_effect
from runner.experiments.tokenization.evaluation import Answers
from runner.pocket import folder
from runner.pocket.findings.configuration import ExperimentConfig
from runner.pocket.findings.programs import VARIANT
from runner.pocket.findings.vocabularies import ARMS
from runner.records.samples import Sample

BPE, CHARACTERS = ARMS
PREAMBLE = """\
A model of three million parameters, trained on functions of three lines, can show whether tokenization *alone* makes
strings harder for a model of this architecture at this scale: the two arms differ in nothing else. It cannot show how
many failures of a 32-billion-parameter model are due to tokens. That model has seen enough text to learn the spelling
of its tokens, and its programs are longer."""


def write_report(config: ExperimentConfig, answers: Sequence[Answers], output: Path) -> str:
    """Writes `findings.json` and, with matplotlib, `findings.svg` to a folder, and returns the page as Markdown."""
    found = Comparison(answers)
    effects = list(found.effects())
    (output / "findings.json").write_text(
        json.dumps([asdict(one) | {"verdict": one.verdict} for one in effects], indent=1)
    )
    if can_plot():
        (output / "findings.svg").write_text(plot(_figure(found)), encoding="utf-8")
    parts = (PREAMBLE, _budget(config, answers), effects_table(effects), _accuracy_table(found), _divergences(found))
    return "\n\n".join(parts) + "\n"


class Comparison:
    """The answers of both arms, by program and seed."""

    def __init__(self, answers: Sequence[Answers]) -> None:
        self.answers = answers
        self.kinds = {sample.id: sample.kind for sample in answers[0].samples}
        self.right: dict[str, dict[tuple[str, int], bool]] = {arm: {} for arm in ARMS}
        for one in answers:
            for sample in one.samples:
                self.right[one.run.arm][sample.id, one.run.seed] = sample.verdict == "correct"

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

    def of(self, arm: str, kind: str) -> list[Sample]:
        """All answers of an arm to programs of one kind."""
        return [one for answer in self.answers if answer.run.arm == arm for one in answer.samples if one.kind == kind]


def _accuracy(samples: Sequence[Sample]) -> str:
    return f"{100 * sum(one.verdict == 'correct' for one in samples) / len(samples):.0f} %" if samples else "—"


def _accuracy_table(found: Comparison) -> str:
    lines = [
        f"| operation | {' | '.join(f'{kind}, {arm}' for kind in (*TYPES, VARIANT) for arm in ARMS)} |",
        "|---|" + "--:|" * (2 * (len(TYPES) + 1)),
    ]
    for operation in OPERATIONS:
        kinds = (*(f"{kind} {operation}" for kind in TYPES), f"string {operation} {VARIANT}")
        lines.append(
            f"| {operation} | {' | '.join(_accuracy(found.of(arm, kind)) for kind in kinds for arm in ARMS)} |"
        )
    return "\n".join(lines)


def _divergences(found: Comparison) -> str:
    counts = {
        arm: Counter(
            sample.diagnosis.kind
            for answer in found.answers
            if answer.run.arm == arm
            for sample in answer.samples
            if sample.diagnosis and sample.verdict != "correct" and sample.kind.startswith("string")
        )
        for arm in ARMS
    }
    kinds = sorted({kind for one in counts.values() for kind in one}, key=lambda kind: -counts[BPE][kind])
    lines = [f"| first divergence, string programs | {' | '.join(ARMS)} |", "|---|" + "--:|" * len(ARMS)]
    lines += [f"| {kind} | {' | '.join(str(counts[arm][kind]) for arm in ARMS)} |" for kind in kinds]
    return "\n".join(lines)


def _budget(config: ExperimentConfig, answers: Sequence[Answers]) -> str:
    lines = ["| model | programs seen | tokens seen | hours | last loss |", "|---|--:|--:|--:|--:|"]
    for one in answers:
        last = folder.lines(one.run.folder)[-1]
        lines.append(
            f"| {one.run.name} | {last['documents']:,} | {last['tokens'] / 1e6:.1f} M | {last['seconds'] / 3600:.1f} "
            f"| {last['loss']:.4f} |"
        )
    return "\n".join(lines) + f"\n\nEach model sees {config.programs:,} programs once; tokens include padding."


def _figure(found: Comparison) -> Findings:
    points = []
    for arm in ARMS:
        for kind in TYPES:
            for operation in OPERATIONS:
                own = found.of(arm, f"{kind} {operation}")
                right = sum(one.verdict == "correct" for one in own)
                cut = sum(one.verdict == "truncated" for one in own)
                programs = len({one.id for one in own})
                points.append(
                    AccuracyPoint(f"{kind}, {arm}", operation, right, len(own) - right - cut, cut, 0, programs)
                )
    return Findings("Accuracy on unseen programs by vocabulary", "operation", tuple(points))
