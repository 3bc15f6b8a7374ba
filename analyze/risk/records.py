"""Converts an assessment to a JSON record, for files, reports and other tools."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyze.cost.token_budget import WINDOWS
from analyze.gold_trace.trace import physical_lines
from analyze.risk.assessed_steps import AssessedStep
from analyze.risk.assessment import Assessment
from corpora.errors import InputError

MAX_VALUE_CHARACTERS = 400
"""Maximum length of a value in a record; a longer one is truncated and ends in an ellipsis."""
MOST_EXPENSIVE = 3
"""Number of variables, lines and loops that a record lists, those with the most tokens."""
Record = dict[str, Any]


def assessment_record(assessment: Assessment, budgets: Sequence[int] = WINDOWS, most: int = 5) -> Record:
    """Returns the assessment as a JSON object.

    Its fields:

        risk        null if it is unknown; then there are no lines and no steps
        text        the traced source
        lines       line of the source to risk
        steps       the `most` riskiest steps, riskiest first (none that the prompt contains)
        fits        budget to whether the whole trace fits; null if unknown
        tokens      null if not counted: the trace is incomplete, or longer than any model reads
        least_tokens
                    the number of tokens that were counted, if `tokens` is null; null if none were
        hazards     name to [findings, highest severity]
        spent       where the tokens go, null if not counted: `parts` of the trace, the most expensive `variables`
                    and `lines`, and `loops` that make it long: [pattern, first line, last line, tokens]

    Args:
        assessment: The assessment.
        budgets: Token budgets to compare with.
        most: Number of steps to include.
    """
    (tokens, least), fits, notes = _budget(assessment, budgets)
    texts = [line.rstrip("\n") for line in physical_lines(assessment.trace.context)]
    hazards: dict[str, list[float]] = {}
    for finding in assessment.findings:
        if finding.severity > 0:
            count, worst = hazards.get(finding.hazard, (0, 0.0))
            hazards[finding.hazard] = [count + 1, max(worst, finding.severity)]
    return {
        "risk": assessment.risk,
        "basis": assessment.basis,
        "notes": [*assessment.notes, *notes],
        "tokens": tokens,
        "least_tokens": least,
        "fits": {str(budget): fit for budget, fit in fits.items()},
        "frames": len(assessment.trace.frames),
        "text": "\n".join(texts),
        "lines": {str(line): risk for line, risk in assessment.lines.items()},
        "steps": [_step(step, texts) for step in assessment.riskiest(most) if step.risk],
        "hazards": hazards,
        "spent": _spent(assessment) if tokens is not None else None,
    }


def _spent(assessment: Assessment) -> Record:
    budget = assessment.budget
    return {
        "parts": dict(budget.parts),
        "variables": dict(budget.variables[:MOST_EXPENSIVE]),
        "lines": {str(line): tokens for line, tokens in budget.lines[:MOST_EXPENSIVE] if line is not None},
        "loops": [[loop.name, *loop.lines, loop.tokens, loop.why] for loop in assessment.patterns[:MOST_EXPENSIVE]],
    }


def _step(step: AssessedStep, texts: Sequence[str]) -> Record:
    """Returns a step as an object: `step` is the frame's index from 0, `line` the line that produces the frame."""
    line = step.made_by
    return {
        "step": step.index,
        "event": step.event,
        "line": line,
        "source": texts[line - 1] if line is not None and line <= len(texts) else step.source.rstrip("\n"),
        "values": [
            [name, value if len(value) <= MAX_VALUE_CHARACTERS else f"{value[:MAX_VALUE_CHARACTERS]}…"]
            for name, value in step.values
        ],
        "risk": step.risk,
        "why": list(step.why),
    }


def _budget(
    assessment: Assessment, budgets: Sequence[int]
) -> tuple[tuple[int | None, int | None], dict[int, bool | None], tuple[str, ...]]:
    """Returns (tokens, least tokens), whether each budget suffices, and why tokens could not be counted."""
    try:
        counted = (assessment.tokens, assessment.least_tokens) if assessment.trace.frames else (None, None)
        return counted, {budget: _fits(assessment, budget) for budget in budgets}, ()
    except (InputError, UnicodeEncodeError) as error:  # a vocabulary without the trace's tokens; a lone surrogate
        return (None, None), dict.fromkeys(budgets), (f"tokens not counted: {error}",)


def _fits(assessment: Assessment, budget: int) -> bool | None:
    """Returns whether the whole trace fits; None if only its start is known, and that fits."""
    trace = assessment.trace
    if not trace.frames:
        return None
    if trace.cut is not None:
        return None if trace.count_tokens(assessment.tokenizer, budget) is not None else False
    return assessment.tokens <= budget if assessment.tokens is not None else assessment.fits(budget)
