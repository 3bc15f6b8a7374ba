"""Compares two shrinkers of counterexamples on the corpus of seeded faults: Spellout's own, and Hypothesis's.

    python bench/compare_shrinkers.py

Both start from a known difference and ask the same question in the sandbox: do the programs still differ in the same
respect on this call? Hypothesis works on the choices behind a generated call, one candidate at a time, so it has to
find a difference among its own calls first. Spellout's shrinker works on the literals of the call that was found, many
candidates per process. Prints the length of the calls, the number of candidates run, and seconds.
"""

from __future__ import annotations

import ast
import statistics
import time
from dataclasses import dataclass
from random import Random

import hypothesis
from harness import command, print_table
from hypothesis import HealthCheck, Phase, settings

from rewrite.equivalence.call_inputs import BATCH_SIZE, call_strategy, draw_distinct
from rewrite.equivalence.call_templates import call_template
from rewrite.equivalence.observation import difference
from rewrite.equivalence.program_pair import ProgramPair
from rewrite.equivalence.shrinking import shrink
from runner.terminal.console import progress_bar
from tests.rewrite.faults import Fault, corpus

SECONDS = 5.0


@dataclass(frozen=True)
class Result:
    call: str
    runs: int
    seconds: float


class Question:
    """Whether the programs differ on a call in the same respect as on the first one. Counts the runs needed."""

    def __init__(self, fault: Fault) -> None:
        self.pair = ProgramPair(fault.before, fault.wrong, SECONDS)
        self.strategy = call_strategy(ast.parse(fault.before), fault.calls)
        self.found = self.pair.first_difference(fault.calls) or self.pair.first_difference(
            draw_distinct(self.strategy, 100), generated=True
        )
        self.aspect = difference(*self.pair.compared[self.found]) if self.found else ""
        self.known = len(self.pair.compared)

    @property
    def runs(self) -> int:
        return len(self.pair.compared) + len(self.pair.undecided) - self.known

    def shows(self, calls: list[str]) -> str | None:
        for start in range(0, len(calls), BATCH_SIZE):
            batch = calls[start : start + BATCH_SIZE]
            self.pair.run(self.pair.work.admitted(batch))
            known = [call for call in batch if call in self.pair.compared]
            met = next((call for call in known if difference(*self.pair.compared[call]) == self.aspect), None)
            if met:
                return met
        return None


def spellout(fault: Fault) -> Result | None:
    question = Question(fault)
    if not question.found:
        return None
    start = time.perf_counter()
    call = shrink(question.found, question.shows, SECONDS)
    return Result(call, question.runs, time.perf_counter() - start)


def library(fault: Fault) -> Result | None:
    question = Question(fault)
    start = time.perf_counter()
    quiet = settings(
        max_examples=1000,
        phases=(Phase.generate, Phase.shrink),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    try:
        call = hypothesis.find(
            question.strategy, lambda call: question.shows([call]) is not None, settings=quiet, random=Random(0)
        )
    except hypothesis.errors.NoSuchExample:
        return None
    return Result(call, question.runs, time.perf_counter() - start)


def row(name: str, results: list[Result]) -> tuple[str, ...]:
    """The row of a shrinker."""
    length, runs, seconds = (
        statistics.mean(values) for values in zip(*((len(r.call), r.runs, r.seconds) for r in results), strict=True)
    )
    most = max(result.seconds for result in results)
    return name, f"{length:.1f}", f"{runs:.0f}", f"{seconds:.2f}", f"{most:.1f}"


def main() -> None:
    command(__doc__).parse_args()
    faults = [fault for fault in corpus() if call_template(fault.calls[0]).values]
    with progress_bar() as progress:
        pairs = [(spellout(fault), library(fault)) for fault in progress.track(faults, description="shrinking")]
    both = [(own, theirs) for own, theirs in pairs if own and theirs]
    print(f"{len(faults)} faults; smaller by Spellout {sum(len(o.call) < len(t.call) for o, t in both)}, ")
    print(f"by Hypothesis {sum(len(t.call) < len(o.call) for o, t in both)}; none found by Hypothesis:", end=" ")
    print(sum(theirs is None for _, theirs in pairs))
    columns = ("shrinker", "length of the call, mean", "candidates run, mean", "seconds, mean", "seconds, most")
    rows = (
        row(name, list(found))
        for name, found in zip(("Spellout's", "Hypothesis's"), zip(*both, strict=True), strict=True)
    )
    print_table(columns, rows, "---")
    for own, theirs in both:
        if own.call != theirs.call:
            print(f"    {own.call}    {theirs.call}")


if __name__ == "__main__":
    main()
