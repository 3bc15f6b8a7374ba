"""Two programs run beside each other on batches of calls, and what is known of each call so far.

Runs in the sandbox only; decides for single calls, not for programs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from corpora.determinism import Dependence, find_dependences
from corpora.execute import run_calls
from corpora.program import Outcome
from rewrite.equivalence.coverage import Reached, reached
from rewrite.equivalence.literal_templates import sequence
from rewrite.equivalence.observation import FINISHED, Exceptions, difference, exceeds_recursion_limit, undecided
from rewrite.equivalence.shrinking import weight
from rewrite.equivalence.visible_names import Visible
from rewrite.equivalence.within import Within
from rewrite.evidence.assumptions import Assumption

FIRST_BATCH = 5
MOST_TIMEOUTS = 3
PATIENCE = 5
LOADED = "pass"  # only loads the module
USUAL_DEPTH, DEEPER = 1_000, (12_000, 3_000)  # the most first: code in C may not survive it
TOO_DEEP = "the recursion limit decides what happens"


class Pair:
    """Two programs and every call on which both have been run."""

    def __init__(
        self,
        before: str,
        after: str,
        seconds: float,
        assumes: Sequence[Assumption] = (),
        exceptions: Exceptions = "message",
    ) -> None:
        self.before, self.after, self.seconds, self.exceptions = before, after, seconds, exceptions
        self.compared: dict[str, tuple[Outcome, Outcome]] = {}
        self.undecided: dict[str, str] = {}
        self.outside: dict[str, str] = {}  # calls that say nothing of the programs, and why
        self.within = Within(before, assumes)
        self.confirmed: set[str] = set()
        self.stopped = ""
        self.not_tried = 0
        self.counted = Reached()
        self.counted_on: tuple[str, ...] = ()
        self.visible = Visible(before, after)

    def limit(self) -> float:
        """Seconds for one generated input: many times what the given calls took, so that endless ones cost little."""
        slowest = max((before.seconds for before, _ in self.compared.values()), default=0.0)
        return min(self.seconds, max(0.5, 50 * slowest))

    def first_difference(self, calls: Iterable[str], seconds: float) -> str | None:
        """The first of these calls on which the programs differ; calls run before are not run again."""
        queue = list(dict.fromkeys(calls))
        if len(self._late()) >= MOST_TIMEOUTS:
            queue = self._smaller(queue, self._late())
        size = FIRST_BATCH  # a program that never ends should cost little
        if self._late():
            size = MOST_TIMEOUTS
        elif len(self.compared) > 4 * FIRST_BATCH:
            size = 16 * FIRST_BATCH  # one that has ended so often costs most by the processes it is given
        while queue:
            batch, queue = queue[:size], queue[size:]
            self.run(batch, seconds)
            found = next((call for call in batch if self.differs(call)), None)
            if found:
                return found
            late = self._late()
            size = MOST_TIMEOUTS if late else 4 * size if self.compared else FIRST_BATCH
            if len(late) >= MOST_TIMEOUTS:
                queue = self._smaller(queue, late)
        return None

    def _late(self) -> list[str]:
        return [call for call, reason in self.undecided.items() if "'timeout'" in reason]

    def _smaller(self, queue: list[str], late: list[str]) -> list[str]:
        """The calls that are simpler than all that ran out of time; none where nothing was compared yet."""
        least = min(weight(sequence(call)[1].values) for call in late)
        kept = [call for call in queue if self.compared and weight(sequence(call)[1].values) < least]
        self.not_tried += len(queue) - len(kept)
        self.stopped = f"{self.not_tried} were not tried after {len(late)} had run out of time"
        return kept

    def run(self, calls: Sequence[str], seconds: float) -> None:
        """Run new calls beside each other. Those that the original does not finish are not run in the other."""
        known = {*self.compared, *self.undecided, *self.outside}
        batch = [call for call in calls if call not in known]
        self.outside |= self.within.outside([call for call in batch if call != LOADED], seconds)
        batch = [call for call in batch if call not in self.outside]
        finished = []
        for call, outcome in zip(batch, _run(self.before, batch, seconds), strict=True):
            if exceeds_recursion_limit(outcome):
                self.outside[call] = TOO_DEEP
            elif outcome.status in FINISHED:
                finished.append((call, outcome))
            else:
                self.undecided[call] = undecided(outcome, outcome)
        others = _run(self.after, [call for call, _ in finished], seconds)
        for (call, outcome), other in zip(finished, others, strict=True):
            if self.visible.refused_by_a_cache(outcome, other):
                self.undecided[call] = (
                    f"a cache that the rewrite added does not take it: {(other.exception or '  ')[1]}"
                )
            else:
                self.compared[call] = self._seen(call, outcome, other)

    def returned(self) -> list[str]:
        """The calls compared, those first that returned."""
        return sorted(self.compared, key=lambda call: self.compared[call][0].status != "ok")

    def count(self) -> tuple[Reached, Reached]:
        """What the calls compared so far reach of both programs; kept for the verdict."""
        self.counted_on = (*self.compared,)
        self.counted, other = (reached(program, self.counted_on) for program in (self.before, self.after))
        return self.counted, other

    def reached(self) -> Reached:
        """What the calls reach of the original, counted anew where not all was, or some were taken back."""
        kept = set(self.counted_on) <= self.compared.keys()
        if kept and self.counted.taken == self.counted.branches and self.counted.lines and not self.counted.not_lines:
            return self.counted
        return reached(self.before, [*self.compared])

    def _seen(self, call: str, before: Outcome, after: Outcome) -> tuple[Outcome, Outcome]:
        """Without names that are no part of what is compared."""
        return self.visible.compared(before, after, loaded=call == LOADED)

    def drop_unsteady(self) -> None:
        """Take back what was compared where the original depends on more than itself: such runs agree by chance."""
        known = {call: before for call, (before, _) in self.compared.items() if call != LOADED}
        for call, names in find_dependences(
            self.before, [*known], known=known, same=_same, sequences=True, seconds=self.seconds
        ).items():
            self.undecided[call] = _depends(names)
            del self.compared[call]

    def differs(self, call: str) -> bool:
        """Whether a call was seen to differ and does so again; what changes by itself or was only late is undecided."""
        if call not in self.compared or call in self.confirmed:
            return call in self.confirmed
        before, after = self.compared[call]
        if after.status == "timeout":  # perhaps the machine was busy: only a much longer run tells
            after = _run(self.after, [call], PATIENCE * self.seconds)[0]
            before, after = self.compared[call] = self._seen(call, before, after)
        aspect = difference(before, after, self.exceptions)
        reason = undecided(before, after) if aspect == "" else self._why_undecided(call, before, after)
        if aspect and not reason and self._is_same_deeper(call):
            self.outside[call] = TOO_DEEP
            del self.compared[call]
        elif reason:
            self.undecided[call] = reason
            del self.compared[call]
        elif aspect:
            self.confirmed.add(call)
        return call in self.confirmed

    def aspect(self, call: str) -> str:
        """In which respect the programs differ on a call that both have run."""
        return difference(*self.compared[call], self.exceptions)

    def _is_same_deeper(self, call: str) -> bool:
        """Whether a difference is gone where recursion may go deeper, or the original does something else there."""
        if call == LOADED:
            return False
        # In a list, as the arguments of a call would be part of what is compared.
        depths = [f"[__import__('sys').setrecursionlimit({depth})]; {call.strip()}" for depth in (USUAL_DEPTH, *DEEPER)]
        befores, afters = (_run(source, depths, PATIENCE * self.seconds) for source in (self.before, self.after))
        for before, after in list(zip(befores, afters, strict=True))[1:]:
            if before.status in FINISHED and after.status in FINISHED:
                return (
                    difference(befores[0], before) != ""
                    or difference(*self._seen(call, before, after), self.exceptions) == ""
                )
        return False

    def _why_undecided(self, call: str, before: Outcome, after: Outcome) -> str:
        """Why a difference proves nothing, or "" if it does: each program is run once more, with all the time."""
        seconds = PATIENCE * self.seconds
        names = find_dependences(self.before, [call], same=_same, sequences=True, seconds=seconds).get(call)
        if names:
            return _depends(names)
        again, _ = self._seen(call, _run(self.before, [call], seconds)[0], after)
        if difference(before, again):
            return _depends(("threads",))
        if after.status == "timeout":
            return "" if again.seconds < self.seconds / 4 else undecided(before, after)
        if after.status == "refused":
            return undecided(before, after)
        _, other = self._seen(call, before, _run(self.after, [call], seconds)[0])
        return "the rewritten program does something else each time" if difference(after, other) else ""


def _run(source: str, calls: Sequence[str], seconds: float) -> list[Outcome]:
    return run_calls(source, calls, sequences=True, seconds=seconds)


def _same(one: Outcome, other: Outcome) -> bool:
    return difference(one, other) == ""


def _depends(names: Sequence[Dependence]) -> str:
    return f"the original depends on {' and '.join(names)}, not on the program alone"
