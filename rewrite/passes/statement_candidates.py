"""Statement interventions as passes: each statement that one claims is a candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

import libcst as cst

from rewrite.anf.intervention import StatementIntervention
from rewrite.anf.rewrite_options import DEFAULT_OPTIONS
from rewrite.evidence.context import InterventionSite, RewriteContext
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.pipeline.attempts import RewriteAttempt, rewrite_until_compiles
from rewrite.pipeline.recipe import PreparedInterventions


def statement_candidates(intervention: type[StatementIntervention], program: ParsedProgram) -> Iterator[PassCandidate]:
    """Every statement of a function that the intervention claims, from top to bottom.

    Args:
        intervention: the intervention. Its `summary` says what it does to a statement.
        program: the program.
    """
    if not any(isinstance(site.node, intervention.statements) for site in program.sites):
        return
    whole = _attempt(intervention, program, ())
    claimed = [node for _, node in whole.report.applied if isinstance(node, cst.BaseStatement)]
    spans = [whole.old.span_of(node) or (0, 0) for node in claimed]
    sites = [InterventionSite(*span, intervention.name) for span in spans]
    for node, site in zip(claimed, sites, strict=True):
        alone = _attempt(intervention, program, [other for other in sites if other != site])
        assumes = alone.observed_facts.assumptions() if alone.observed_facts is not None else ()
        yield program.candidate(node, intervention.summary, [_edit(alone)], assumes)


def _attempt(
    intervention: type[StatementIntervention], program: ParsedProgram, excluded: Sequence[InterventionSite]
) -> RewriteAttempt:
    def recipe() -> PreparedInterventions:
        return PreparedInterventions((), DEFAULT_OPTIONS, (intervention(),))

    context = RewriteContext(evidence=program.evidence, excluded=dict.fromkeys(excluded, "another candidate"))
    return rewrite_until_compiles(program.module, recipe, program.source, context=context)


def _edit(attempt: RewriteAttempt) -> Edit:
    """The changed lines, as one edit."""
    old, new = attempt.old.text.split("\n"), attempt.new.text.split("\n")
    first = _same(old, new)
    last = _same(old[first:][::-1], new[first:][::-1])
    end = len(old) - last
    start, length = sum(len(line) + 1 for line in old[:first]), len("\n".join(old[first:end]))
    positions = attempt.positions[first : len(new) - last]
    return Edit(
        start, start + length, "\n".join(new[first : len(new) - last]), tuple(position.line for position in positions)
    )


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of lines at the start that are equal."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
