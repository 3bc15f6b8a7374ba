"""What the planner can choose from: for each risky line, the forms of its operations, alone and composed.

`rewrite.planner.line_forms` measures them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rewrite.evidence.context import InterventionSite
from rewrite.planner.choice import Candidate, all_sites
from rewrite.planner.line_forms import LOOPS, MAX_TRIED, TEMPORARIES, UNCERTAIN, PlannedLine, measure_forms, recipe_of
from rewrite.planner.program import KINDS, PlannedProgram, Sites
from rewrite.planner.siblings import partial_results

NOT_REACHED = "no call reaches its line"
SAFE = "the steps of its line are about as safe as plain ones"
PARTIAL = "a part of a sum or product, and one of several like conditions, is named after a failure only"

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
    by_line = _forms_by_line(program)
    lines = [PlannedLine(program, risk, line) for line in sorted(by_line, key=lambda line: -risk.lines.get(line, 0.0))]
    risky = [one for one in lines if one.is_above(2)]
    reasons = _reasons_unmeasured(program, by_line, {one.line for one in risky})
    alone = [one for line in risky for one in by_line[line.line] if one not in reasons.keys() | without]
    shorter = [one for one in alone if recipe_of(one) not in LOOPS][:most]
    program.variants([program.with_siblings([one]) for one in shorter])  # while one is traced, the next is made
    groups: list[tuple[Candidate, ...]] = []
    tried, decided = 0, set[InterventionSite]()
    for line in risky:
        done = without | decided | reasons.keys()
        forms = measure_forms(line, [one for one in by_line[line.line] if one not in done], most - tried)
        tried += len(forms.found)
        groups.append(forms.candidates())
        reasons |= forms.reasons
        decided |= all_sites(groups[-1])  # with siblings on other lines
    return Candidates(tuple(filter(None, groups)), reasons)


def _forms_by_line(program: PlannedProgram) -> dict[int, list[InterventionSite]]:
    """The forms of the operations of each line, by recipe; the lines in their order."""
    sites = program.operations.sites
    by_line: dict[int, list[InterventionSite]] = {line: [] for line in sorted(set(sites.values()))}
    for site in sorted(sites, key=lambda site: (KINDS.index(recipe_of(site)), site)):
        by_line[sites[site]].append(site)
    return by_line


def _reasons_unmeasured(
    program: PlannedProgram, by_line: Mapping[int, Sequence[InterventionSite]], risky: Container[int]
) -> dict[InterventionSite, str]:
    """The forms that are not measured, and why: on safe lines and, where no failure is known, of partial results."""
    reached = program.executed | {line for line, *_ in program.evidence.seen}  # also within a statement
    safe = {line: SAFE if line in reached else NOT_REACHED for line in by_line if line not in risky}
    reasons = {site: why for line, why in safe.items() for site in by_line[line]}
    if program.failure is None:
        reasons |= dict.fromkeys(partial_results(program.source, program.operations.sites), PARTIAL)
    return reasons


def describe(sites: Iterable[InterventionSite], source: str) -> str:
    """What forms do to which operations, in words; the recipe that changes most comes first."""
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for one in sorted(sites, key=lambda one: (-KINDS.index(recipe_of(one)), one)):
        by_kind[recipe_of(one)].append(short_code(source[slice(*one[:2])]))
    return "; ".join(", ".join((DESCRIPTIONS[recipe], *dict.fromkeys(codes))) for recipe, codes in by_kind.items())


def short_code(text: str) -> str:
    """Source on one line, cut where it is long."""
    code = " ".join(text.split())
    return code if len(code) <= 40 else f"{code[:39]}…"
