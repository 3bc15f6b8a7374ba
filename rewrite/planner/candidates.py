"""What the planner can choose from: for each line, the forms of its operations, alone and composed, each measured.

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
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import expm1

from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.choice import Candidate, all_sites
from rewrite.planner.objective import ProgramRisk, least_gain, plain_step
from rewrite.planner.program import KINDS, PlannedProgram, Sites, Variant
from rewrite.planner.siblings import partial_results

MAX_TRIED = 48
"""Number of variants that are measured at most, those of the riskiest line first."""
UNTRIED = f"not tried: only {MAX_TRIED} variants are traced"
NOT_REACHED = "no call reaches its line"
SAFE = "the steps of its line are about as safe as plain ones"
SMALL = "the line is about as safe as a loop of plain steps"
SHORTER = "the operation has a shorter form than a loop"
PARTIAL = "a part of a sum or product, and one of several like conditions, is named after a failure only"
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

DESCRIPTIONS = {
    TEMPORARIES: "materialize nested values",
    "idioms": "replace by simpler operations",
    "elements": "work on one element after the other",
    "methods": "replace string methods by loops",
}


@dataclass(frozen=True)
class Candidates:
    """The candidates of a program.

    Attributes:
        groups: By line, the candidates of its operations; they exclude each other.
        reasons: For each form that no candidate has, the reason.
    """

    groups: tuple[tuple[Candidate, ...], ...] = ()
    reasons: Mapping[InterventionSite, str] = field(default_factory=dict)

    def of(self, site: InterventionSite) -> Candidate | None:
        """The candidate with a form and the fewest others; of several the one with the largest gain."""
        having = (one for group in self.groups for one in group if site in one.sites)
        return min(having, key=lambda one: (len(one.sites), -one.gain), default=None)

    def without(self, candidate: Candidate, why: str) -> Candidates:
        """The candidates, one of which must not be chosen, and why."""
        refused = replace(candidate, refused=why)
        groups = tuple(tuple(refused if one == candidate else one for one in group) for group in self.groups)
        return replace(self, groups=groups)

    def all_uncertain(self) -> Candidates:
        """The same candidates, none of which is sure to gain anything."""
        groups = tuple(tuple(replace(one, refused=one.refused or UNCERTAIN) for one in group) for group in self.groups)
        return replace(self, groups=groups)


def list_candidates(program: PlannedProgram, without: Sites = frozenset(), most: int = MAX_TRIED) -> Candidates:
    """The candidates of the lines with risk.

    Args:
        program: The program.
        without: Forms that must not be used.
        most: Number of variants that are measured at most.
    """
    risk = program.risk
    if risk is None:
        return Candidates()
    by_line: defaultdict[int, list[InterventionSite]] = defaultdict(list)
    for site, line in sorted(program.operations.sites.items(), key=lambda pair: (KINDS.index(_kind(pair[0])), pair[0])):
        by_line[line].append(site)
    lines = sorted(by_line, key=lambda line: (-risk.lines.get(line, 0.0), line))
    risky = [line for line in lines if _LineForms(program, risk, line, most).is_above(2)]
    reached = program.executed | {line for line, *_ in program.evidence.seen}  # also within a statement
    safe = {line: SAFE if line in reached else NOT_REACHED for line in lines if line not in risky}
    reasons = {site: why for line, why in safe.items() for site in by_line[line]}
    if program.failure is None:
        reasons |= dict.fromkeys(partial_results(program.source, program.operations.sites), PARTIAL)
    alone = [one for line in risky for one in by_line[line] if one not in reasons.keys() | without]
    shorter = [one for one in alone if _kind(one) not in LOOPS][:most]
    program.variants([program.with_siblings([one]) for one in shorter])  # while one is traced, the next is made
    groups: list[tuple[Candidate, ...]] = []
    tried, decided = 0, set[InterventionSite]()
    for line in risky:
        done = without | decided | reasons.keys()
        sites = [one for one in by_line[line] if one not in done]
        forms = _LineForms(program, risk, line, most - tried)
        forms.compose(sites)
        tried += len(forms.found)
        groups.append(forms.candidates())
        reasons |= forms.reasons
        decided |= all_sites(groups[-1])  # with siblings on other lines
    return Candidates(tuple(filter(None, groups)), reasons)


@dataclass
class _LineForms:
    """One line of the program, and what was measured of it.

    Attributes:
        program: The program.
        risk: Its risk.
        line: The line, from 1.
        available: Number of variants that may be measured.
        found: By set of forms, what was measured; None where the variant has no trace.
        reasons: For each form that has no candidate of its own, the reason.
        allowed: The forms that may be chosen.
    """

    program: PlannedProgram
    risk: ProgramRisk
    line: int
    available: int
    found: dict[Sites, _MeasuredForms | None] = field(default_factory=dict)
    reasons: dict[InterventionSite, str] = field(default_factory=dict)
    allowed: set[InterventionSite] = field(default_factory=set)

    @cached_property
    def _unchanged(self) -> _MeasuredForms:
        """The program itself, as a candidate without forms."""
        return _MeasuredForms(Candidate(self.line, frozenset(), 0, 0.0), self.risk, _branches(self.program.source))

    def is_above(self, steps: int) -> bool:
        """Whether a run of the line has more risk than this number of plain steps, or the model went wrong there."""
        plain = steps * self.risk.runs.get(self.line, 0.0) * plain_step(self.program.weights)
        return self.risk.lines.get(self.line, 0.0) > plain or self.line == self.program.failed_line

    def compose(self, sites: Sequence[InterventionSite]) -> None:
        """Measure the forms of the operations of the line, alone and composed."""
        fitting = self._measure_alone([one for one in sites if _kind(one) not in LOOPS])
        fitting += self._measure_alone(self._promising_loops(sites))
        self._measure(_compositions(fitting))
        count = 0
        while (usable := self._usable()) and len(self.found) > count:
            count, best = len(self.found), max(usable, key=self._worth)
            taken = {site[:2] for site in best.sites}
            self._measure(best.sites | {one} for one in fitting if one[:2] not in taken)

    def candidates(self) -> tuple[Candidate, ...]:
        """What was measured. Some of it is not chosen, whatever it gains."""
        usable = self._usable()
        known = [one.candidate for one in self.found.values() if one is not None]
        return tuple(replace(one, refused="" if one in usable else self._why_refused(one)) for one in known)

    def _measure_alone(self, forms: Sequence[InterventionSite]) -> list[InterventionSite]:
        """Measure each form by itself; those that may be chosen."""
        self._measure({one} for one in forms)
        self.reasons |= {one: UNTRIED for one in forms if self._alone(one) not in self.found}
        fitting = [one for one in forms if self._is_allowed(one)]
        self.allowed.update(*map(self._alone, fitting))
        return fitting

    def _promising_loops(self, sites: Sequence[InterventionSite]) -> list[InterventionSite]:
        """The forms with loops that are worth measuring; the others get their reasons."""
        loops = [one for one in sites if _kind(one) in LOOPS]
        why = LONGER if self.program.failure is None else "" if self.is_above(LOOP_STEPS) else SMALL
        if why:
            self.reasons |= dict.fromkeys(loops, why)
            return []
        shorter = {site[:2] for one in self._usable() for site in one.sites if _kind(site) == "idioms"}
        self.reasons |= {one: SHORTER for one in loops if one[:2] in shorter}
        return [one for one in loops if one[:2] not in shorter]

    def _measure(self, wanted: Iterable[Iterable[InterventionSite]]) -> None:
        """Measure sets of forms, with siblings, as long as variants are available."""
        new = [one for one in dict.fromkeys(map(self.program.with_siblings, wanted)) if one not in self.found]
        new = new[: max(0, self.available - len(self.found))]
        for chosen, variant in zip(new, self.program.variants(new), strict=True):
            self.found[chosen] = self._measured(chosen, variant) if isinstance(variant, Variant) else None
            if isinstance(variant, str):
                self.reasons.update({one: variant for one in chosen if self._alone(one) == chosen})

    def _alone(self, one: InterventionSite) -> Sites:
        return self.program.with_siblings([one])

    def _is_allowed(self, one: InterventionSite) -> bool:
        """Whether a form may be chosen: within the token limit and, where no failure is known, not at any price."""
        found, is_failure = self.found.get(self._alone(one)), self.program.failure is not None
        if found is None:  # it may have a trace with others
            return is_failure or _kind(one) == TEMPORARIES
        may_be_longer = is_failure or (_kind(one) == TEMPORARIES and found.branches <= self._unchanged.branches)
        return found.candidate.tokens <= (self.program.limit - self.program.original if may_be_longer else 0)

    def _measured(self, sites: Sites, variant: Variant) -> _MeasuredForms:
        gain = self.risk.cost - variant.risk.cost
        one = Candidate(self.line, sites, variant.tokens - self.program.original, gain)
        unchanged, repair = self.program.unchanged, self.program.repair(variant.risk)
        if unchanged is not None and repair is not None:
            one = replace(one, ahead=repair.ahead - unchanged.ahead, covered=repair.covered)
        return _MeasuredForms(one, variant.risk, _branches(variant.made.source))

    def _worth(self, one: Candidate) -> float:
        """The gain of a candidate or, after a failure, what it does for the chance where all else is covered too."""
        if (unchanged := self.program.unchanged) is None:
            return one.gain
        return one.covered / expm1(unchanged.failed) - one.ahead

    def _usable(self) -> list[Candidate]:
        """Of the forms that may be chosen, after a failure those that may repair it, else those that surely gain."""
        allowed = [one for one in self.found.values() if one is not None and one.candidate.sites <= self.allowed]
        if self.program.unchanged is None:
            return self._certain(allowed)
        return [one.candidate for one in allowed if one.candidate.covered > 0]

    def _certain(self, found: Iterable[_MeasuredForms]) -> list[Candidate]:
        """The candidates that gain certainly more than each one that is no longer, among them the program itself.

        One with more loops and conditions than another is another form of it, so it must be no longer.
        """
        kept = [self._unchanged]
        for one in sorted(found, key=lambda one: (one.candidate.tokens, -one.candidate.gain)):
            cheaper = [other for other in kept if other.candidate.tokens <= one.candidate.tokens]
            if all(one.gains_beyond(other) and not one.is_longer_form(other) for other in cheaper):
                kept.append(one)
        return [one.candidate for one in kept if one.candidate.gain > 0]

    def _why_refused(self, one: Candidate) -> str:
        if self.program.unchanged is not None:
            return NO_REPAIR
        return NO_GAIN if one.gain <= 0 else UNCERTAIN if one.sites <= self.allowed else LONGER


@dataclass(frozen=True)
class _MeasuredForms:
    """A candidate, and the predicted risk and the number of loops and conditions of the program with it alone."""

    candidate: Candidate
    risk: ProgramRisk
    branches: int

    def gains_beyond(self, other: _MeasuredForms) -> bool:
        """Whether the candidate gains more than another one beyond the errors of map and prices."""
        return least_gain(other.risk, self.risk) > 0

    def is_longer_form(self, other: _MeasuredForms) -> bool:
        """Whether the program with it has more loops and conditions than with another one, and a longer trace."""
        return self.branches > other.branches and self.candidate.tokens > other.candidate.tokens


def _compositions(forms: Sequence[InterventionSite]) -> Iterator[list[InterventionSite]]:
    """All forms of a kind, and these with temporaries for the other operations."""
    for kind in KINDS:
        chosen = [one for one in forms if _kind(one) == kind]
        replaced = {one[:2] for one in chosen}
        others = [one for one in forms if _kind(one) == TEMPORARIES and one[:2] not in replaced]
        yield from filter(None, (chosen, [*chosen, *others]))


def _branches(source: str) -> int:
    return sum(isinstance(node, ast.For | ast.While | ast.If) for node in ast.walk(ast.parse(source)))


def _kind(site: InterventionSite) -> str:
    return kind_of(site.intervention)


def describe(sites: Iterable[InterventionSite], source: str) -> str:
    """What forms do to which operations, in words; the recipe that changes most comes first."""
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for one in sorted(sites, key=lambda one: (-KINDS.index(_kind(one)), one)):
        by_kind[_kind(one)].append(short_code(source[slice(*one[:2])]))
    return "; ".join(", ".join((DESCRIPTIONS[kind], *dict.fromkeys(codes))) for kind, codes in by_kind.items())


def short_code(text: str) -> str:
    """Source on one line, cut where it is long."""
    code = " ".join(text.split())
    return code if len(code) <= 40 else f"{code[:39]}…"
