"""What a run records of a question: its answer, judged, or why it was not asked.

Asking is in `runner.runs.experiment`, judging in `runner.runs.verdict`, files in `runner.records.samples`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from runner.asking.ask import PlacedAnswer
from runner.asking.backend import Backend
from runner.asking.generation import Stopped
from runner.records.samples import UNRECORDED, Mode, Sample, Verdict, sample_key
from runner.runs.question import Question, Unasked
from runner.runs.verdict import JudgedAnswer, judged_alone, judged_block, judged_direct, judged_whole
from runner.terminal.console import one_line


@dataclass(frozen=True)
class Records:
    """Makes the records of one run. max_tokens, temperature, mode: as in `runner.runs.experiment.Settings`."""

    backend: Backend
    max_tokens: int
    temperature: float
    mode: Mode

    def key(self, name: str, of: str, attempt: str, number: int | None) -> str:
        """What tells a record of this run from others. of: the original's key; number: of a sampled answer."""
        return sample_key(self.backend.name, attempt, self.max_tokens, name, of, number)

    def judged(self, question: Question, told: PlacedAnswer) -> Sample:
        """The record of an answer; one that breaks the diagnosis is in no figure, and says what it did."""
        try:
            return self._judge(question, told)
        except Exception as error:  # noqa: BLE001 - one answer must not end the run of all
            reason = f"its answer could not be judged: {broke(error)}"
            posed = Unasked(question.of, question.case, question.attempt, reason, question.rewrite)
            return replace(self.unasked(posed, question.prompt.number), output=told.generation.text)

    def _judge(self, question: Question, told: PlacedAnswer) -> Sample:
        generation = told.generation
        if question.form == "direct":
            found = judged_direct(question.case, question.trace, generation)
        elif self.mode == "forced":
            found = judged_alone(question.trace, generation, self.backend.tokenizer)
        else:
            found = judged_whole(question.trace, generation, self.backend.tokenizer, question.case.grading)
        asked = found.verdict != "not asked"
        return Sample(
            key=self.key(question.case.id, question.of, question.attempt, question.prompt.number),
            case_key=question.of,
            id=question.case.id,
            benchmark=question.case.benchmark,
            kind=question.case.kind,
            attempt=question.attempt,
            model=self.backend.name,
            source=question.case.source,
            call=question.case.call,
            expected=question.case.expected,
            reference=found.truth or question.trace.outcome.value or "",
            verdict=found.verdict,
            predicted=found.answer,
            answer_block=found.block,
            answer_verdict=self._answer_verdict(question, found, generation.stopped),
            reason="" if asked else generation.why or UNRECORDED,
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
            grading=question.case.grading,
            decode=told.decode if asked else "",
            margin=generation.margin,
            near_tie=generation.margin is not None and generation.margin < self.backend.tie,
            temperature=self.temperature,
            answer_index=question.prompt.number,
            mode=self.mode,
            action=found.action if asked and self.mode == "free" else None,
            predictions=found.predictions if asked else None,
        )

    def _answer_verdict(self, question: Question, found: JudgedAnswer, stopped: Stopped) -> Verdict | None:
        """The paper's grade, for the prompt format that asks for a block."""
        if question.form != "oneshot" or self.mode != "free" or question.case.grading == "state":
            return None
        label = question.case.expected if question.case.expected is not None else found.truth
        return judged_block(label, found.block, stopped)

    def unasked(self, posed: Unasked, number: int | None) -> Sample:
        """The record of a question that there is not."""
        key = self.key(posed.case.id, posed.of, posed.attempt, number)
        sample = _unasked(posed, self.backend.name, key)
        return replace(sample, temperature=self.temperature, answer_index=number, mode=self.mode)


def broke(error: Exception) -> str:
    """An error that nobody foresaw, in one line."""
    return f"{type(error).__name__}: {one_line(str(error))[:300]}"


def _unasked(posed: Unasked, model: str, key: str) -> Sample:
    return Sample(
        key=key,
        case_key=posed.of,
        id=posed.case.id,
        benchmark=posed.case.benchmark,
        kind=posed.case.kind,
        attempt=posed.attempt,
        model=model,
        source=posed.case.source,
        call=posed.case.call,
        expected=posed.case.expected,
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
        grading=posed.case.grading,
    )
