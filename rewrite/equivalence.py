"""Do two programs do the same? Both run on many inputs in the sandbox; what they did is compared as text.

"Equivalent" means: no difference on the inputs tried, which the verdict counts, with what they did not reach. It is
no proof (`rewrite.symbolic` may give one). Nothing foreign is executed in this process.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis.strategies import SearchStrategy

from corpora.errors import InputError
from rewrite.comparison import FINISHED, Counterexample, difference
from rewrite.inputs import calls as calls_like
from rewrite.inputs import sample, smallest
from rewrite.pair import Pair
from rewrite.reached import Reached, reached

SHRINK_SECONDS = 5.0


@dataclass(frozen=True)
class Verdict:
    """What is known about two programs.

    equivalent: True (same on all inputs compared), False (see counterexample), None (undecided, see why).
    tried: inputs on which both runs finished and were compared; raised: on how many of these both raised;
    undecided: inputs that could not be compared, each with its reason. reached: lines and branches of the original
    program, counted where no difference was found among generated inputs.
    """

    equivalent: bool | None
    why: str
    tried: int = 0
    counterexample: Counterexample | None = None
    raised: int = 0
    undecided: tuple[tuple[str, str], ...] = ()
    reached: Reached = field(default_factory=Reached)
    isolation: str = ""


def check_equivalence(
    before: str, after: str, calls: Sequence[str] = (), *, examples: int = 100, seconds: float = 2.0
) -> Verdict:
    """Compare two programs on the given calls as they are and on up to `examples` more that Hypothesis makes of them.

    before, after: sources of two modules; calls: such as "f(1, [2])". Without calls, every public top-level function
    of `before` is called. seconds: limit of each run. The same input gives the same verdict, unless the programs
    depend on something outside. Raises InputError where a program or a call does not parse, or there is none.

    >>> verdict = check_equivalence("def f(x): return x > 0", "def f(x): return x >= 0", ["f(3)"])
    >>> verdict.equivalent, verdict.counterexample.call
    (False, 'f(0)')
    """
    tree, _ = _parsed(before, "before"), _parsed(after, "after")
    strategy = calls_like(tree, calls)
    if before == after:
        return Verdict(True, "the two texts are the same")
    pair = Pair(before, after, seconds)
    found = pair.first_difference(calls, seconds)
    if not found and examples > 0:
        found = pair.first_difference(sample(strategy, examples), pair.limit())
    if found:
        return _different(pair, found, strategy, examples)
    return _same(pair, calls, count_lines=examples > 0)


def _parsed(source: str, name: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise InputError(f"does not parse: {error}", where=f"{name}{line}") from None


def _different(pair: Pair, found: str, strategy: SearchStrategy[str], examples: int) -> Verdict:
    """The verdict on a difference, with the smallest call that still shows one in the same respect."""
    aspect = difference(*pair.compared[found])
    seconds = pair.limit() if pair.compared[found][1].status in FINISHED else SHRINK_SECONDS / 100
    end = time.monotonic() + SHRINK_SECONDS

    def first(batch: list[str]) -> str | None:
        if time.monotonic() < end:
            pair.run(batch, seconds)
        known = [call for call in batch if call in pair.compared]
        return next((call for call in known if difference(*pair.compared[call]) == aspect), None)

    best = smallest(strategy, examples, first) if examples > 0 else None
    if best is None or len(best) >= len(found) or not pair.differs(best):
        best = found
    example = Counterexample(best, difference(*pair.compared[best]), *pair.compared[best])
    return _verdict(pair, False, f"they differ in {example.aspect}", example)


def _same(pair: Pair, calls: Sequence[str], *, count_lines: bool) -> Verdict:
    """The verdict where no difference was found: undecided if a given call, or every call, could not be compared."""
    given = [f"{call}: {pair.undecided[call]}" for call in calls if call in pair.undecided]
    if given:
        return _verdict(pair, None, given[0])
    if not pair.compared:
        reason = next(iter(pair.undecided.values()), "no input was tried")
        return _verdict(pair, None, f"no input could be compared: {reason}")
    notes = [f"the same on {len(pair.compared)} inputs"]
    if pair.undecided:
        notes.append(f"{len(pair.undecided)} could not be compared")
    if pair.stopped:
        notes.append(pair.stopped)
    counted = reached(pair.before, list(pair.compared)) if count_lines else Reached()
    return _verdict(pair, True, "; ".join(notes), counted=counted)


def _verdict(
    pair: Pair,
    equivalent: bool | None,
    why: str,
    example: Counterexample | None = None,
    counted: Reached | None = None,
) -> Verdict:
    outcomes = [before for before, _ in pair.compared.values()]
    return Verdict(
        equivalent,
        why,
        tried=len(outcomes),
        counterexample=example,
        raised=sum(outcome.status == "raised" for outcome in outcomes),
        undecided=tuple(pair.undecided.items()),
        reached=counted or Reached(),
        isolation=outcomes[0].isolation if outcomes else "",
    )
