"""The experiment with a tracer: `python -m lab.pocket.experiment` asks about every program in every arm.

Its protocol stands on the page docs/pocket.md, which was written before it ran. The arms are the program unchanged,
the same sampled at a temperature, the placebo, the recipes, and other values exposed at a plan's price. A recipe is
compared with the unchanged programs, and judged against the placebo, on the programs that both change, if the answers
of the gate show that it holds.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from corpora import Case
from corpora.errors import InputError
from lab.pocket.elsewhere import elsewhere
from lab.pocket.gate import COLUMNS as GATE_COLUMNS
from lab.pocket.gate import Answers, answered, asking, gate_parser, points
from lab.pocket.gate_programs import CRUXEVAL, GENERATED, HUMANEVAL
from lab.pocket.judged_arms import (
    LESS_THE_PLACEBO,
    NO_PAIRS,
    TEMPERATURE,
    JudgedArm,
    add_gate,
    judge_arms,
    print_judged,
    verdicts,
    why_withheld,
    with_all,
)
from runner.asking.backend import Backend
from runner.records.samples import REDRAW, Sample, originals
from runner.reports.recipe_table import paired_cells
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs, format_p
from runner.statistics.recipe_effects import recipe_effects
from runner.terminal.console import note
from runner.terminal.tables import Cells

RECIPES = ("decompose", "letters", "idioms", "planned")
"""The recipes that are judged."""
COLUMNS = (*GATE_COLUMNS, "p, corrected", LESS_THE_PLACEBO)
EPILOG = """examples:
  python -m lab.pocket.experiment --model pretrained:runs/tracer/decayed.safetensors --documents runs/documents.parquet
  python -m lab.pocket.experiment --model random:2x64 --limit 5 --output runs/smoke      smoke test
  python -m lab.pocket.experiment --answers runs/experiment/answers.jsonl.gz             the table again
  ... --answers runs/experiment/answers.jsonl.gz --gate runs/gate/answers.jsonl.gz       verdicts, if the gate holds
"""


def effects(runs: Answers) -> list[JudgedArm]:
    """The effect of each arm in each population and in all together, from their records, sampled ones included."""
    every = with_all(runs).items()
    return [one for name, samples in every for one in judge_arms(_arms(name, samples), RECIPES, "help", "harm")]


def _arms(name: str, samples: Sequence[Sample]) -> Iterator[JudgedArm]:
    greedy = [sample for sample in samples if sample.answer_index is None]
    yield JudgedArm(name, REDRAW, _sampled(samples))
    for effect in recipe_effects(greedy):
        if effect.paired is not None:
            yield JudgedArm(name, effect.recipe, effect.paired, effect.against_control or NO_PAIRS)


def _sampled(samples: Sequence[Sample]) -> PairedComparison:
    """The answers to unchanged programs, without and with a temperature."""
    asked = [sample for sample in originals(samples) if sample.asked]
    first = {sample.case_key: sample for sample in asked if sample.answer_index is None}
    drawn = [sample for sample in asked if sample.answer_index is not None and sample.case_key in first]
    return compare_pairs(AnswerPair(first[s.case_key].is_correct, s.is_correct, s.program) for s in drawn)


def measure(backend: Backend, asked: Mapping[str, Sequence[Case]], known: Answers, folder: Path, batch: int) -> Answers:
    """Asks what is not known, each population in run folders of its own; folders that exist are resumed."""
    runs: dict[str, Sequence[Sample]] = {}
    for name in (CRUXEVAL, GENERATED, HUMANEVAL):
        cases = asked[name]
        note(f"{name}: {len(cases)} programs")
        ask = asking(backend, known.get(name, ()), batch)
        again = ask(cases, output=folder / f"{name}-sampled", recipes=(), temperature=TEMPERATURE)
        runs[name] = [*ask(cases, output=folder / name, recipes=(*RECIPES, elsewhere(cases)), full=True), *again]
    return runs


def _row(effect: JudgedArm) -> Cells:
    p = "—" if effect.own_p is None else format_p(effect.own_p).removeprefix("p = ")
    placebo = points(effect.placebo) if effect.placebo.samples else "—"
    return f"{effect.population}: {effect.arm}", *paired_cells(effect.own), points(effect.own), p, placebo


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks, and prints the table and the verdicts."""
    parser = gate_parser("experiment", __doc__ or "", EPILOG)
    add_gate(parser)
    options = parser.parse_args(arguments)
    try:
        runs = answered(options, measure)
        withheld = why_withheld(options.gate, runs)
    except InputError as error:
        sys.stderr.write(f"experiment: {error}\n")
        return 2
    found = effects(runs)
    print_judged(COLUMNS, [_row(one) for one in found], withheld, *verdicts(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
