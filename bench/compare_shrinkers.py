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
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from rich.console import Console
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rewrite.equivalence.call_inputs import BATCH_SIZE, draw_distinct  # noqa: E402
from rewrite.equivalence.call_inputs import call_strategy as calls_like  # noqa: E402
from rewrite.equivalence.call_templates import call_template  # noqa: E402
from rewrite.equivalence.observation import difference  # noqa: E402
from rewrite.equivalence.program_pair import ProgramPair  # noqa: E402
from rewrite.equivalence.shrinking import shrink  # noqa: E402
from tests.rewrite.faults import Fault, corpus  # noqa: E402

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
        strategy = calls_like(ast.parse(fault.before), fault.calls)
        self.found = self.pair.first_difference(fault.calls) or self.pair.first_difference(
            draw_distinct(strategy, 100), generated=True
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
    strategy = calls_like(ast.parse(fault.before), fault.calls)
    try:
        call = hypothesis.find(
            strategy, lambda call: question.shows([call]) is not None, settings=quiet, random=Random(0)
        )
    except hypothesis.errors.NoSuchExample:
        return None
    return Result(call, question.runs, time.perf_counter() - start)


def main() -> int:
    faults = [fault for fault in corpus() if call_template(fault.calls[0]).values]
    shown = track(faults, "shrinking", console=Console(stderr=True))
    pairs = [(spellout(fault), library(fault)) for fault in shown]
    both = [(own, theirs) for own, theirs in pairs if own and theirs]
    print(f"{len(faults)} faults; smaller by Spellout {sum(len(o.call) < len(t.call) for o, t in both)}, ")
    print(f"by Hypothesis {sum(len(t.call) < len(o.call) for o, t in both)}; none found by Hypothesis:", end=" ")
    print(sum(theirs is None for _, theirs in pairs))
    print("| shrinker | length of the call, mean | candidates run, mean | seconds, mean | seconds, most |")
    print("|---|---|---|---|---|")
    for name, column in (("Spellout's", 0), ("Hypothesis's", 1)):
        group = [pair[column] for pair in both]
        mean = [
            statistics.mean(values) for values in zip(*[(len(r.call), r.runs, r.seconds) for r in group], strict=True)
        ]
        print(f"| {name} | {mean[0]:.1f} | {mean[1]:.0f} | {mean[2]:.2f} | {max(r.seconds for r in group):.1f} |")
    for own, theirs in both:
        if own.call != theirs.call:
            print(f"    {own.call}    {theirs.call}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
