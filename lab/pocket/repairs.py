"""Whether rewriting repairs failures: `python -m lab.pocket.repairs` asks again about what a tracer got wrong.

Its protocol stands on the page docs/pocket.md, which was written before it ran. A recipe is judged by the failures that
it changes: how many of them are right afterwards, against a sampled second answer to the unchanged program, and against
the placebo, if the answers of the gate show that it holds. The programs are MBPP's and generated ones, none of which
was asked about before.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from corpora import Case
from corpora.errors import InputError
from lab.pocket.benchmark_overlap import benchmark_fingerprints
from lab.pocket.gate import Answers, answered, asking, gate_parser, points
from lab.pocket.gate_programs import GENERATED, generated_cases, has_short_trace, trained_fingerprints
from lab.pocket.judged_arms import (
    LESS_THE_PLACEBO,
    TEMPERATURE,
    UNDECIDED,
    JudgedArm,
    add_gate,
    judge_arms,
    print_judged,
    verdicts,
    why_withheld,
    with_all,
)
from lab.populations import MBPP, POPULATIONS
from rewrite.baselines import PLACEBO
from runner.asking.backend import Backend
from runner.records.samples import CONTROLS, ORIGINAL, REDRAW, Sample, case_key
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs, format_p
from runner.terminal.console import note
from runner.terminal.tables import Cells

RECIPES = ("decompose", "planned", "repair")
"""The recipes that are judged."""
SERIES = "repairs"
"""The seeds of the generated programs."""
PROGRAMS, MAX_TOKENS = 200, 512
"""Generated programs, and tokens of a trace; MBPP's programs are all with such a trace."""
COLUMNS = ("failures", "asked again", "repaired", "less a second answer", "p", LESS_THE_PLACEBO, "p")
EPILOG = """examples:
  python -m lab.pocket.repairs --model pocket --data DATA
  python -m lab.pocket.repairs --model random:2x64 --limit 5 --data DATA --output runs/smoke      smoke test
  python -m lab.pocket.repairs --answers runs/repairs/answers.jsonl.gz                the table again
  ... --answers runs/repairs/answers.jsonl.gz --gate runs/gate/answers.jsonl.gz       verdicts, if the gate holds
"""


def effects(runs: Answers) -> Iterator[JudgedArm]:
    """The effect of each arm in all populations together and in each."""
    for name, samples in with_all(runs).items():
        arms = wrong_answers(samples)
        found = [_effect(name, arm, arms) for arm in arms if arm != ORIGINAL]
        yield from judge_arms(found, RECIPES, "repairs", UNDECIDED)


def wrong_answers(samples: Sequence[Sample]) -> dict[str, dict[str, Sample]]:
    """The wrong answers to unchanged programs, and those of the other arms to the same programs, by arm and case."""
    arms: dict[str, dict[str, Sample]] = defaultdict(dict)
    for sample in samples:
        if sample.asked:
            arms[sample.attempt if sample.answer_index is None else REDRAW][sample.case_key] = sample
    wrong = {key for key, sample in arms[ORIGINAL].items() if not sample.is_correct}
    return {arm: {key: one for key, one in answers.items() if key in wrong} for arm, answers in arms.items()}


def _effect(population: str, arm: str, arms: Mapping[str, Mapping[str, Sample]]) -> JudgedArm:
    def against(other: str) -> PairedComparison:
        before = {} if arm in CONTROLS and other in CONTROLS else arms.get(other, {})
        both = [
            (before[key], sample, arms[ORIGINAL][key].program) for key, sample in arms[arm].items() if key in before
        ]
        return compare_pairs(AnswerPair(old.is_correct, new.is_correct, program) for old, new, program in both)

    return JudgedArm(population, arm, against(ORIGINAL), against(PLACEBO), against(REDRAW))


def programs(data: Path, documents: Sequence[Path], limit: int) -> dict[str, list[Case]]:
    """MBPP's tasks and new generated programs, with short traces, at most `limit` of each."""
    mbpp = (Case(one.id, one.source, one.call, benchmark=MBPP) for one in POPULATIONS[MBPP](data))
    known = benchmark_fingerprints(data) | trained_fingerprints(documents)
    generated = generated_cases(min(limit, PROGRAMS), known, SERIES, MAX_TOKENS)
    short = (case for case in mbpp if has_short_trace(case, MAX_TOKENS))
    return {MBPP: list(islice(short, limit)), GENERATED: list(generated)}


def measure(backend: Backend, asked: Mapping[str, Sequence[Case]], known: Answers, folder: Path, batch: int) -> Answers:
    """Asks what is not known, each population in run folders of its own; folders that exist are resumed."""
    runs: dict[str, Sequence[Sample]] = {}
    for name, cases in asked.items():
        note(f"{name}: {len(cases)} programs")
        ask = asking(backend, known.get(name, ()), batch)
        found = ask(cases, output=folder / name, recipes=(*RECIPES, PLACEBO))
        wrong = wrong_answers(found)[ORIGINAL]
        failed = [case for case in cases if case_key(case) in wrong]
        again = ask(failed, output=folder / f"{name}-sampled", recipes=(), temperature=TEMPERATURE) if failed else []
        runs[name] = [*found, *again]
    return runs


def _row(effect: JudgedArm) -> Cells:
    own = effect.own
    repaired = f"{own.gained} ({100 * own.difference:.1f}%)"
    compared = [cell for paired in (effect.redraw, effect.placebo) for cell in _cells(paired)]
    return (f"{effect.population}: {effect.arm}", str(own.samples), repaired, *compared)


def _cells(paired: PairedComparison) -> Cells:
    if not paired.samples:
        return "—", "—"
    return points(paired), "—" if paired.p is None else format_p(paired.p).removeprefix("p ").removeprefix("= ")


def main(arguments: Sequence[str] | None = None) -> int:
    """Asks, and prints the table and the verdicts."""
    parser = gate_parser("repairs", __doc__ or "", EPILOG)
    add_gate(parser)
    options = parser.parse_args(arguments)
    try:
        runs = answered(options, measure, programs)
        withheld = why_withheld(options.gate, runs)
    except InputError as error:
        sys.stderr.write(f"repairs: {error}\n")
        return 2
    found = list(effects(runs))
    print_judged(COLUMNS, [_row(one) for one in found], withheld, *verdicts(found))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
