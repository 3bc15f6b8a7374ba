"""Builds the record of a question: the graded answer, or the reason why it was not asked.

`runner.runs.evaluation_run` asks, `runner.runs.grading` grades, `runner.records.samples` writes files.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from corpora.failures import failure_reason
from runner.asking.ask import IndexedGeneration
from runner.asking.backend import Backend
from runner.asking.generation import NO_ANSWER, Stopped
from runner.records.samples import UNREAD, UNRECORDED, Mode, Sample, Verdict, sample_key
from runner.runs.grading import (
    GradedAnswer,
    grade_answer_block,
    grade_direct_answer,
    grade_predictions,
    grade_trace,
)
from runner.runs.question import PosedQuestion, SkippedQuestion


@dataclass(frozen=True)
class RecordBuilder:
    """Builds the records of one run.

    Attributes:
        backend: the model.
        max_tokens: limit of new tokens per answer.
        temperature: sampling temperature.
        mode: "free", "forced-actions" or "forced".
    """

    backend: Backend
    max_tokens: int
    temperature: float
    mode: Mode

    def key(self, name: str, of: str, attempt: str, number: int | None) -> str:
        """The key of a record. of: key of the original case; number: index of the sampled answer."""
        return sample_key(self.backend.name, attempt, self.max_tokens, name, of, number)

    def record_answer(self, question: PosedQuestion, answer: IndexedGeneration) -> Sample:
        """The record of an answer. If grading fails, the record is "not asked" and names the error."""
        try:
            return self._judge(question, answer)
        except Exception as error:  # noqa: BLE001 - one answer must not end the run of all
            reason = f"the answer could not be graded: {failure_reason(error)}"
            posed = SkippedQuestion(question.case_key, question.case, question.attempt, reason, question.rewrite)
            return replace(self.record_skipped(posed, question.prompt.number), output=answer.generation.text)

    def _judge(self, question: PosedQuestion, answer: IndexedGeneration) -> Sample:
        generation = answer.generation
        if question.prompt_format == "direct":
            found = grade_direct_answer(question.case, question.trace, generation)
        elif self.mode == "forced":
            found = grade_predictions(question.trace, generation, self.backend.tokenizer)
        else:
            found = grade_trace(question.trace, generation, self.backend.tokenizer, question.case.grading)
        asked = found.verdict != "not asked"
        return Sample(
            key=self.key(question.case.id, question.case_key, question.attempt, question.prompt.number),
            case_key=question.case_key,
            **asdict(question.case),
            attempt=question.attempt,
            model=self.backend.name,
            reference=found.reference or question.trace.outcome.value or "",
            verdict=found.verdict,
            predicted=found.answer,
            answer_block=found.block,
            answer_verdict=self._answer_verdict(question, found, generation.stopped),
            reason="" if asked else generation.why or (UNRECORDED if generation.stopped in NO_ANSWER else UNREAD),
            prompt=question.text,
            prompt_tokens=len(question.prompt.ids),
            reference_tokens=question.reference_tokens,
            max_tokens=self.max_tokens,
            output=generation.text,
            output_tokens=len(generation.ids),
            stopped=generation.stopped,
            diagnosis=found.divergence if asked else None,
            rewrite=question.rewrite,
            caveats=question.trace.labels,
            isolation=question.trace.outcome.isolation,
            decode=answer.decode if asked else "",
            margin=generation.margin,
            near_tie=generation.margin is not None and generation.margin < self.backend.tie,
            temperature=self.temperature,
            answer_index=question.prompt.number,
            mode=self.mode,
            action=found.action if asked and self.mode == "free" else None,
            predictions=found.predictions if asked else None,
        )

    def _answer_verdict(self, question: PosedQuestion, found: GradedAnswer, stopped: Stopped) -> Verdict | None:
        """The paper's grade, for the prompt format that asks for an `[ANSWER]` block."""
        if question.prompt_format != "oneshot" or self.mode != "free" or question.case.grading == "state":
            return None
        label = question.case.expected if question.case.expected is not None else found.reference
        return grade_answer_block(label, found.block, stopped)

    def record_skipped(self, posed: SkippedQuestion, number: int | None) -> Sample:
        """The record of a question that was not asked."""
        return Sample(
            key=self.key(posed.case.id, posed.case_key, posed.attempt, number),
            case_key=posed.case_key,
            **asdict(posed.case),
            attempt=posed.attempt,
            model=self.backend.name,
            reference="",
            verdict="not asked",
            predicted=None,
            answer_block=None,
            answer_verdict=None,
            reason=posed.reason,
            prompt="",
            prompt_tokens=0,
            reference_tokens=0,
            max_tokens=0,
            output="",
            output_tokens=0,
            stopped="",
            decode="",
            diagnosis=None,
            rewrite=posed.rewrite,
            caveats=(),
            isolation="",
            temperature=self.temperature,
            answer_index=number,
            mode=self.mode,
        )
