"""Asks a backend: speculative verification where the backend supports it, else plain decoding, with the same answers.

The draft is the reference trace. There are three cases:

- A backend with `verify` decodes with drafts by itself, greedily and with sampling.
- A backend with `score` gets the whole draft in one request. After the first divergence it generates a chunk of tokens;
  where the answer agrees with the draft again, the rest of the draft is scored. This works for greedy decoding only.
- Everything else is decoded token by token, and recorded as "plain".

A backend that is `concurrent` (a server) answers each question by itself: none waits for the slowest of a batch.
The forced modes (`runner.asking.forced_modes`) use the same three cases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from corpora.errors import InputError
from runner.asking.answer import PendingAnswer, has_answer_end
from runner.asking.backend import Backend
from runner.asking.concurrency import as_completed
from runner.asking.generation import Generation, Prompt, Stopped, stop_ids
from runner.asking.request import GenerationRequest

Decode = Literal["verified", "plain"]
DECODES: tuple[Decode, ...] = ("verified", "plain")
# A scoring request costs about a prefill: shorter drafts are not scored, and the chunks between requests grow.
_MIN_DRAFT = 32
_CHUNK = 64


@dataclass(frozen=True)
class IndexedGeneration:
    """An answer with the index of its request.

    Attributes:
        index: position of the request in the list of requests.
        generation: the answer.
        decode: "verified" or "plain".
    """

    index: int
    generation: Generation
    decode: Decode


def ask(
    backend: Backend,
    requests: Sequence[GenerationRequest],
    batch: int,
    decode: Decode,
    on_active: Callable[[int], None] = lambda active: None,
) -> Iterator[IndexedGeneration]:
    """Yields answers as they complete.

    Args:
        backend: the model.
        requests: the questions.
        batch: number of questions per batch.
        decode: "verified" to use speculative verification if the backend supports it, or "plain".
        on_active: called with the number of sequences of the batch that are still being decoded.
    """
    drafts = uses_verification(backend, decode, sampled=any(request.prompt.sampling for request in requests))
    if drafts and backend.verifies:
        for place, generation in backend.verify(requests, batch):
            yield IndexedGeneration(place, generation, decode)
        return
    if backend.concurrent:
        yield from _ask_concurrently(backend, requests, batch, drafts=drafts)
        return
    for start in range(0, len(requests), batch):
        yield from _Batch(backend, requests[start : start + batch], start, on_active).decode(drafts=drafts)


def uses_verification(backend: Backend, decode: Decode, *, sampled: bool) -> bool:
    """Whether `ask` uses speculative verification of the reference trace."""
    return decode == "verified" and (backend.verifies or (backend.scores and not sampled))


def _ask_concurrently(
    backend: Backend, requests: Sequence[GenerationRequest], batch: int, *, drafts: bool
) -> Iterator[IndexedGeneration]:
    """Asks `batch` questions at a time, each in a thread, and yields each answer as it arrives."""

    def answer(place: int) -> IndexedGeneration:
        (answered,) = _Batch(backend, [requests[place]], place, lambda active: None).decode(drafts=drafts)
        return answered

    for place, answered in as_completed(answer, range(len(requests)), batch, backend.seconds):
        late = Generation((), "", "failed", why=f"no complete answer within {backend.seconds:.0f} s")
        yield answered or IndexedGeneration(place, late, "verified" if drafts else "plain")


@dataclass(frozen=True)
class _Batch:
    """Requests that are decoded together; `start` is the index of the first."""

    backend: Backend
    requests: Sequence[GenerationRequest]
    start: int
    on_active: Callable[[int], None]

    def decode(self, *, drafts: bool) -> Iterator[IndexedGeneration]:
        """Answers by scoring drafts, or with `generate` only, in the mode of the requests."""
        modes = {request.script.mode for request in self.requests if request.script}
        if drafts or modes == {"forced-actions"}:
            return self._by_chunks(drafts=drafts)
        return self._forced() if modes else self._free()

    def _free(self) -> Iterator[IndexedGeneration]:
        most = max(request.limit for request in self.requests)
        generations = self.backend.generate([request.prompt for request in self.requests], most, self.on_active)
        if not self.backend.gives_ids and any(one.ids for one in generations):  # they are graded in place of the text
            raise InputError(f"{self.backend.name} gives an answer as token ids, which needs gives_ids = True")
        for place, (request, generation) in enumerate(zip(self.requests, generations, strict=True), self.start):
            yield IndexedGeneration(place, _trimmed(self.backend, request, generation), "plain")

    def _forced(self) -> Iterator[IndexedGeneration]:
        """Mode forced: asks for one token in place of each token of the reference trace."""
        answers = self._pending_answers()
        for place, answer in answers.items():
            failed: Generation | None = None
            while not answer.stopped and not failed:
                ahead = answer.propose(_CHUNK)
                written = _prompt_so_far(answer)
                prompts = [replace(written, ids=(*written.ids, *ahead[:shown])) for shown in range(len(ahead))]
                for generation in self.backend.generate(prompts, 1, lambda active: None):
                    if generation.stopped == "failed":
                        failed = generation
                    elif not answer.stopped and not failed:
                        answer.extend(generation)
            yield IndexedGeneration(place, failed or answer.generation(), "plain")
            self.on_active(self.start + len(answers) - place - 1)

    def _by_chunks(self, *, drafts: bool) -> Iterator[IndexedGeneration]:
        """Continues all answers a chunk at a time, and in mode forced-actions injects reference actions between.

        With `drafts`, scores what is left of each draft before a chunk.
        """
        writing = self._pending_answers()
        decode: Decode = "verified" if drafts else "plain"
        worth, chunk = 1, _CHUNK
        while writing:
            failed: dict[int, Generation] = {}
            if drafts:
                failed = _verify_drafts(self.backend, writing, worth)
            going = {place: answer for place, answer in writing.items() if not answer.stopped and place not in failed}
            failed |= _continue_answers(self.backend, going, chunk)
            if drafts:
                worth, chunk = _MIN_DRAFT, 2 * chunk
            for place, answer in list(writing.items()):
                if answer.stopped or place in failed:
                    yield IndexedGeneration(place, failed.get(place) or answer.generation(), decode)
                    del writing[place]
            self.on_active(len(writing))

    def _pending_answers(self) -> dict[int, PendingAnswer]:
        """An empty answer to each request, by the index of the request."""
        tokenizer = self.backend.tokenizer
        stops = stop_ids(tokenizer)
        return {
            place: PendingAnswer(request, tokenizer, stops) for place, request in enumerate(self.requests, self.start)
        }


def _trimmed(backend: Backend, request: GenerationRequest, generation: Generation) -> Generation:
    """The answer up to its own limit and stopping criterion, which may be before those of its batch."""
    ids = generation.ids
    closed = None
    if request.watch:
        closed = next((end for end in range(1, len(ids) + 1) if request.watch.can_stop(ids[:end])), None)
    if closed is not None and closed <= request.limit:
        return _truncated(backend, generation, closed, "divergence")
    if len(ids) < request.limit:
        return generation
    stopped: Stopped = "answer" if has_answer_end(ids[: request.limit], backend.tokenizer) else "limit"
    return _truncated(backend, generation, request.limit, stopped)


def _truncated(backend: Backend, generation: Generation, end: int, stopped: Stopped) -> Generation:
    """The first `end` tokens of an answer, with their smallest margin."""
    ids, margins = generation.ids[:end], generation.margins[:end]
    margin = min(margins, default=generation.margin)
    return replace(
        generation, ids=ids, text=backend.tokenizer.decode(ids), stopped=stopped, margin=margin, margins=margins
    )


def _verify_drafts(backend: Backend, answers: dict[int, PendingAnswer], worth: int) -> dict[int, Generation]:
    """Scores the drafts of at least `worth` tokens and accepts their matching prefixes. Returns the failed requests."""
    drafts = {place: answer.propose(answer.remaining_tokens()) for place, answer in answers.items()}
    shown = {place: draft for place, draft in drafts.items() if len(draft) >= worth}
    sequences = []
    for place, draft in shown.items():
        ids = _prompt_so_far(answers[place]).ids
        sequences.append(([*ids, *draft], len(ids)))
    failed: dict[int, Generation] = {}
    for (place, draft), scores in zip(shown.items(), backend.score(sequences) if sequences else [], strict=True):
        if scores.why:
            failed[place] = Generation((), "", "failed", why=scores.why)
        else:
            answers[place].accept(draft, scores)
    return failed


def _continue_answers(backend: Backend, answers: dict[int, PendingAnswer], stretch: int) -> dict[int, Generation]:
    """Generates at most `stretch` tokens for each answer. Returns the failed requests."""
    for answer in answers.values():
        answer.inject()
    answers = {place: answer for place, answer in answers.items() if not answer.stopped}
    if not answers:
        return {}
    prompts = [_prompt_so_far(answer) for answer in answers.values()]
    most = min(stretch, max(answer.remaining_tokens() for answer in answers.values()))
    failed: dict[int, Generation] = {}
    generations = backend.generate(prompts, most, lambda active: None)
    for (place, answer), generation in zip(answers.items(), generations, strict=True):
        if generation.stopped == "failed":
            failed[place] = generation
        answer.extend(generation)
    return failed


def _prompt_so_far(answer: PendingAnswer) -> Prompt:
    prompt = answer.request.prompt
    return replace(prompt, ids=(*prompt.ids, *answer.written))
