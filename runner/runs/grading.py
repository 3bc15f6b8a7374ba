"""Grades answers: correct, incorrect or truncated, with the first divergence and the first hallucinated action."""

from __future__ import annotations

import re
from dataclasses import dataclass

from analyze import Diagnosis, Tokenizer, Trace, diagnose
from analyze.diagnosis.answer_comparison import final_answer, same_value
from analyze.diagnosis.direct_values import names_exception
from analyze.diagnosis.predictions import score_predictions
from analyze.diagnosis.truncation import CUT_OFF, is_truncated
from analyze.diagnosis.written_values import read_answer_value
from corpora import Case
from corpora.program import Grading
from runner.asking.direct_prompts import read_answer
from runner.asking.generation import NO_ANSWER, Generation, Stopped
from runner.records.samples import Divergence, HallucinatedAction, Predictions, Verdict

_RAISED = re.compile(r"\(<class '(?:[\w.]*\.)?(\w+)'>")
_WORD = re.compile(r"[\w.]+")


@dataclass(frozen=True)
class GradedAnswer:
    """The grade of an answer.

    Attributes:
        verdict: "correct", "incorrect", "truncated" or "not asked".
        reference: the result of executing the program, as a repr.
        answer: the result in the output, as a repr; None if there is none.
        block: content of the `[ANSWER]` block.
        divergence: first divergence from the reference trace.
        action: first hallucinated action.
        predictions: single predictions of mode forced.
    """

    verdict: Verdict
    reference: str
    answer: str | None
    block: str | None
    divergence: Divergence | None
    action: HallucinatedAction | None = None
    predictions: Predictions | None = None


def grade_trace(trace: Trace, generation: Generation, tokenizer: Tokenizer, grading: Grading) -> GradedAnswer:
    """Grades a trace that the model wrote, with or without injected actions."""
    diagnosis = diagnose(trace, generation.ids or generation.text, tokenizer)
    cut = is_truncated(diagnosis.answer, diagnosis.kind, grading, generation.stopped)
    return GradedAnswer(
        _verdict(generation.stopped, diagnosis.correct, cut),
        diagnosis.truth,
        diagnosis.answer,
        diagnosis.block,
        divergence_of(diagnosis),
        action_of(diagnosis),
    )


def _verdict(stopped: Stopped, right: bool, cut: bool) -> Verdict:
    if stopped in NO_ANSWER:
        return "not asked"
    return "correct" if right else "truncated" if cut else "incorrect"


def divergence_of(diagnosis: Diagnosis) -> Divergence:
    """The first divergence as records have it."""
    return Divergence(diagnosis.kind, diagnosis.frame, diagnosis.true, diagnosis.predicted)


def action_of(diagnosis: Diagnosis) -> HallucinatedAction | None:
    """The first hallucinated action as records have it; None without one."""
    found = diagnosis.action
    if found is None:
        return None
    return HallucinatedAction(found.frame, found.true, found.predicted, found.after_wrong_state, found.in_program)


def grade_answer_block(label: str, block: str | None, stopped: Stopped) -> Verdict:
    """The paper's grading: the content of the `[ANSWER]` block against the label.

    Args:
        label: the expected result, as a repr.
        block: what the output asserts; None without a block.
        stopped: why generation ended.

    >>> outputs = ("[1]", "answer"), (None, "limit"), (None, "end")
    >>> [grade_answer_block("[1]", block, stopped) for block, stopped in outputs]
    ['correct', 'truncated', 'incorrect']
    """
    right = block is not None and same_value(label, block)
    return _verdict(stopped, right, block is None and stopped in CUT_OFF)


def grade_direct_answer(case: Case, trace: Trace, generation: Generation) -> GradedAnswer:
    """Grades an answer without a trace: a value, or the class of the exception that the call raises."""
    reference = final_answer(trace.frames, trace.grading) or ""
    answer = read_answer(generation.text, case)
    right = answer is not None and (is_raised(trace, answer) or same_value(reference, answer))
    if not right and not _is_readable(answer) and generation.stopped not in CUT_OFF and trace.cut is None:
        return GradedAnswer("not asked", reference, None, None, None)
    verdict = _verdict(generation.stopped, right and trace.cut is None, not right and generation.stopped in CUT_OFF)
    return GradedAnswer(verdict, reference, answer, None, None)


def _is_readable(answer: str | None) -> bool:
    """Whether an answer is a value, or one word such as the class of an exception; prose is not read as a value."""
    return answer is not None and (
        read_answer_value(answer) is not None or _WORD.fullmatch(answer) is not None or names_exception(answer)
    )


def is_raised(trace: Trace, answer: str) -> bool:
    """Whether the call raises an exception and the answer names its class, perhaps with arguments or a message."""
    raised = _RAISED.match(final_answer(trace.frames, trace.grading) or "")
    return trace.outcome.status == "raised" and raised is not None and raised[1] == re.split("[(:]", answer)[0]


def grade_predictions(trace: Trace, generation: Generation, tokenizer: Tokenizer) -> GradedAnswer:
    """Grades the predictions of mode forced, each made from the reference trace before it."""
    diagnosis = score_predictions(trace, generation.ids, tokenizer)
    verdict = _verdict(generation.stopped, diagnosis.correct, not diagnosis.reached)
    divergence = Divergence("none", len(trace.frames), "", "")
    if diagnosis.wrong:
        first = diagnosis.wrong[0]
        divergence = Divergence(first.kind, first.frame, first.true, first.predicted)
    elif not diagnosis.reached:
        divergence = Divergence("cut off while right", None, "", "")
    counts = {kind.rpartition(" ")[2]: (right, judged) for kind, right, judged in diagnosis.counts}
    wrong = tuple((one.frame, one.kind) for one in diagnosis.wrong)
    return GradedAnswer(
        verdict, diagnosis.truth, diagnosis.answer, None, divergence, None, Predictions(**counts, wrong=wrong)
    )
