"""Asks a model about all cases, rewrites the failed ones and asks again, and records each attempt at once.

A resumed run asks only questions without a record, questions that a server failed, and questions that a recording had
no output for but has now. `runner.reports.run_report` makes reports from the records.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from rich.progress import Progress, TaskID

from analyze.diagnosis.early_stopping import AnswerMonitor
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from corpora import Case
from corpora.errors import InputError
from corpora.failures import failure_reason
from rewrite.baselines import PLACEBO
from runner.asking.answer_cache import AnswerCache, ask_cached
from runner.asking.ask import Decode, IndexedGeneration, uses_verification
from runner.asking.backend import Backend
from runner.asking.drafts import TraceDraft, trace_draft
from runner.asking.forced_modes import ForcedTrace
from runner.asking.generation import Generation, is_out_of_memory, recorded_prompt
from runner.asking.request import Draft, GenerationRequest
from runner.asking.sampling import answer_indices, sampling_for
from runner.asking.sparse_reveals import sparse_trace
from runner.records.samples import ORIGINAL, REDRAW, UNRECORDED, Mode, Sample, SampleFile, case_key
from runner.runs.question import PosedQuestion, SkippedQuestion, pose_question
from runner.runs.recording import RecordBuilder


@dataclass(frozen=True)
class EvaluationSettings:
    """The settings of a run.

    Attributes:
        recipes: recipes that rewrite failed programs.
        max_tokens: limit of new tokens per answer.
        batch_size: questions per batch.
        stop_after: abort an answer longer than this many times its reference trace; None for never.
        full: rewrite and ask again correct programs too, and add the control.
        decode: "verified" (speculative verification, if the backend supports it) or "plain".
        stop_at_divergence: abort an answer that can no longer be correct.
        temperature: sampling temperature; 0 for greedy decoding.
        num_samples: sampled answers per question, if the temperature is above 0.
        mode: which parts of the reference trace are injected (`runner.asking.forced_modes`).
        reveal_every: spacing of revealed states (`runner.asking.sparse_reveals`); 1 for every state.
    """

    recipes: tuple[str, ...] = ("decompose",)
    max_tokens: int = 8192
    batch_size: int = 32
    stop_after: float | None = None
    full: bool = False
    decode: Decode = "verified"
    stop_at_divergence: bool = False
    temperature: float = 0.0
    num_samples: int = 1
    mode: Mode = "free"
    reveal_every: int = 1


class EvaluationRun:
    """A run of one backend that appends to one file of records."""

    def __init__(
        self,
        backend: Backend,
        settings: EvaluationSettings,
        file: SampleFile,
        progress: Progress,
        cache: AnswerCache | None = None,
    ) -> None:
        self.backend = backend
        self.cache = cache
        self.settings = settings
        self.records = RecordBuilder(backend, settings.max_tokens, settings.temperature, settings.mode)
        self.batch = settings.batch_size
        self.file = file
        self.progress = progress

    def run(self, cases: Sequence[Case]) -> list[Sample]:
        """The records of all attempts, old and new: originals first, each attempt in the order of the cases.

        Cases are identified by content, not by id; duplicates are asked once.
        """
        by_key = {case_key(case): case for case in cases}
        indices = answer_indices(self.settings.temperature, self.settings.num_samples)
        samples = self._attempt(by_key, ORIGINAL, dict.fromkeys(by_key, indices))
        again: dict[str, tuple[int | None, ...]] = {}
        for sample in (one for one in samples if one.is_asked_again(full=self.settings.full)):
            again[sample.case_key] = (*again.get(sample.case_key, ()), sample.answer_index)
        failed = {key: by_key[key] for key in again}
        control = REDRAW if self.settings.temperature else PLACEBO
        for recipe in dict.fromkeys((*self.settings.recipes, *([control] if self.settings.full else []))):
            samples += self._attempt(failed, recipe, again)
        return samples

    def _attempt(
        self, cases: Mapping[str, Case], attempt: str, wanted: Mapping[str, Sequence[int | None]]
    ) -> list[Sample]:
        """The records of one attempt at each case. wanted: answer indices per case; None for the greedy answer."""
        done: dict[tuple[str, int | None], Sample] = {}
        questions: list[PosedQuestion] = []
        label = "executing programs" if attempt == ORIGINAL else f"rewriting with {attempt} and checking"
        for of, case in self.progress.track(list(cases.items()), description=label) if cases else ():
            missing = []
            for number in wanted[of]:
                known = self.file.samples.get(self.records.key(case.id, of, attempt, number))
                if known and not self._is_answerable_now(known):
                    done[of, number] = known
                else:
                    missing.append(number)
            posed = self._posed(of, case, attempt) if missing else None
            for number in missing:
                if isinstance(posed, SkippedQuestion):
                    done[of, number] = self._record(self.records.record_skipped(posed, number))
                elif posed is not None:
                    questions.append(self._with_sampling(posed, number))
        for sample in self._ask(questions, self._label(attempt)):
            done[sample.case_key, sample.answer_index] = sample
        return [done[of, number] for of in cases for number in wanted[of]]

    def _label(self, attempt: str) -> str:
        drafts = uses_verification(self.backend, self.settings.decode, sampled=self.settings.temperature > 0)
        return f"{'verifying' if drafts else 'asking'} {self.backend.name}, {attempt}"

    def _with_sampling(self, question: PosedQuestion, number: int | None) -> PosedQuestion:
        """The question for the sampled answer with this index."""
        salt = REDRAW if question.attempt == REDRAW else ""
        sampling = sampling_for(self.settings.temperature, number, question.prompt.ids, salt)
        return replace(question, prompt=replace(question.prompt, sampling=sampling))

    def _posed(self, of: str, case: Case, attempt: str) -> PosedQuestion | SkippedQuestion:
        """The question, or the reason why it is skipped. An unexpected error in one case does not end the run."""
        try:
            posed = pose_question(case, attempt, self.backend, self.settings.max_tokens)
            if isinstance(posed, PosedQuestion) and self.settings.reveal_every != 1:
                return self._sparse(posed)
            return posed
        except InputError:
            raise  # no sandbox is available, or the vocabulary lacks a token
        except Exception as error:  # noqa: BLE001 - one case must not end the run
            return SkippedQuestion(of, case, attempt, f"the question could not be prepared: {failure_reason(error)}")

    def _sparse(self, question: PosedQuestion) -> PosedQuestion:
        """The question with a reference trace of sparse reveals."""
        sparse = sparse_trace(question.trace, self.settings.reveal_every)
        tokens = sparse.trace.count_tokens(self.backend.tokenizer, MAX_COUNTED_TOKENS)
        return replace(question, trace=sparse.trace, hidden=sparse.hidden, reference_tokens=tokens)

    def _is_answerable_now(self, known: Sample) -> bool:
        """Whether a question without an answer is asked again: the server failed, or an output is recorded now."""
        if known.stopped == "failed":
            return True
        return known.reason == UNRECORDED and self.backend.has_output(recorded_prompt(known))

    def _ask(self, questions: list[PosedQuestion], label: str) -> Iterator[Sample]:
        if not questions:
            return
        task = self.progress.add_task(label, total=len(questions), recorded=0)
        left, recorded = _bucketed(questions), 0
        while left:
            done: set[int] = set()
            try:
                for place, sample in self._answer(left, task):
                    done.add(place)
                    recorded += 1
                    self.progress.update(task, completed=recorded, recorded=recorded)
                    yield sample
                left = []
            except Exception as error:
                if not is_out_of_memory(error):
                    raise
                left = [question for place, question in enumerate(left) if place not in done]
            if left:
                recorded += len(alone := left[:1] if self.batch == 1 else [])
                yield from map(self._record_out_of_memory, alone)
                left = left[len(alone) :]
                self._halve_batch()
        self.progress.update(task, completed=len(questions))

    def _answer(self, questions: list[PosedQuestion], task: TaskID) -> Iterator[tuple[int, Sample]]:
        """Yields the records of answers as they complete, with the indices of their questions."""
        requests = [self._request(question) for question in questions]
        advance = partial(self._advance, task, self.batch)
        for answer in ask_cached(self.cache, self.backend, requests, self.batch, self.settings.decode, advance):
            explained = self._with_stop_reason(requests[answer.index], answer)
            yield answer.index, self._record(self.records.record_answer(questions[answer.index], explained))

    def _halve_batch(self) -> None:
        """Halves the batch size after an out-of-memory error."""
        self.backend.release_memory()
        if self.batch > 1:
            self.batch //= 2
            said = f"out of memory with batches of {2 * self.batch}: retrying with {self.batch}"
            self.progress.console.print(said, soft_wrap=True)

    def _record_out_of_memory(self, question: PosedQuestion) -> Sample:
        """Records a question that does not fit in memory even alone; a resumed run asks it again."""
        why = "out of memory with a batch of one: try a smaller --max-tokens or another device"
        failed = IndexedGeneration(0, Generation((), "", "failed", why=why), "plain")
        return self._record(self.records.record_answer(question, failed))

    def _request(self, question: PosedQuestion) -> GenerationRequest:
        limit = self._limit(question)
        draft: Draft = TraceDraft(())
        if self.settings.mode == "free" and self.settings.decode == "verified" and self.backend.scores:
            draft = trace_draft(
                question.trace, question.case.call, question.prompt_format, self.backend.tokenizer, limit
            )
        script = None
        if self.settings.mode != "free":
            draft = script = ForcedTrace(question.trace, self.settings.mode, self.backend.tokenizer, question.hidden)
        watch = AnswerMonitor(question.trace, self.backend.tokenizer) if self.settings.stop_at_divergence else None
        return GenerationRequest(question.prompt, limit, draft, watch, script)

    def _limit(self, question: PosedQuestion) -> int:
        """The limit of new tokens of a question, from max_tokens, the context and `stop_after`."""
        most, times = self.settings.max_tokens, self.settings.stop_after
        if self.backend.context is not None:
            most = min(most, self.backend.context - len(question.prompt.ids))
        if times is None or question.reference_tokens is None:
            return most
        return min(most, max(math.ceil(times * question.reference_tokens), question.reference_tokens + 1))

    def _with_stop_reason(self, request: GenerationRequest, answer: IndexedGeneration) -> IndexedGeneration:
        """Replaces "limit" by the reason of a limit below max_tokens: the context or `stop_after`."""
        if answer.generation.stopped != "limit" or request.limit == self.settings.max_tokens:
            return answer
        full = self.backend.context is not None and request.limit + len(request.prompt.ids) >= self.backend.context
        return replace(answer, generation=replace(answer.generation, stopped="context" if full else "long"))

    def _advance(self, task: TaskID, size: int, active: int) -> None:
        """Advances the progress bar when sequences of a batch end. active: how many have not ended."""
        done = next(shown for shown in self.progress.tasks if shown.id == task)
        ended = min(size, int(done.total or 0) - int(done.fields["recorded"])) - active
        self.progress.update(task, completed=done.fields["recorded"] + max(0, ended))

    def _record(self, sample: Sample) -> Sample:
        self.file.append(sample)
        return sample


def _bucketed(questions: list[PosedQuestion]) -> list[PosedQuestion]:
    """Sorts questions by benchmark and expected length, because a batch decodes until its longest answer ends.

    The length of the reference trace predicts that of the answer, except for a benchmark that the model fails, whose
    answers reach the token limit.
    """

    def length(asked: PosedQuestion) -> float:
        return math.inf if asked.reference_tokens is None else len(asked.prompt.ids) + asked.reference_tokens

    return sorted(questions, key=lambda asked: (asked.case.benchmark, length(asked), asked.case.id))
