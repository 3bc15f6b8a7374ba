"""What an answer is judged to be: right, wrong or cut off, where it parts from the true trace, and in which action.

What it does not do: ask, or write records (`runner.experiment`).
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass

from analyze import Tokenizer, Trace, diagnose
from analyze.diagnosis.answers import final_answer, same_value
from analyze.diagnosis.predictions import judge
from corpora import Case
from corpora.program import Grading
from runner.backends import Generation
from runner.prompts.direct import read_answer
from runner.samples import Action, Divergence, Predictions, Verdict

_RAISED = re.compile(r"\(<class '(?:[\w.]*\.)?(\w+)'>")
_SILENT = {"unrecorded", "failed"}
_CUT = {"limit", "long", "context"}


@dataclass(frozen=True)
class Found:
    """What a record says of an answer; the fields are those of `runner.samples.Sample`."""

    verdict: Verdict
    truth: str
    answer: str | None
    block: str | None
    divergence: Divergence | None
    action: Action | None = None
    predictions: Predictions | None = None


def judged_whole(trace: Trace, generation: Generation, tokenizer: Tokenizer, grading: Grading) -> Found:
    """An answer that the model wrote, with the true actions injected or without."""
    said = diagnose(trace, generation.ids or generation.text, tokenizer)
    verdict: Verdict = "incorrect"
    # A model that answered and ran on to the limit was wrong, not cut off; every state is some "last state".
    unanswered = said.answer is None or grading == "state"
    if generation.stopped in _SILENT:
        verdict = "not asked"
    elif said.correct:
        verdict = "correct"
    elif generation.stopped in _CUT and unanswered:
        verdict = "truncated"
    divergence = Divergence(said.kind, said.frame, said.true, said.predicted)
    action = Action(**asdict(said.action)) if said.action else None
    return Found(verdict, said.truth, said.answer, said.block, divergence, action)


def judged_direct(case: Case, trace: Trace, generation: Generation) -> Found:
    """An answer without a trace: a value, or the class of the exception that the call raises."""
    truth = final_answer(trace.frames, trace.grading) or ""
    answer = read_answer(generation.text, case)
    raised = _RAISED.match(truth) if trace.outcome.status == "raised" else None
    right = answer is not None and (raised[1] == answer.partition("(")[0] if raised else same_value(truth, answer))
    verdict: Verdict = "correct" if right and trace.cut is None else "incorrect"
    if generation.stopped in _SILENT:
        verdict = "not asked"
    elif generation.stopped in _CUT and not right:
        verdict = "truncated"
    return Found(verdict, truth, answer, None, None)


def judged_alone(trace: Trace, generation: Generation, tokenizer: Tokenizer) -> Found:
    """The choices in place of a trace's tokens, each given the truth before it (mode forced)."""
    said = judge(trace, generation.ids, tokenizer)
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
    return Found(verdict, said.truth, said.answer, None, divergence, None, Predictions(**counts, wrong=wrong))
