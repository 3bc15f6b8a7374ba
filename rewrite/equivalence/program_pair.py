"""A pair of programs, the calls on which both have been run, and the decision for each call whether they differ.

Programs run in the sandbox only. The verdict on the programs as a whole is formed in `rewrite.equivalence.check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpora.execute import run_calls
from corpora.nondeterminism import Dependence, find_dependences
from corpora.program import Outcome
from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.equivalence.call_inputs import LOAD_ONLY
from rewrite.equivalence.call_templates import sequence_template
from rewrite.equivalence.compared_names import NameFilter
from rewrite.equivalence.coverage import Coverage, measure_coverage
from rewrite.equivalence.observation import (
    FINISHED,
    ExceptionPolicy,
    difference,
    exceeds_recursion_limit,
    undecided_reason,
)
from rewrite.equivalence.shrinking import complexity
from rewrite.evidence.assumptions import Assumption

FIRST_BATCH = 5
MAX_TIMEOUTS = 3
CONFIRMATION_FACTOR = 5
DEFAULT_RECURSION_LIMIT = 1_000
RAISED_RECURSION_LIMITS = (12_000, 3_000)  # the highest first: code in C may crash at it
TOO_DEEP = "the behaviour depends on the recursion limit"


class ProgramPair:
    """Two programs and the results of the calls on which they were run.

    Attributes:
        compared: For each call on which both programs finished, their outcomes without what is not compared.
        undecided: Calls that could not be compared, each with the reason.
        outside: Calls that were excluded, each with the reason.
        confirmed: Calls on which the programs differ.
        stopped: A note on calls that were skipped after timeouts, or "".
    """

    def __init__(
        self,
        before: str,
        after: str,
        seconds: float,
        assumes: Sequence[Assumption] = (),
        exceptions: ExceptionPolicy = "message",
    ) -> None:
        self.before, self.after, self.seconds, self.exceptions = before, after, seconds, exceptions
        self.compared: dict[str, tuple[Outcome, Outcome]] = {}
        self.undecided: dict[str, str] = {}
        self.outside: dict[str, str] = {}
        self.within = AssumptionFilter(before, assumes)
        self.confirmed: set[str] = set()
        self.stopped = ""
        self.not_tried = 0
        self.counted = Coverage()
        self.counted_on: tuple[str, ...] = ()
        self.visible = NameFilter(before, after)

    def generated_input_timeout(self) -> float:
        """Time limit for one generated input, in seconds: a multiple of the slowest run so far."""
        slowest = max((before.seconds for before, _ in self.compared.values()), default=0.0)
        return min(self.seconds, max(0.5, 50 * slowest))

    def first_difference(self, calls: Iterable[str], seconds: float) -> str | None:
        """Run these calls, except those that were run before, and return the first on which the programs differ."""
        queue = list(dict.fromkeys(calls))
        if len(self._timed_out()) >= MAX_TIMEOUTS:
            queue = self._simpler_than(queue, self._timed_out())
        size = FIRST_BATCH  # small at first, in case the program never ends
        if self._timed_out():
            size = MAX_TIMEOUTS
        elif len(self.compared) > 4 * FIRST_BATCH:
            size = 16 * FIRST_BATCH  # starting processes dominates the cost of a program that has often ended
        while queue:
            batch, queue = queue[:size], queue[size:]
            self.run(batch, seconds)
            found = next((call for call in batch if self.differs(call)), None)
            if found:
                return found
            late = self._timed_out()
            size = MAX_TIMEOUTS if late else 4 * size if self.compared else FIRST_BATCH
            if len(late) >= MAX_TIMEOUTS:
                queue = self._simpler_than(queue, late)
        return None

    def _timed_out(self) -> list[str]:
        return [call for call, reason in self.undecided.items() if "'timeout'" in reason]

    def _simpler_than(self, queue: list[str], late: list[str]) -> list[str]:
        """The calls that are simpler than all that timed out; none if no call has been compared yet."""
        least = min(complexity(sequence_template(call)[1].values) for call in late)
        kept = [call for call in queue if self.compared and complexity(sequence_template(call)[1].values) < least]
        self.not_tried += len(queue) - len(kept)
        self.stopped = f"{self.not_tried} were not tried after {len(late)} had timed out"
        return kept

    def run(self, calls: Sequence[str], seconds: float) -> None:
        """Run new calls in both programs. A call that the original does not finish is only run there."""
        known = {*self.compared, *self.undecided, *self.outside}
        batch = [call for call in calls if call not in known]
        self.outside |= self.within.broken_assumptions([call for call in batch if call != LOAD_ONLY], seconds)
        batch = [call for call in batch if call not in self.outside]
        finished = []
        for call, outcome in zip(batch, _run(self.before, batch, seconds), strict=True):
            if exceeds_recursion_limit(outcome):
                self.outside[call] = TOO_DEEP
            elif outcome.status in FINISHED:
                finished.append((call, outcome))
            else:
                self.undecided[call] = undecided_reason(outcome, outcome)
        others = _run(self.after, [call for call, _ in finished], seconds)
        for (call, outcome), other in zip(finished, others, strict=True):
            if self.visible.is_rejected_by_added_cache(outcome, other):
                _, message = other.exception or ("", "")
                self.undecided[call] = f"a cache that the rewrite added rejects an argument: {message}"
            else:
                self.compared[call] = self._filtered(call, outcome, other)

    def calls_by_status(self) -> list[str]:
        """The compared calls; those that returned come before those that raised."""
        return sorted(self.compared, key=lambda call: self.compared[call][0].status != "ok")

    def update_coverage(self) -> tuple[Coverage, Coverage]:
        """Measure and remember the coverage of both programs under the calls compared so far."""
        self.counted_on = (*self.compared,)
        self.counted, other = (measure_coverage(program, self.counted_on) for program in (self.before, self.after))
        return self.counted, other

    def coverage(self) -> Coverage:
        """Coverage of the original, measured again if it was incomplete or some calls were discarded."""
        kept = set(self.counted_on) <= self.compared.keys()
        if kept and self.counted.lines and self.counted.is_complete:
            return self.counted
        return measure_coverage(self.before, [*self.compared])

    def _filtered(self, call: str, before: Outcome, after: Outcome) -> tuple[Outcome, Outcome]:
        """The outcomes without the names that are not compared."""
        return self.visible.filtered(before, after, loaded=call == LOAD_ONLY)

    def drop_nondeterministic(self) -> None:
        """Discard calls on which the original is nondeterministic: agreement there is a coincidence."""
        known = {call: before for call, (before, _) in self.compared.items() if call != LOAD_ONLY}
        for call, names in find_dependences(
            self.before, [*known], known=known, same=_is_same, sequences=True, seconds=self.seconds
        ).items():
            self.undecided[call] = _nondeterminism_reason(names)
            del self.compared[call]

    def differs(self, call: str) -> bool:
        """Whether a difference on a call is confirmed; one due to nondeterminism or slowness makes it undecided."""
        if call not in self.compared or call in self.confirmed:
            return call in self.confirmed
        before, after = self.compared[call]
        if after.status == "timeout":  # the machine may be busy: repeat with a much longer limit
            after = _run(self.after, [call], CONFIRMATION_FACTOR * self.seconds)[0]
            before, after = self.compared[call] = self._filtered(call, before, after)
        aspect = difference(before, after, self.exceptions)
        reason = undecided_reason(before, after) if aspect == "" else self._why_undecided(call, before, after)
        if aspect and not reason and self._depends_on_recursion_limit(call):
            self.outside[call] = TOO_DEEP
            del self.compared[call]
        elif reason:
            self.undecided[call] = reason
            del self.compared[call]
        elif aspect:
            self.confirmed.add(call)
        return call in self.confirmed

    def aspect(self, call: str) -> str:
        """The first aspect in which the programs differ on a compared call, or ""."""
        return difference(*self.compared[call], self.exceptions)

    def _depends_on_recursion_limit(self, call: str) -> bool:
        """Whether a difference vanishes, or the original behaves differently, under a higher recursion limit."""
        if call == LOAD_ONLY:
            return False
        usual = self._at_depth(self.before, call, DEFAULT_RECURSION_LIMIT)
        for depth in RAISED_RECURSION_LIMITS:
            before, after = (self._at_depth(source, call, depth) for source in (self.before, self.after))
            if before.status in FINISHED and after.status in FINISHED:
                filtered = self._filtered(call, before, after)
                return difference(usual, before) != "" or difference(*filtered, self.exceptions) == ""
            if self.compared[call][1].status == after.status == "timeout":  # it ends at no limit
                break
        return False

    def _at_depth(self, source: str, call: str, depth: int) -> Outcome:
        # As an item of a list, because arguments of a call are compared too.
        limited = f"[__import__('sys').setrecursionlimit({depth})]; {call.strip()}"
        return _run(source, [limited], CONFIRMATION_FACTOR * self.seconds)[0]

    def _why_undecided(self, call: str, before: Outcome, after: Outcome) -> str:
        """Why a difference is not conclusive, or "" if it is. Each program runs again with a longer time limit."""
        seconds = CONFIRMATION_FACTOR * self.seconds
        names = find_dependences(self.before, [call], same=_is_same, sequences=True, seconds=seconds).get(call)
        if names:
            return _nondeterminism_reason(names)
        again, _ = self._filtered(call, _run(self.before, [call], seconds)[0], after)
        if difference(before, again):
            return _nondeterminism_reason(("threads",))
        if after.status == "timeout":
            return "" if again.seconds < self.seconds / 4 else undecided_reason(before, after)
        if after.status == "refused":
            return undecided_reason(before, after)
        _, other = self._filtered(call, before, _run(self.after, [call], seconds)[0])
        return "the rewritten program is nondeterministic" if difference(after, other) else ""


def _run(source: str, calls: Sequence[str], seconds: float) -> list[Outcome]:
    return run_calls(source, calls, sequences=True, seconds=seconds)


def _is_same(one: Outcome, other: Outcome) -> bool:
    return difference(one, other) == ""


def _nondeterminism_reason(names: Sequence[Dependence]) -> str:
    return f"the original depends on {' and '.join(names)}, not on the program alone"
