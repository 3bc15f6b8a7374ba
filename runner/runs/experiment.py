"""A run: every case asked as it is, the failed ones rewritten and asked again, each attempt recorded at once.

The same run started again goes on where it stopped: what is recorded is never asked again, but for what a recording
had no output for, and has now. Reports are made from the
records by `runner.reports.report`; nothing is printed here but progress.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.progress import Progress, TaskID

from analyze.diagnosis.outlook import AnswerMonitor
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from corpora import Case
from corpora.errors import InputError
from rewrite.baselines.placebo import PLACEBO
from runner.asking.ask import Decode, PlacedAnswer, by_drafts
from runner.asking.backend import Backend
from runner.asking.cache import Cache, ask_once
from runner.asking.drafts import TraceDraft, trace_draft
from runner.asking.forced_modes import ForcedTrace
from runner.asking.generation import Generation, out_of_memory, prompt_of
from runner.asking.request import Draft, Request
from runner.asking.sampling import draw_of, numbers
from runner.asking.sparse_reveals import sparse_trace
from runner.records.samples import ORIGINAL, REDRAW, UNRECORDED, Mode, Sample, SampleFile, case_key
from runner.runs.question import Question, Unasked, pose
from runner.runs.recording import Records, broke


@dataclass(frozen=True)
class Settings:
    """What shapes a run. max_tokens: new tokens a question; batch: questions decoded together; stop_after: an answer of
    so many times the tokens of its true trace is no longer waited for (None: every answer is); full: right answers are
    rewritten and asked again too, and all after the control; decode: by drafts, where the backend can, or token by
    token; stop_at_divergence: nor is one waited for that can no longer be right; temperature: 0 for greedy answers,
    else of the `seeds` answers that are drawn to each question; mode: what is injected of
    the true trace, and what the model writes."""

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


class Run:
    """One backend, one file of records."""

    def __init__(
        self,
        backend: Backend,
        settings: Settings,
        file: SampleFile,
        progress: Progress,
        cache: Cache | None = None,
    ) -> None:
        self.backend = backend
        self.cache = cache
        self.settings = settings
        self.records = Records(backend, settings.max_tokens, settings.temperature, settings.mode)
        self.batch = settings.batch_size
        self.file = file
        self.progress = progress

    def run(self, cases: Sequence[Case]) -> list[Sample]:
        """The records of all attempts at `cases`, old and new, in the order of the cases, originals first.

        Cases are told apart by what they ask, not by id; one that repeats another is asked once.
        """
        each = {case_key(case): case for case in cases}
        drawn = numbers(self.settings.temperature, self.settings.num_samples)
        samples = self._attempt(each, ORIGINAL, dict.fromkeys(each, drawn))
        again: dict[str, tuple[int | None, ...]] = {}
        for sample in filter(self._is_asked_again, samples):
            again[sample.case_key] = (*again.get(sample.case_key, ()), sample.answer_index)
        failed = {of: each[of] for of in again}
        control = REDRAW if self.settings.temperature else PLACEBO
        for recipe in dict.fromkeys((*self.settings.recipes, *([control] if self.settings.full else []))):
            samples += self._attempt(failed, recipe, again)
        return samples

    def _is_asked_again(self, sample: Sample) -> bool:
        return sample.verdict in {"incorrect", "truncated"} or (self.settings.full and sample.asked)

    def _attempt(
        self, cases: Mapping[str, Case], attempt: str, wanted: Mapping[str, Sequence[int | None]]
    ) -> list[Sample]:
        """The records of one attempt at each case. wanted: the numbers of the answers by case; None: the greedy one."""
        done: dict[tuple[str, int | None], Sample] = {}
        questions: list[Question] = []
        label = "running the programs" if attempt == ORIGINAL else f"rewriting by {attempt}, running both"
        for of, case in self._track(cases, label):
            missing = []
            for number in wanted[of]:
                known = self.file.samples.get(self.records.key(case.id, of, attempt, number))
                if known and not self._recorded_since(known):
                    done[of, number] = known
                else:
                    missing.append(number)
            posed = self._posed(of, case, attempt) if missing else None
            for number in missing:
                if isinstance(posed, Unasked):
                    done[of, number] = self._record(self.records.unasked(posed, number))
                elif posed is not None:
                    questions.append(self._drawn(posed, number))
        for sample in self._ask(questions, self._label(attempt)):
            done[sample.case_key, sample.answer_index] = sample
        return [done[of, number] for of in cases for number in wanted[of]]

    def _label(self, attempt: str) -> str:
        drafts = by_drafts(self.backend, self.settings.decode, sampled=self.settings.temperature > 0)
        return f"{'verifying' if drafts else 'asking'} {self.backend.name}, {attempt}"

    def _drawn(self, question: Question, number: int | None) -> Question:
        """The question, asked for the answer of this number."""
        salt = REDRAW if question.attempt == REDRAW else ""
        draw = draw_of(self.settings.temperature, number, question.prompt.ids, salt)
        return replace(question, prompt=replace(question.prompt, sampling=draw))

    def _posed(self, of: str, case: Case, attempt: str) -> Question | Unasked:
        """The question, or why there is none: whatever one case does, the others are asked."""
        try:
            posed = pose(case, attempt, self.backend, self.settings.max_tokens)
            return posed if isinstance(posed, Unasked) or self.settings.reveal_every == 1 else self._sparse(posed)
        except InputError:
            raise  # nothing can be run at all, or the model's vocabulary lacks a token
        except Exception as error:  # noqa: BLE001 - one case must not end the run of all
            return Unasked(of, case, attempt, f"could not be posed: {broke(error)}")

    def _sparse(self, question: Question) -> Question:
        """The question with a reference trace of sparse reveals."""
        sparse = sparse_trace(question.trace, self.settings.reveal_every)
        tokens = sparse.trace.count_tokens(self.backend.tokenizer, MAX_COUNTED_TOKENS)
        return replace(question, trace=sparse.trace, hidden=sparse.hidden, reference_tokens=tokens)

    def _recorded_since(self, known: Sample) -> bool:
        """Whether a question that had no recorded output has one by now, or a server that gave none may give one."""
        if known.stopped == "failed":
            return True
        return known.reason == UNRECORDED and self.backend.has_output(prompt_of(known))

    def _track(self, cases: Mapping[str, Case], label: str) -> Iterable[tuple[str, Case]]:
        return self.progress.track(list(cases.items()), description=label) if cases else ()

    def _ask(self, questions: list[Question], label: str) -> Iterator[Sample]:
        if not questions:
            return
        task = self.progress.add_task(label, total=len(questions), recorded=0)
        left, recorded = _ordered(questions), 0
        while left:
            done: set[int] = set()
            try:
                for place, sample in self._told(left, task):
                    done.add(place)
                    recorded += 1
                    self.progress.update(task, completed=recorded, recorded=recorded)
                    yield sample
                left = []
            except Exception as error:
                if not out_of_memory(error):
                    raise
                left = [question for place, question in enumerate(left) if place not in done]
            if left:
                recorded += len(alone := left[:1] if self.batch == 1 else [])
                yield from map(self._too_long, alone)
                left = left[len(alone) :]
                self._halve()
        self.progress.update(task, completed=len(questions))

    def _told(self, questions: list[Question], task: TaskID) -> Iterator[tuple[int, Sample]]:
        """The records of answers as they come, with the places of their questions."""
        requests = [self._request(question) for question in questions]
        tick = self._tick(task, self.batch)
        for told in ask_once(self.cache, self.backend, requests, self.batch, self.settings.decode, tick):
            found = self.records.judged(questions[told.place], self._named(requests[told.place], told))
            yield told.place, self._record(found)

    def _halve(self) -> None:
        """After a batch that was more than the device's memory holds."""
        self.backend.release_memory()
        if self.batch > 1:
            self.batch //= 2
            said = f"out of memory with {2 * self.batch} questions together or more: going on with {self.batch}"
            self.progress.console.print(said, soft_wrap=True)

    def _too_long(self, question: Question) -> Sample:
        """A question that the device's memory does not hold even alone; like one that a server fails, asked again."""
        why = "out of memory even when asked alone: a smaller --max-tokens or another device may do"
        return self._record(
            self.records.judged(question, PlacedAnswer(0, Generation((), "", "failed", why=why), "plain"))
        )

    def _request(self, question: Question) -> Request:
        limit = self._limit(question)
        draft: Draft = TraceDraft(())
        if self.settings.mode == "free" and self.settings.decode == "verified" and self.backend.scores:
            draft = trace_draft(question.trace, question.case.call, question.form, self.backend.tokenizer, limit)
        script = None
        if self.settings.mode != "free":
            draft = script = ForcedTrace(question.trace, self.settings.mode, self.backend.tokenizer, question.hidden)
        watch = AnswerMonitor(question.trace, self.backend.tokenizer) if self.settings.stop_at_divergence else None
        return Request(question.prompt, limit, draft, watch, script)

    def _limit(self, question: Question) -> int:
        """The most new tokens that this question is waited for; a trace too long to be counted is waited for."""
        most, times = self.settings.max_tokens, self.settings.stop_after
        if self.backend.context is not None:
            most = min(most, self.backend.context - len(question.prompt.ids))
        if times is None or question.reference_tokens is None:
            return most
        return min(most, max(math.ceil(times * question.reference_tokens), question.reference_tokens + 1))

    def _named(self, request: Request, told: PlacedAnswer) -> PlacedAnswer:
        """With the reason for which an answer was not waited for any longer."""
        if told.generation.stopped != "limit" or request.limit == self.settings.max_tokens:
            return told
        full = self.backend.context is not None and request.limit + len(request.prompt.ids) >= self.backend.context
        return replace(told, generation=replace(told.generation, stopped="context" if full else "long"))

    def _tick(self, task: TaskID, size: int) -> Callable[[int], None]:
        """A callback that moves the bar forward as the sequences of a batch end, before their records are written."""

        def tick(active: int) -> None:
            done = next(shown for shown in self.progress.tasks if shown.id == task)
            ended = min(size, int(done.total or 0) - int(done.fields["recorded"])) - active
            self.progress.update(task, completed=done.fields["recorded"] + max(0, ended))

        return tick

    def _record(self, sample: Sample) -> Sample:
        self.file.append(sample)
        return sample


def _ordered(questions: list[Question]) -> list[Question]:
    """Like lengths together, a benchmark at a time: a batch decodes until its longest answer ends.

    The true length foretells an answer's, but not for a benchmark that the model fails: its answers run to the limit.
    """

    def length(asked: Question) -> float:
        return math.inf if asked.reference_tokens is None else len(asked.prompt.ids) + asked.reference_tokens

    return sorted(questions, key=lambda asked: (asked.case.benchmark, length(asked), asked.case.id))
