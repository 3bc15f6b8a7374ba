"""What the planner can choose from: for each line, the forms of its operations, alone and composed, each measured.

A step that computes several values is riskier than the sum of its parts, so what the forms of two operations of a line
gain together is not the sum of what each gains. Therefore compositions are measured like single forms: all forms of a
kind, these with temporaries for the other operations, and from the best one on, each further form that gains more.
In doubt the cheaper one is preferred: a candidate counts if it gains more than each cheaper one, and than nothing,
beyond the errors of the reliability map.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import expm1

from rewrite.evidence.context import InterventionSite
from rewrite.pipeline.recipes import kind_of
from rewrite.planner.choice import Candidate
from rewrite.planner.objective import ProgramRisk, least_gain, plain_step
from rewrite.planner.program import KINDS, PlannedProgram, Sites, Variant

MAX_TRIED = 48
"""Number of variants that are measured at most, those of the riskiest line first."""
UNTRIED = f"not tried: only {MAX_TRIED} variants are traced"
SAFE = "the steps of its line are about as safe as plain ones"
SMALL = "the line is about as safe as a loop of plain steps"
SHORTER = "the operation has a shorter form than a loop"
LOOPS = ("elements", "methods")
"""The recipes of loops, which are not measured where an idiom of the same operation gains by itself."""
LOOP_STEPS = 50
"""Steps of a loop of 25 rounds. No loop is measured for a line that has at most the risk of this many plain steps."""

DESCRIPTIONS = {
    "expressions": "materialize nested values",
    "idioms": "work on exposed characters and pieces",
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
        """The candidates but one, and why its forms are not used."""
        groups = tuple(tuple(one for one in group if one != candidate) for group in self.groups)
        return Candidates(tuple(filter(None, groups)), {**self.reasons, **dict.fromkeys(candidate.sites, why)})

    def all_uncertain(self) -> Candidates:
        """The same candidates, none of which is sure to gain anything."""
        groups = tuple(tuple(replace(one, is_certain=False) for one in group) for group in self.groups)
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
    by_line: dict[int, list[InterventionSite]] = {}
    for site, line in sorted(program.operations.sites.items(), key=lambda pair: (KINDS.index(_kind(pair[0])), pair[0])):
        by_line.setdefault(line, []).append(site)
    groups: list[tuple[Candidate, ...]] = []
    reasons: dict[InterventionSite, str] = {}
    tried = 0
    for line in sorted(by_line, key=lambda line: (-risk.lines.get(line, 0.0), line)):
        sites = [one for one in by_line[line] if one not in without]
        forms = _LineForms(program, risk, line, most - tried)
        if not forms.is_above(2):
            reasons |= dict.fromkeys(sites, SAFE)
            continue
        found, why, measured = forms.compose(sites)
        tried += measured
        groups.append(found)
        reasons |= why
    return Candidates(tuple(filter(None, groups)), reasons)


@dataclass(frozen=True)
class _LineForms:
    """One line of the program."""

    program: PlannedProgram
    risk: ProgramRisk
    line: int
    available: int

    def is_above(self, steps: int) -> bool:
        """Whether a run of the line has more risk than this number of plain steps, or the model went wrong there."""
        plain = steps * self.risk.runs.get(self.line, 0.0) * plain_step(self.program.weights)
        return self.risk.lines.get(self.line, 0.0) > plain or self.line == self.program.failed_line

    def compose(
        self, sites: Sequence[InterventionSite]
    ) -> tuple[tuple[Candidate, ...], dict[InterventionSite, str], int]:
        """The candidates of the line, why some forms have none alone, and the number of variants that were measured."""
        why: dict[InterventionSite, str] = {}
        found: dict[Sites, _MeasuredForms | None] = {}

        def measure(wanted: Iterable[Sites]) -> None:
            new = [one for one in dict.fromkeys(wanted) if one not in found][: max(0, self.available - len(found))]
            for chosen, variant in zip(new, self.program.variants(new), strict=True):
                found[chosen] = self._measured(chosen, variant) if isinstance(variant, Variant) else None
                if isinstance(variant, str) and len(chosen) == 1:
                    why.update(dict.fromkeys(chosen, variant))

        loops = [one for one in sites if _kind(one) in LOOPS]
        if not self.is_above(LOOP_STEPS):
            why |= dict.fromkeys(loops, SMALL)
            sites, loops = [one for one in sites if one not in loops], []
        measure(frozenset({one}) for one in sites if one not in loops)
        shorter = {site[:2] for one in self._usable(found.values()) for site in one.sites if _kind(site) == "idioms"}
        forms = [one for one in sites if one not in loops or one[:2] not in shorter]
        measure(frozenset({one}) for one in forms)
        fitting = [one for one in forms if self._fits(found.get(frozenset({one})))]
        measure(_compositions(fitting))
        count = 0
        while (usable := self._usable(filter(self._fits, found.values()))) and len(found) > count:
            count, best = len(found), max(usable, key=self._worth)
            taken = {site[:2] for site in best.sites}
            measure(best.sites | {one} for one in fitting if one[:2] not in taken)
        untried = {one: UNTRIED for one in forms if frozenset({one}) not in found}
        why |= {one: SHORTER for one in sites if one not in forms}
        known = [one.candidate for one in found.values() if one is not None]
        return tuple(replace(one, is_certain=one in usable) for one in known), untried | why, len(found)

    def _fits(self, one: _MeasuredForms | None) -> bool:
        """Whether forms are within the token limit by themselves, or cannot be measured by themselves."""
        return one is None or self.program.original + one.candidate.tokens <= self.program.limit

    def _measured(self, sites: Sites, variant: Variant) -> _MeasuredForms:
        gain = self.risk.cost - variant.risk.cost
        one = Candidate(self.line, sites, variant.tokens - self.program.original, gain)
        unchanged, repair = self.program.unchanged, self.program.repair(variant.risk)
        if unchanged is not None and repair is not None:
            one = replace(one, ahead=repair.ahead - unchanged.ahead, covered=repair.covered)
        return _MeasuredForms(one, variant.risk)

    def _worth(self, one: Candidate) -> float:
        """The gain of a candidate or, after a failure, what it does for the chance where all else is covered too."""
        if (unchanged := self.program.unchanged) is None:
            return one.gain
        return one.covered / expm1(unchanged.failed) - one.ahead

    def _usable(self, found: Iterable[_MeasuredForms | None]) -> list[Candidate]:
        """After a failure the candidates that may repair it, else those whose gain is certain."""
        if self.program.unchanged is None:
            return self._certain(found)
        return [one.candidate for one in found if one is not None and one.candidate.covered > 0]

    def _certain(self, found: Iterable[_MeasuredForms | None]) -> list[Candidate]:
        """The candidates that gain certainly more than each one with fewer tokens, and than none at all."""
        kept = [nothing := _MeasuredForms(Candidate(self.line, frozenset(), 0, 0.0), self.risk)]
        for one in sorted(filter(None, found), key=lambda one: (one.candidate.tokens, -one.candidate.gain)):
            cheaper = [other for other in kept if other.candidate.tokens <= one.candidate.tokens]
            if all(one.gains_beyond(other) for other in cheaper):
                kept.append(one)
        return [one.candidate for one in kept if one is not nothing and one.candidate.gain > 0]


@dataclass(frozen=True)
class _MeasuredForms:
    """A candidate with the predicted risk of the program with it alone."""

    candidate: Candidate
    risk: ProgramRisk

    def gains_beyond(self, other: _MeasuredForms) -> bool:
        """Whether the candidate gains more than another one beyond the errors of map and prices."""
        return least_gain(other.risk, self.risk) > 0


def _compositions(forms: Sequence[InterventionSite]) -> Iterator[Sites]:
    """All forms of a kind, and these with temporaries for the other operations."""
    for kind in KINDS:
        chosen = [one for one in forms if _kind(one) == kind]
        replaced = {one[:2] for one in chosen}
        others = [one for one in forms if _kind(one) == "expressions" and one[:2] not in replaced]
        yield from map(frozenset, filter(None, (chosen, [*chosen, *others])))


def _kind(site: InterventionSite) -> str:
    return kind_of(site.intervention)


def describe(sites: Sites) -> str:
    """What forms do, in words: by the recipe that changes most."""
    return DESCRIPTIONS[max(map(_kind, sites), key=KINDS.index)]
