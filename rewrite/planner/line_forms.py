"""The search for the forms of one line: which are measured, alone and composed, and which may be chosen.

A step that computes several values is riskier than the sum of its parts, so what the forms of two operations of a line
gain together is not the sum of what each gains. Therefore compositions are measured like single forms: all forms of a
kind, these with temporaries for the other operations, and from the best one on, each further form that gains more.
In doubt the cheaper one is preferred: a candidate counts if it gains more than each one that is no longer, among them
the program itself, beyond the errors of the reliability map.

Only temporaries are known to repair failures, and they cost the one model that was asked fewest right answers; longer
traces cost it some, too (`lab.pocket.prices`, `lab.pocket.repair_predictions`). So where no failure is known, another
form, which for temporaries is one that needs a loop or an `if`, must make the trace no longer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import expm1

from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.choice import Candidate
from rewrite.planner.objective import ProgramRisk, least_gain, plain_step
from rewrite.planner.program import KINDS, PlannedProgram, Sites, Variant

MAX_TRIED = 48
"""Number of variants that are measured at most, those of the riskiest line first."""
UNTRIED = f"not tried: only {MAX_TRIED} variants are traced"
SMALL = "the line is about as safe as a loop of plain steps"
SHORTER = "the operation has a shorter form than a loop"
LONGER = "a form that lengthens the trace is used after a failure only"
NO_GAIN = "it removes no predicted risk"
UNCERTAIN = "the risk that it removes is within the error of the reliability map"
NO_REPAIR = "it replaces no step that may have gone wrong"
TEMPORARIES = "expressions"
"""The recipe of temporaries."""
LOOPS = ("elements", "methods")
"""The recipes of loops, which are measured after a failure, where no idiom of the same operation gains by itself."""
LOOP_STEPS = 50
"""Steps of a loop of 25 rounds. No loop is measured for a line that has at most the risk of this many plain steps."""


@dataclass(frozen=True)
class PlannedLine:
    """A line of the program.

    Attributes:
        program: The program.
        risk: Its risk.
        line: The line, from 1.
    """

    program: PlannedProgram
    risk: ProgramRisk
    line: int

    @cached_property
    def unchanged(self) -> MeasuredForms:
        """The program itself, as a candidate without forms."""
        return MeasuredForms(Candidate(self.line, frozenset(), 0, 0.0), self.risk, _branches(self.program.source))

    def is_above(self, steps: int) -> bool:
        """Whether a run of the line has more risk than this number of plain steps, or the model went wrong there."""
        plain = steps * self.risk.runs.get(self.line, 0.0) * plain_step(self.program.weights)
        return self.risk.lines.get(self.line, 0.0) > plain or self.line == self.program.failed_line

    def measured(self, sites: Sites, variant: Variant) -> MeasuredForms:
        """What some forms of the line do in a variant that has no others."""
        gain = self.risk.cost - variant.risk.cost
        one = Candidate(self.line, sites, variant.tokens - self.program.original, gain)
        unchanged, repair = self.program.unchanged, self.program.repair(variant.risk)
        if unchanged is not None and repair is not None:
            one = replace(one, ahead=repair.ahead - unchanged.ahead, covered=repair.covered)
        return MeasuredForms(one, variant.risk, _branches(variant.made.source))


@dataclass(frozen=True)
class MeasuredForms:
    """A candidate, and the predicted risk and the number of loops and conditions of the program with it alone."""

    candidate: Candidate
    risk: ProgramRisk
    branches: int

    def gains_beyond(self, other: MeasuredForms) -> bool:
        """Whether the candidate gains more than another one beyond the errors of map and prices."""
        return least_gain(other.risk, self.risk) > 0

    def is_longer_form(self, other: MeasuredForms) -> bool:
        """Whether the program with it has more loops and conditions than with another one, and a longer trace."""
        return self.branches > other.branches and self.candidate.tokens > other.candidate.tokens


@dataclass(frozen=True)
class LineForms:
    """What is known of the forms of a line. Each step of the search returns another one, which knows more.

    Attributes:
        line: The line.
        available: Number of variants that may be measured.
        found: By set of forms, what was measured; None where the variant has no trace.
        reasons: For each form that has no candidate of its own, the reason.
        fitting: The forms that may be chosen.
    """

    line: PlannedLine
    available: int
    found: dict[Sites, MeasuredForms | None] = field(default_factory=dict)
    reasons: dict[InterventionSite, str] = field(default_factory=dict)
    fitting: tuple[InterventionSite, ...] = ()

    def candidates(self) -> tuple[Candidate, ...]:
        """What was measured. Some of it is not chosen, whatever it gains."""
        usable = self._usable()
        known = [one.candidate for one in self.found.values() if one is not None]
        return tuple(replace(one, refused="" if one in usable else self._why_refused(one)) for one in known)

    def with_alone(self, forms: Sequence[InterventionSite]) -> LineForms:
        """With each of these forms by itself."""
        known = self.with_measured({one} for one in forms)
        untried = {one: UNTRIED for one in forms if self._alone(one) not in known.found}
        fitting = filter(known._is_allowed, forms)
        return replace(known, reasons=known.reasons | untried, fitting=(*self.fitting, *fitting))

    def with_loops(self, loops: Sequence[InterventionSite]) -> LineForms:
        """With those forms with loops that are worth measuring; the others get their reasons."""
        why = LONGER if self._program.failure is None else "" if self.line.is_above(LOOP_STEPS) else SMALL
        shorter = {site[:2] for one in self._usable() for site in one.sites if recipe_of(site) == "idioms"}
        skipped = {one: why or SHORTER for one in loops if why or one[:2] in shorter}
        return replace(self, reasons=self.reasons | skipped).with_alone([one for one in loops if one not in skipped])

    def with_extensions(self) -> LineForms:
        """With the best candidate, extended by each further form."""
        best = max(self._usable(), key=self._worth, default=None)
        if best is None:
            return self
        taken = {site[:2] for site in best.sites}
        return self.with_measured(best.sites | {one} for one in self.fitting if one[:2] not in taken)

    def with_measured(self, wanted: Iterable[Iterable[InterventionSite]]) -> LineForms:
        """With sets of forms, and their siblings, as long as variants are available."""
        new = [one for one in dict.fromkeys(map(self._program.with_siblings, wanted)) if one not in self.found]
        new = new[: max(0, self.available - len(self.found))]
        found, failed = dict(self.found), dict(self.reasons)
        for chosen, variant in zip(new, self._program.variants(new), strict=True):
            found[chosen] = self.line.measured(chosen, variant) if isinstance(variant, Variant) else None
            if isinstance(variant, str):
                failed |= {one: variant for one in chosen if self._alone(one) == chosen}
        return replace(self, found=found, reasons=failed)

    @property
    def _program(self) -> PlannedProgram:
        return self.line.program

    def _alone(self, one: InterventionSite) -> Sites:
        return self._program.with_siblings([one])

    def _is_allowed(self, one: InterventionSite) -> bool:
        """Whether a form may be chosen: within the token limit and, where no failure is known, not at any price."""
        found, is_failure = self.found.get(self._alone(one)), self._program.failure is not None
        if found is None:  # it may have a trace with others
            return is_failure or recipe_of(one) == TEMPORARIES
        may_be_longer = is_failure or (recipe_of(one) == TEMPORARIES and found.branches <= self.line.unchanged.branches)
        return found.candidate.tokens <= (self._program.limit - self._program.original if may_be_longer else 0)

    @cached_property
    def _allowed(self) -> Sites:
        return self._program.with_siblings(self.fitting)

    def _worth(self, one: Candidate) -> float:
        """The gain of a candidate or, after a failure, what it does for the chance where all else is covered too."""
        if (unchanged := self._program.unchanged) is None:
            return one.gain
        return one.covered / expm1(unchanged.failed) - one.ahead

    def _usable(self) -> list[Candidate]:
        """Of the forms that may be chosen, after a failure those that may repair it, else those that surely gain."""
        allowed = [one for one in self.found.values() if one is not None and one.candidate.sites <= self._allowed]
        if self._program.unchanged is None:
            return self._certain(allowed)
        return [one.candidate for one in allowed if one.candidate.covered > 0]

    def _certain(self, found: Iterable[MeasuredForms]) -> list[Candidate]:
        """The candidates that gain certainly more than each one that is no longer, among them the program itself.

        One with more loops and conditions than another is another form of it, so it must be no longer.
        """
        kept = [self.line.unchanged]
        for one in sorted(found, key=lambda one: (one.candidate.tokens, -one.candidate.gain)):
            cheaper = [other for other in kept if other.candidate.tokens <= one.candidate.tokens]
            if all(one.gains_beyond(other) and not one.is_longer_form(other) for other in cheaper):
                kept.append(one)
        return [one.candidate for one in kept if one.candidate.gain > 0]

    def _why_refused(self, one: Candidate) -> str:
        if self._program.unchanged is not None:
            return NO_REPAIR
        return NO_GAIN if one.gain <= 0 else UNCERTAIN if one.sites <= self._allowed else LONGER


def measure_forms(line: PlannedLine, sites: Sequence[InterventionSite], available: int) -> LineForms:
    """Measures the forms of the operations of a line, alone and composed.

    Args:
        line: The line.
        sites: The forms.
        available: Number of variants that may be measured.
    """
    loops = [one for one in sites if recipe_of(one) in LOOPS]
    forms = LineForms(line, available).with_alone([one for one in sites if one not in loops]).with_loops(loops)
    forms = forms.with_measured(_compositions(forms.fitting))
    while len((further := forms.with_extensions()).found) > len(forms.found):
        forms = further
    return forms


def recipe_of(site: InterventionSite) -> str:
    """The recipe of a form."""
    return kind_of(site.intervention)


def _compositions(forms: Sequence[InterventionSite]) -> Iterator[list[InterventionSite]]:
    """All forms of a kind, and these with temporaries for the other operations."""
    for recipe in KINDS:
        chosen = [one for one in forms if recipe_of(one) == recipe]
        replaced = {one[:2] for one in chosen}
        others = [one for one in forms if recipe_of(one) == TEMPORARIES and one[:2] not in replaced]
        yield from filter(None, (chosen, [*chosen, *others]))


def _branches(source: str) -> int:
    return sum(isinstance(node, ast.For | ast.While | ast.If) for node in ast.walk(ast.parse(source)))
