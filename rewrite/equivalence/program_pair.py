"""A pair of programs, the calls on which both have been run, and the decision for each call whether they differ.

Programs run in the sandbox only. The verdict on the programs as a whole is formed in `rewrite.equivalence.check`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence

from corpora.execute import run_calls
from corpora.nondeterminism import Dependence, find_dependences
from corpora.program import Outcome
from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.equivalence.changed_code import ChangedStatement, changed_statements
from rewrite.equivalence.compared_names import NameFilter
from rewrite.equivalence.coverage import CallPath, Coverage, coverage_of, measure_coverage
from rewrite.equivalence.observation import (
    LOAD_ONLY,
    ExceptionPolicy,
    describe_exit,
    difference,
    exceeds_recursion_limit,
    raised_while_loading,
    undecided_reason,
)
from rewrite.equivalence.work_limit import WorkLimit
from rewrite.evidence.assumptions import Assumption

FIRST_BATCH = 5
BATCH_FACTOR = 16
MAX_TIMEOUTS = 3
CONFIRMATION_FACTOR = 5
REPEATS = 6
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
        work: The limit on the work of generated calls, and what it cut.
        not_tried: The number of generated calls that were not run after some had timed out.
    """

    def __init__(
        self,
        before: str,
        after: str,
        seconds: float,
        assumes: Sequence[Assumption] = (),
        exceptions: ExceptionPolicy = "message",
    ) -> None:
        self.before, self.after, self.seconds = before, after, seconds
        self.assumes, self.exceptions = assumes, exceptions
        self.compared: dict[str, tuple[Outcome, Outcome]] = {}
        self.undecided: dict[str, str] = {}
        self.outside: dict[str, str] = {}
        self.within = AssumptionFilter(before, assumes)
        self.confirmed: set[str] = set()
        self.work = WorkLimit(before, seconds)
        self.not_tried = 0
        self.counted_on: tuple[str, ...] = ()
        self.visible = NameFilter(before, after)
        self._tree = ast.parse(before)

    def again(self) -> ProgramPair:
        """The same two programs without results. Both pairs share the limit on work, and what it cut."""
        other = ProgramPair(self.before, self.after, self.seconds, self.assumes, self.exceptions)
        other.work = self.work
        return other

    @property
    def changes(self) -> tuple[ChangedStatement, ...]:
        """The statements of the original that the rewritten program does not have in their place."""
        return changed_statements(self._tree, ast.parse(self.after))

    def first_difference(self, calls: Iterable[str], *, generated: bool = False) -> str | None:
        """Run these calls, except those that were run before, and return the first on which the programs differ.

        Args:
            calls: The calls.
            generated: Whether the calls were generated: they are cut if they exceed the limit on work, and after some
                have timed out, they are not tried.
        """
        queue = [call for call in dict.fromkeys(calls) if not self._is_known(call)]
        if generated:
            self.work.measure_given([*self.compared])
            queue = self.work.admitted(queue)
        size = FIRST_BATCH  # small at first, in case the program never ends
        while queue:
            if generated and self._timed_out() >= MAX_TIMEOUTS:
                self.not_tried += len(queue)
                break
            batch, queue = queue[:size], queue[size:]
            self.run(batch)
            found = next((call for call in batch if self.differs(call)), None)
            if found:
                return found
            size = size * BATCH_FACTOR if self.compared else FIRST_BATCH
        return None

    def _timed_out(self) -> int:
        return sum("'timeout'" in reason for reason in self.undecided.values())

    def _is_known(self, call: str) -> bool:
        return call in self.compared or call in self.undecided or call in self.outside

    def run(self, calls: Sequence[str], seconds: float | None = None) -> None:
        """Run new calls in both programs. A call that is stopped in the original is only run there.

        Args:
            calls: The calls.
            seconds: Time limit of each run (default: that of the pair).
        """
        limit = self.seconds if seconds is None else seconds
        batch = [call for call in calls if not self._is_known(call)]
        self.outside |= self.within.broken_assumptions([call for call in batch if call != LOAD_ONLY], limit)
        batch = [call for call in batch if call not in self.outside]
        finished = []
        for call, outcome in zip(batch, _run(self.before, batch, limit), strict=True):
            if exceeds_recursion_limit(outcome):
                self.outside[call] = TOO_DEEP
            elif outcome.has_ended or outcome.exit_status is not None:
                finished.append((call, outcome))
            else:
                self.undecided[call] = undecided_reason(outcome, outcome)
        others = _run(self.after, [call for call, _ in finished], limit)
        for (call, outcome), other in zip(finished, others, strict=True):
            if self.visible.is_rejected_by_added_cache(outcome, other):
                _, message = other.exception or ("", "")
                self.undecided[call] = f"a cache that the rewrite added rejects an argument: {message}"
            elif outcome.exit_status is not None and outcome.exit_status == other.exit_status:
                self.undecided[call] = f"both programs {describe_exit(outcome)}"
            else:
                self.compared[call] = self._filtered(call, outcome, other)

    def is_never_loaded(self) -> bool:
        """Whether the original raised while it was loading, on every call so far: no further call shows more."""
        outcomes = [before for before, _ in self.compared.values()]
        return bool(outcomes) and all(map(raised_while_loading, outcomes))

    def calls_by_status(self) -> list[str]:
        """The compared calls; those that returned come before those that raised."""
        return sorted(self.compared, key=lambda call: self.compared[call][0].status != "ok")

    def paths(self) -> Mapping[str, CallPath]:
        """The paths of the compared calls in the original, as far as they can be measured."""
        self.work.measure_given([*self.compared])
        return {call: self.work.paths[call] for call in self.compared if call in self.work.paths}

    def update_coverage(self) -> tuple[Coverage, Coverage]:
        """Measure the coverage of both programs under the calls compared so far."""
        self.counted_on = (*self.compared,)
        return self.coverage(), measure_coverage(self.after, self.counted_on)

    def coverage(self) -> Coverage:
        """Coverage of the original under the calls compared so far."""
        paths = self.paths()
        return coverage_of(self._tree, [paths.get(call) for call in self.compared])

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
        if aspect and not reason and not self._is_repeatable(call):
            reason = _nondeterminism_reason(("identity",))
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

    def _is_repeatable(self, call: str) -> bool:
        """Whether the original does the same in repeated runs; the hash of nan, for instance, depends on its address.

        Otherwise, a difference between runs at two recursion limits would be taken for an effect of the limit.
        """
        first, *others = _run(self.before, [call] * REPEATS, CONFIRMATION_FACTOR * self.seconds)
        return all(difference(first, other) == "" for other in others)

    def _depends_on_recursion_limit(self, call: str) -> bool:
        """Whether a difference vanishes, or the original behaves differently, under a higher recursion limit."""
        if call == LOAD_ONLY:
            return False
        usual = self._at_depth(self.before, call, DEFAULT_RECURSION_LIMIT)
        for depth in RAISED_RECURSION_LIMITS:
            before, after = (self._at_depth(source, call, depth) for source in (self.before, self.after))
            if before.has_ended and after.has_ended:
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
