"""Asking a backend: by drafts where it can say what it thinks of one, else plainly; the answers are the same.

A backend with `verify` answers drafts by itself, greedily and sampling. One that can score is shown the whole draft in
one request, and then writes on by itself, a stretch at a time; where it has come back to the draft, the rest of it is
scored again. Scores are greedy: what is sampled of such a model, and all that is asked of one that can do neither, is
decoded, and marked as decoded. The forced modes (`runner.asking.forced_modes`) go the same ways.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from runner.asking.answer import Answer, answered
from runner.asking.backend import Backend
from runner.asking.generation import Generation, Prompt, Stopped, stop_ids
from runner.asking.request import Request

Decode = Literal["verified", "plain"]
DECODES: tuple[Decode, ...] = ("verified", "plain")
# A request that scores is worth about a prefill: a shorter guess is not sent, and what lies between grows.
_WORTH = 32
_STRETCH = 64


@dataclass(frozen=True)
class PlacedAnswer:
    """An answer, the place of its request among all, and how it was come by."""

    place: int
    generation: Generation
    decode: Decode


def ask(
    backend: Backend,
    requests: Sequence[Request],
    batch: int,
    decode: Decode,
    on_active: Callable[[int], None] = lambda active: None,
) -> Iterator[PlacedAnswer]:
    """Answers as they come, `batch` asked together. on_active(n): n of those are still being written."""
    drafts = by_drafts(backend, decode, sampled=any(request.prompt.sampling for request in requests))
    if drafts and backend.verifies:
        yield from (PlacedAnswer(place, generation, decode) for place, generation in backend.verify(requests, batch))
        return
    way = _scored if drafts else _decoded
    for start in range(0, len(requests), batch):
        yield from way(backend, requests[start : start + batch], start, on_active)


def by_drafts(backend: Backend, decode: Decode, *, sampled: bool) -> bool:
    """Whether answers are verified against the true trace, and decoded only where they part from it."""
    return decode == "verified" and (backend.verifies or (backend.scores and not sampled))


def _decoded(
    backend: Backend, requests: Sequence[Request], start: int, on_active: Callable[[int], None]
) -> Iterator[PlacedAnswer]:
    """One batch without scores, by `generate` alone, in the mode that its requests are in."""
    scripts = [request.script for request in requests]
    way = _singly if any(s and s.mode == "forced" for s in scripts) else _in_turn if any(scripts) else _plain
    return way(backend, requests, start, on_active)


def _plain(
    backend: Backend, requests: Sequence[Request], start: int, on_active: Callable[[int], None]
) -> Iterator[PlacedAnswer]:
    most = max(request.limit for request in requests)
    generations = backend.generate([request.prompt for request in requests], most, on_active)
    for place, (request, generation) in enumerate(zip(requests, generations, strict=True), start):
        yield PlacedAnswer(place, _ended(backend, request, generation), "plain")


def _in_turn(
    backend: Backend, requests: Sequence[Request], start: int, on_active: Callable[[int], None]
) -> Iterator[PlacedAnswer]:
    """Forced actions: what the script has is injected, and the model writes on behind it, a stretch at a time."""
    stops = stop_ids(backend.tokenizer)
    writing = {place: Answer(request, backend.tokenizer, stops) for place, request in enumerate(requests, start)}
    while writing:
        failed = _write_on(backend, writing, _STRETCH)
        yield from _finished(writing, failed, "plain")
        on_active(len(writing))


def _singly(
    backend: Backend, requests: Sequence[Request], start: int, on_active: Callable[[int], None]
) -> Iterator[PlacedAnswer]:
    """Forced: one token is asked for in place of each of the true trace."""
    for place, request in enumerate(requests, start):
        answer = Answer(request, backend.tokenizer, stop_ids(backend.tokenizer))
        failed: dict[int, Generation] = {}
        while not answer.stopped and not failed:
            ahead = answer.propose(_STRETCH)
            written = _continued(answer)
            prompts = [replace(written, ids=(*written.ids, *ahead[:shown])) for shown in range(len(ahead))]
            for generation in backend.generate(prompts, 1, lambda active: None):
                if generation.stopped == "failed":
                    failed[place] = generation
                elif not answer.stopped and not failed:
                    answer.go_on(generation)
        yield PlacedAnswer(place, failed.get(place) or answer.generation(), "plain")
        on_active(start + len(requests) - place - 1)


def _ended(backend: Backend, request: Request, generation: Generation) -> Generation:
    """The answer up to where it alone would have ended, whatever the others of its batch were given."""
    ids = generation.ids
    closed = None
    if request.watch:
        closed = next((end for end in range(1, len(ids) + 1) if request.watch.can_stop(ids[:end])), None)
    if closed is not None and closed <= request.limit:
        return _cut(backend, generation, closed, "divergence")
    if len(ids) < request.limit:
        return generation
    stopped: Stopped = "answer" if answered(ids[: request.limit], backend.tokenizer) else "limit"
    return _cut(backend, generation, request.limit, stopped)


def _cut(backend: Backend, generation: Generation, end: int, stopped: Stopped) -> Generation:
    """Its first `end` tokens, and the margin of those."""
    ids, margins = generation.ids[:end], generation.margins[:end]
    margin = min(margins, default=generation.margin)
    return replace(
        generation, ids=ids, text=backend.tokenizer.decode(ids), stopped=stopped, margin=margin, margins=margins
    )


def _scored(
    backend: Backend, requests: Sequence[Request], start: int, on_active: Callable[[int], None]
) -> Iterator[PlacedAnswer]:
    stops = stop_ids(backend.tokenizer)
    writing = {place: Answer(request, backend.tokenizer, stops) for place, request in enumerate(requests, start)}
    stretch = _STRETCH
    first = True
    while writing:
        failed = _show(backend, writing, 1 if first else _WORTH)
        going = {place: answer for place, answer in writing.items() if not answer.stopped and place not in failed}
        failed |= _write_on(backend, going, stretch)
        first, stretch = False, 2 * stretch
        yield from _finished(writing, failed, "verified")
        on_active(len(writing))


def _finished(writing: dict[int, Answer], failed: dict[int, Generation], decode: Decode) -> Iterator[PlacedAnswer]:
    """Those that have ended, taken out of what is still being written."""
    for place, answer in list(writing.items()):
        if answer.stopped or place in failed:
            yield PlacedAnswer(place, failed.get(place) or answer.generation(), decode)
            del writing[place]


def _show(backend: Backend, answers: dict[int, Answer], worth: int) -> dict[int, Generation]:
    """Score what each draft proposes, where it is long enough, and take what is right; what a server did not score."""
    drafts = {place: answer.propose(answer.room()) for place, answer in answers.items()}
    shown = {place: draft for place, draft in drafts.items() if len(draft) >= worth}
    sequences = [
        (
            [*answers[place].request.prompt.ids, *answers[place].written, *draft],
            len(answers[place].request.prompt.ids) + len(answers[place].written),
        )
        for place, draft in shown.items()
    ]
    failed: dict[int, Generation] = {}
    for (place, draft), scores in zip(shown.items(), backend.score(sequences) if sequences else [], strict=True):
        if scores.why:
            failed[place] = Generation((), "", "failed", why=scores.why)
        else:
            answers[place].take(draft, scores)
    return failed


def _write_on(backend: Backend, answers: dict[int, Answer], stretch: int) -> dict[int, Generation]:
    """Let the model write at most so many tokens; the answers that a server did not give."""
    for answer in answers.values():
        answer.inject()
    answers = {place: answer for place, answer in answers.items() if not answer.stopped}
    if not answers:
        return {}
    prompts = [_continued(answer) for answer in answers.values()]
    most = min(stretch, max(answer.room() for answer in answers.values()))
    failed: dict[int, Generation] = {}
    for (place, answer), generation in zip(
        answers.items(), backend.generate(prompts, most, lambda active: None), strict=True
    ):
        if generation.stopped == "failed":
            failed[place] = generation
        answer.go_on(generation)
    return failed


def _continued(answer: Answer) -> Prompt:
    prompt = answer.request.prompt
    return replace(prompt, ids=(*prompt.ids, *answer.written))
