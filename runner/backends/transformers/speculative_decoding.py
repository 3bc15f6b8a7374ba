"""Speculative verification and decoding: drafts are verified in one forward pass, the rest is decoded in a batch.

Each question starts with its whole draft, the reference trace, in one pass. If the model would have chosen each of its
tokens, the answer is complete. Otherwise the answer joins the decoding batch, with one row of the KV cache. A step
processes the last token and a short draft of every row and accepts the model's choices up to the first mismatch, at
least one token. The text is therefore that of plain decoding, greedy or sampled, whatever the drafts are. When an
answer ends, its row is free for the next question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runner.asking.answer import PendingAnswer
from runner.asking.generation import Generation, Sampling, Scores
from runner.backends.transformers.forward_pass import forward
from runner.backends.transformers.kv_cache import KvCache


@dataclass(frozen=True)
class PassSizes:
    """The sizes of forward passes, in tokens.

    Attributes:
        rows: number of rows of the decoding batch.
        shown: tokens of all rows in a pass over whole drafts.
        step: tokens of all rows in a decoding step.
        block: tokens of one row in a pass over a draft.
        draft: longest draft of a decoding step.
    """

    rows: int
    shown: int
    step: int
    block: int = 2_048
    draft: int = 48


# On a CPU the time of a pass is proportional to its tokens, and lowest if its tensors fit the processor's caches: 0.14
# ms per token of a model of 3 million parameters with 2,048 tokens, 0.18 ms with 16,384. On a GPU, where decoding is
# bound by memory bandwidth, dozens of tokens take the time of one.
def pass_sizes(device: str, rows: int) -> PassSizes:
    """The sizes for a kind of device ("cpu" or another)."""
    return PassSizes(rows, shown=2_048, step=32) if device == "cpu" else PassSizes(rows, shown=16_384, step=512)


@dataclass
class _ActiveAnswer:
    """An answer that is being decoded.

    Attributes:
        place: index of its question.
        answer: the answer so far.
        known: number of tokens of prompt and answer in the KV cache.
    """

    place: int
    answer: PendingAnswer
    known: int


def _draws(answers: Iterable[_ActiveAnswer]) -> list[Sampling | None]:
    return [active.answer.request.prompt.sampling for active in answers]


class SpeculativeDecoder:
    """Answers questions in batches. Any: transformers has no precise types."""

    def __init__(self, model: Any, sizes: PassSizes) -> None:
        self._model = model
        self._sizes = sizes
        self._cache = KvCache(model.config, sizes.rows, sizes.block)
        self._active: list[_ActiveAnswer] = []

    def run(self, answers: Sequence[PendingAnswer]) -> Iterator[tuple[int, Generation]]:
        """Yields each answer with its index when it ends. Sort the questions by length, since a pass pads its rows."""
        waiting = deque(enumerate(answers))
        while waiting or self._active:
            while waiting and 2 * len(self._active) <= self._sizes.rows:
                yield from self._show(self._group(waiting))
            if self._active:
                yield from self._step()

    def _group(self, waiting: deque[tuple[int, PendingAnswer]]) -> list[tuple[_ActiveAnswer, list[int]]]:
        """The next questions for the free rows, with their first drafts, as far as they fit into one pass."""
        group: list[tuple[_ActiveAnswer, list[int]]] = []
        longest = 0
        while waiting and len(group) < self._sizes.rows - len(self._active):
            place, answer = waiting[0]
            draft = answer.propose(answer.request.limit)
            longest = max(longest, min(self._sizes.block, len(answer.request.prompt.ids) + len(draft)))
            if group and longest * (len(group) + 1) > self._sizes.shown:
                break
            waiting.popleft()
            group.append((_ActiveAnswer(place, answer, 0), draft))
        return group

    def _show(self, group: list[tuple[_ActiveAnswer, list[int]]]) -> Iterator[tuple[int, Generation]]:
        """Verifies whole drafts, block by block. A row leaves when its answer ends or its draft has a mismatch."""
        block = self._sizes.block
        cache = KvCache(self._model.config, len(group), block, rows=len(group))
        start = 0
        while group:
            texts = [[*active.answer.request.prompt.ids, *draft] for active, draft in group]
            blocks = [text[start : start + block] for text in texts]
            # The choice after the prompt's last token is the first of the answer.
            firsts = [
                min(len(part), max(0, len(active.answer.request.prompt.ids) - 1 - start))
                for part, (active, _) in zip(blocks, group, strict=True)
            ]
            scores = forward(
                self._model, cache, blocks, [start] * len(group), firsts, _draws(active for active, _ in group)
            )
            start += block
            for row in reversed(range(len(group))):
                active, draft = group[row]
                ended = self._seen(active, draft, scores[row], whole=start >= len(texts[row]))
                if not ended:
                    continue
                if active.answer.stopped:
                    yield active.place, active.answer.generation()
                else:
                    self._cache.adopt(cache, row)
                    self._active.append(active)
                # like `KvCache.drop`
                cache.drop(row)
                group[row] = group[-1]
                group.pop()

    def _seen(self, active: _ActiveAnswer, draft: list[int], scores: Scores, whole: bool) -> bool:
        """Accepts the choices of one block. Returns whether the row leaves the pass."""
        written = len(active.answer.written)
        rest = draft[written:]
        if not scores.best:
            return False
        right = active.answer.accept(rest[: len(scores.best)], scores)
        active.known = len(active.answer.request.prompt.ids) + written + right
        return whole or right < len(scores.best) or active.answer.stopped is not None

    def _step(self) -> Iterator[tuple[int, Generation]]:
        # The choice after the draft adds a token.
        longest = max(1, min(self._sizes.draft, self._sizes.step // len(self._active)))
        drafts = [active.answer.propose(min(longest, active.answer.remaining_tokens() - 1)) for active in self._active]
        blocks = [[active.answer.written[-1], *draft] for active, draft in zip(self._active, drafts, strict=True)]
        known = [active.known for active in self._active]
        scores = forward(self._model, self._cache, blocks, known, [0] * len(blocks), _draws(self._active))
        for row in reversed(range(len(self._active))):
            active = self._active[row]
            active.known += 1 + active.answer.accept(drafts[row], scores[row])
            if active.answer.stopped:
                yield active.place, active.answer.generation()
                self._cache.drop(row)
                self._active[row] = self._active[-1]
                self._active.pop()
