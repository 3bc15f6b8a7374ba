"""What an answer is judged to be: right, wrong or cut off, where it parts from the true trace, and in which action.

What it does not do: ask, or write records (`runner.runs.experiment`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyze import Diagnosis, Tokenizer, Trace, diagnose
from analyze.diagnosis.answers import final_answer, same_value
from analyze.diagnosis.predictions import score_predictions
from analyze.diagnosis.truncation import CUT_OFF, is_truncated
from corpora import Case
from corpora.program import Grading
from runner.asking.direct_prompts import read_answer
from runner.asking.generation import Generation, Stopped
from runner.records.samples import Action, Divergence, Predictions, Verdict

_RAISED = re.compile(r"\(<class '(?:[\w.]*\.)?(\w+)'>")
_SILENT = {"unrecorded", "failed"}


@dataclass(frozen=True)
class JudgedAnswer:
    """What a record says of an answer; the fields are those of `runner.records.samples.Sample`."""

    verdict: Verdict
    truth: str
    answer: str | None
    block: str | None
    divergence: Divergence | None
    action: Action | None = None
    predictions: Predictions | None = None


def judged_whole(trace: Trace, generation: Generation, tokenizer: Tokenizer, grading: Grading) -> JudgedAnswer:
    """An answer that the model wrote, with the true actions injected or without."""
    said = diagnose(trace, generation.ids or generation.text, tokenizer)
    verdict: Verdict = "incorrect"
    if generation.stopped in _SILENT:
        verdict = "not asked"
    elif said.correct:
        verdict = "correct"
    elif is_truncated(said.answer, said.kind, grading, generation.stopped):
        verdict = "truncated"
    return JudgedAnswer(verdict, said.truth, said.answer, said.block, divergence_of(said), action_of(said))


def divergence_of(said: Diagnosis) -> Divergence:
    """The first divergence as records have it."""
    return Divergence(said.kind, said.frame, said.true, said.predicted)


def action_of(said: Diagnosis) -> Action | None:
    """The first hallucinated action as records have it; None without one."""
    found = said.action
    if found is None:
        return None
    return Action(found.frame, found.true, found.predicted, found.after_wrong_state, found.in_program)


def judged_block(label: str, block: str | None, stopped: Stopped) -> Verdict:
    """The paper's grading: the content of the `[ANSWER]` block against the label.

    Args:
        label: the expected result, as a repr.
        block: what the output asserts; None without a block.
        stopped: why generation ended.

    >>> judged_block("[1]", "[1]", "answer"), judged_block("[1]", None, "limit"), judged_block("[1]", None, "end")
    ('correct', 'truncated', 'incorrect')
    """
    if stopped in _SILENT:
        return "not asked"
    if block is None:
        return "truncated" if stopped in CUT_OFF else "incorrect"
    return "correct" if same_value(label, block) else "incorrect"


def judged_direct(case: Case, trace: Trace, generation: Generation) -> JudgedAnswer:
    """An answer without a trace: a value, or the class of the exception that the call raises."""
    truth = final_answer(trace.frames, trace.grading) or ""
    answer = read_answer(generation.text, case)
    raised = _RAISED.match(truth) if trace.outcome.status == "raised" else None
    right = answer is not None and (raised[1] == answer.partition("(")[0] if raised else same_value(truth, answer))
    verdict: Verdict = "correct" if right and trace.cut is None else "incorrect"
    if generation.stopped in _SILENT:
        verdict = "not asked"
    elif generation.stopped in CUT_OFF and not right:
        verdict = "truncated"
    return JudgedAnswer(verdict, truth, answer, None, None)


def judged_alone(trace: Trace, generation: Generation, tokenizer: Tokenizer) -> JudgedAnswer:
    """The choices in place of a trace's tokens, each given the truth before it (mode forced)."""
    said = score_predictions(trace, generation.ids, tokenizer)
    verdict: Verdict = "correct" if said.correct else "incorrect" if said.reached else "truncated"
    if generation.stopped in _SILENT:
        verdict = "not asked"
    divergence = Divergence("none", len(trace.frames), "", "")
    if said.wrong:
        first = said.wrong[0]
        divergence = Divergence(first.kind, first.frame, first.true, first.predicted)
    elif not said.reached:
        divergence = Divergence("cut off while right", None, "", "")
    counts = {kind.rpartition(" ")[2]: (right, judged) for kind, right, judged in said.counts}
    wrong = tuple((one.frame, one.kind) for one in said.wrong)
    return JudgedAnswer(verdict, said.truth, said.answer, None, divergence, None, Predictions(**counts, wrong=wrong))
