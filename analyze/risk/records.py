"""An assessment as a record: what is kept of it in a file, shown as a map, and given to other tools.

What this module does not do: assess (`analyze.risk.assessment`), show or write anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyze.gold_trace.trace import physical_lines
from analyze.risk.assessment import AssessedStep, Assessment
from corpora.errors import InputError

BUDGETS = (4_096, 8_192, 32_768)
"""Tokens: what a trace is held against whether it is asked or not."""
LONGEST = 400
"""Characters of a value in a record; a longer one is cut, and ends in an ellipsis."""
DEAREST = 3
"""How many of the variables, lines and loops that cost most a record names."""
Record = dict[str, Any]


def record_of(assessment: Assessment, budgets: Sequence[int] = BUDGETS, most: int = 5) -> Record:
    """The assessment as a JSON object, with the `most` riskiest steps, riskiest first (none that the prompt gives).

    risk: null where it is unknown, and then no lines and no steps; text: what is traced; lines: line of it to risk;
    fits: budget to whether the whole trace fits, null where that is not known; tokens: null where not counted (no whole
    trace, or beyond what any model reads), and then least_tokens says how many were, null where none were; hazards:
    name to [findings, highest severity]; spent: what the tokens go to, null where not counted: `parts` of the trace,
    the dearest `variables` and `lines`, `loops` that make it long: [pattern, first line, last, tokens].
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
        "variables": dict(budget.variables[:DEAREST]),
        "lines": {str(line): tokens for line, tokens in budget.lines[:DEAREST] if line is not None},
        "loops": [[loop.name, *loop.lines, loop.tokens] for loop in assessment.patterns[:DEAREST]],
    }


def _step(step: AssessedStep, texts: Sequence[str]) -> Record:
    """step: the frame's number from 0; line: the one that makes the frame."""
    line = step.made_by
    return {
        "step": step.index,
        "event": step.event,
        "line": line,
        "source": texts[line - 1] if line is not None and line <= len(texts) else step.source.rstrip("\n"),
        "values": [[name, value if len(value) <= LONGEST else f"{value[:LONGEST]}…"] for name, value in step.values],
        "risk": step.risk,
        "why": list(step.why),
    }


def _budget(
    assessment: Assessment, budgets: Sequence[int]
) -> tuple[tuple[int | None, int | None], dict[int, bool | None], tuple[str, ...]]:
    """The tokens, and the least that they are; which budgets hold them; why they were not counted, if they were not."""
    try:
        counted = (assessment.tokens, assessment.least_tokens) if assessment.trace.frames else (None, None)
        return counted, {budget: _fits(assessment, budget) for budget in budgets}, ()
    except (InputError, UnicodeEncodeError) as error:  # a vocabulary without the trace's tokens; a lone surrogate
        return (None, None), dict.fromkeys(budgets), (f"tokens not counted: {error}",)


def _fits(assessment: Assessment, budget: int) -> bool | None:
    """Whether the whole trace fits; None where there is only the start of one, and that does."""
    trace = assessment.trace
    if not trace.frames:
        return None
    if trace.cut is not None:
        return None if trace.count_tokens(assessment.tokenizer, budget) is not None else False
    return assessment.tokens <= budget if assessment.tokens is not None else assessment.fits(budget)
