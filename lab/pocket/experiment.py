"""The experiment with a tracer: `python -m lab.pocket.experiment` asks about every program in every arm.

Its protocol stands on the page docs/pocket.md, which was written before it ran. The arms are the program unchanged,
the same sampled at a temperature, the placebo, the recipes, and other values exposed at a plan's price. A recipe is
judged against the placebo, on the programs that both change.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from corpora import Case
from corpora.errors import InputError
from lab.evidence.rewrite_effects import holm
from lab.pocket.elsewhere import elsewhere
from lab.pocket.gate import STOP_AFTER, Answers, answered, gate_parser, points, print_table
from lab.pocket.gate_programs import CRUXEVAL, GENERATED, HUMANEVAL
from runner.asking.backend import Backend
from runner.records.samples import REDRAW, Sample, originals
from runner.reports.recipe_table import paired_cells
from runner.runs.evaluation import evaluate
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs, format_p
from runner.statistics.recipe_effects import recipe_effects
from runner.terminal.console import note
from runner.terminal.tables import Cells

RECIPES = ("decompose", "letters", "idioms", "planned")
"""The recipes that are judged."""
TEMPERATURE = 0.7
ALL = "all"
LEVEL = 0.05
COLUMNS = ("programs", "asked", "right before", "right after", "gained", "lost", "p", "points", "less the placebo")
EPILOG = """examples:
  python -m lab.pocket.experiment --model pretrained:runs/tracer/decayed.safetensors --documents runs/documents.parquet
  python -m lab.pocket.experiment --model random:2x64 --limit 5 --output runs/smoke      smoke test
  python -m lab.pocket.experiment --answers runs/experiment/answers.jsonl.gz             the table again
"""


@dataclass(frozen=True)
class ArmEffect:
    """What an arm does to the answers of a population.

    Attributes:
        population: its name, or "all".
        arm: the recipe or control.
        paired: the unchanged program and the arm.
        against: the placebo and the arm; None for a control.
        p: of `against`, corrected for the number of recipes (Holm 1979); None if `arm` is not judged.
    """

    population: str
    arm: str
    paired: PairedComparison
    against: PairedComparison | None = None
    p: float | None = None

    @property
    def verdict(self) -> str:
        """By the rule of the page: "help", "harm" or "undecided"."""
        if self.p is None or self.against is None or self.p >= LEVEL:
            return "undecided"
        return "help" if self.against.difference > 0 else "harm"


def effects(runs: Mapping[str, Sequence[Sample]]) -> list[ArmEffect]:
    """The effect of each arm in each population and in all together, from their records, sampled ones included."""
    pooled = [replace(sample, benchmark=ALL) for samples in runs.values() for sample in samples]
    found: list[ArmEffect] = []
    for name, samples in {ALL: pooled, **runs}.items():
        own = [effect for effect in _arms(name, samples) if effect.paired.samples]
        tested = {one.arm: p for one in own if one.arm in RECIPES and one.against and (p := one.against.p) is not None}
        corrected = dict(zip(tested, holm(list(tested.values())), strict=True))
        found += [replace(one, p=corrected.get(one.arm)) for one in own]
    return found


def _arms(name: str, samples: Sequence[Sample]) -> Iterator[ArmEffect]:
    greedy = [sample for sample in samples if sample.answer_index is None]
    yield ArmEffect(name, REDRAW, _sampled(samples))
    for effect in recipe_effects(greedy):
        if effect.paired is not None:
            yield ArmEffect(name, effect.recipe, effect.paired, effect.against_control)


def _sampled(samples: Sequence[Sample]) -> PairedComparison:
    """The answers to unchanged programs, without and with a temperature."""
    asked = [sample for sample in originals(samples) if sample.asked]
    first = {sample.case_key: sample for sample in asked if sample.answer_index is None}
    drawn = [sample for sample in asked if sample.answer_index is not None and sample.case_key in first]
    return compare_pairs(AnswerPair(first[s.case_key].is_correct, s.is_correct, s.source) for s in drawn)


def measure(backend: Backend, asked: Mapping[str, Sequence[Case]], known: Answers, folder: Path, batch: int) -> Answers:
    """Asks what is not known, each population in run folders of its own; folders that exist are resumed."""
    runs: dict[str, Sequence[Sample]] = {}
    for name in (CRUXEVAL, GENERATED, HUMANEVAL):
        cases = asked[name]
        note(f"{name}: {len(cases)} programs")
        ask = partial(
            evaluate,
            backend,
            stop_at_divergence=True,
            stop_after=STOP_AFTER,
            batch_size=batch,
            known=known.get(name, ()),
        )
        again = ask(cases, output=folder / f"{name}-sampled", recipes=(), temperature=TEMPERATURE)
        runs[name] = [*ask(cases, output=folder / name, recipes=(*RECIPES, elsewhere(cases)), full=True), *again]
    return runs


def _row(effect: ArmEffect) -> Cells:
    return (
        f"{effect.population}: {effect.arm}",
        *paired_cells(effect.paired),
        points(effect.paired),
        "—" if effect.against is None else points(effect.against),
    )


def _sentences(found: Sequence[ArmEffect]) -> Iterator[str]:
    for one in found:
        if one.p is not None:
            yield f"{one.population}: {one.arm}: {one.verdict} (against the placebo, corrected {format_p(one.p)})."


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks, and prints the table and the verdicts."""
    options = gate_parser("experiment", __doc__ or "", EPILOG).parse_args(arguments)
    try:
        found = effects(answered(options, measure))
    except InputError as error:
        sys.stderr.write(f"experiment: {error}\n")
        return 2
    print_table(COLUMNS, [_row(one) for one in found], *_sentences(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
