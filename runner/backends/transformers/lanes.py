"""Answers with drafts: one forward pass says how far a draft is right; decoding starts only where it is not.

Every question is first shown its whole draft, the true trace, in one pass: where the model would have chosen each of
its tokens the answer is done. The others go on in lanes, a row of the batch each. A step shows every lane the last
token and a short draft, and takes what the model chose as far as the draft was right: one token at least. So the text
is that of plain decoding, greedy or sampled, whatever the drafts say. A lane that ends makes room for the next
question.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from runner.asking.answer import PendingAnswer
from runner.asking.generation import Generation, Sampling, Scores
from runner.backends.transformers.passes import forward
from runner.backends.transformers.slots import Slots


@dataclass(frozen=True)
class Widths:
    """How wide passes are, in tokens.

    rows: lanes; shown: of all rows together, while whole drafts are shown; block: of one row; step: of all lanes
    together in a step; draft: the longest draft of a step.
    """

    rows: int
    shown: int
    step: int
    block: int = 2_048
    draft: int = 48


# A pass on a CPU costs by the token, and most by the token where its tensors fit the caches: 0.14 ms for `pocket` with
# 2,048 tokens, 0.18 with 16,384. A GPU waits for its memory, and is shown dozens of tokens in the time of one.
def widths(device: str, rows: int) -> Widths:
    """What suits a kind of device ("cpu" or another)."""
    return Widths(rows, shown=2_048, step=32) if device == "cpu" else Widths(rows, shown=16_384, step=512)


@dataclass
class _Lane:
    """place: of the question among all; known: how many tokens of prompt and answer have keys and values."""

    place: int
    answer: PendingAnswer
    known: int


def _draws(lanes: Iterable[_Lane]) -> list[Sampling | None]:
    return [lane.answer.request.prompt.sampling for lane in lanes]


class Lanes:
    """A batch of a model of transformers. Any: its classes are typed too loosely."""

    def __init__(self, model: Any, widths: Widths, on_active: Callable[[int], None] = lambda active: None) -> None:
        self._model = model
        self._widths = widths
        self._on_active = on_active
        self._slots = Slots(model.config, widths.rows, widths.block)
        self._lanes: list[_Lane] = []

    def run(self, answers: Sequence[PendingAnswer]) -> Iterator[tuple[int, Generation]]:
        """Every answer with its place, as it ends. Those of like length are best put beside each other."""
        waiting = deque(enumerate(answers))
        while waiting or self._lanes:
            while waiting and 2 * len(self._lanes) <= self._widths.rows:
                yield from self._show(self._group(waiting))
            if self._lanes:
                yield from self._step()

    def _group(self, waiting: deque[tuple[int, PendingAnswer]]) -> list[tuple[_Lane, list[int]]]:
        """The next questions that there are lanes for, with their first drafts, as many as a pass may hold."""
        group: list[tuple[_Lane, list[int]]] = []
        longest = 0
        while waiting and len(group) < self._widths.rows - len(self._lanes):
            place, answer = waiting[0]
            draft = answer.propose(answer.request.limit)
            longest = max(longest, min(self._widths.block, len(answer.request.prompt.ids) + len(draft)))
            if group and longest * (len(group) + 1) > self._widths.shown:
                break
            waiting.popleft()
            group.append((_Lane(place, answer, 0), draft))
        return group

    def _show(self, group: list[tuple[_Lane, list[int]]]) -> Iterator[tuple[int, Generation]]:
        """Whole drafts, block by block. A row leaves with the first block in which it ends or its draft is wrong."""
        slots, block = Slots(self._model.config, len(group), self._widths.block), self._widths.block
        slots.rows = len(group)
        start = 0
        while group:
            texts = [[*lane.answer.request.prompt.ids, *draft] for lane, draft in group]
            blocks = [text[start : start + block] for text in texts]
            # The choice after the prompt's last token is the first of the answer.
            firsts = [
                min(len(part), max(0, len(lane.answer.request.prompt.ids) - 1 - start))
                for part, (lane, _) in zip(blocks, group, strict=True)
            ]
            scores = forward(
                self._model, slots, blocks, [start] * len(group), firsts, _draws(lane for lane, _ in group)
            )
            start += block
            for row in reversed(range(len(group))):
                lane, draft = group[row]
                ended = self._seen(lane, draft, scores[row], whole=start >= len(texts[row]))
                if not ended:
                    continue
                if lane.answer.stopped:
                    yield lane.place, lane.answer.generation()
                else:
                    self._slots.adopt(slots, row)
                    self._lanes.append(lane)
                # As `Slots.drop` does.
                slots.drop(row)
                group[row] = group[-1]
                group.pop()

    def _seen(self, lane: _Lane, draft: list[int], scores: Scores, whole: bool) -> bool:
        """Takes the choices of one block; whether this row is through."""
        written = len(lane.answer.written)
        rest = draft[written:]
        if not scores.best:
            return False
        right = lane.answer.accept(rest[: len(scores.best)], scores)
        lane.known = len(lane.answer.request.prompt.ids) + written + right
        return whole or right < len(scores.best) or lane.answer.stopped is not None

    def _step(self) -> Iterator[tuple[int, Generation]]:
        # The choice after the draft is a token too.
        longest = max(1, min(self._widths.draft, self._widths.step // len(self._lanes)))
        drafts = [lane.answer.propose(min(longest, lane.answer.remaining_tokens() - 1)) for lane in self._lanes]
        blocks = [[lane.answer.written[-1], *draft] for lane, draft in zip(self._lanes, drafts, strict=True)]
        known = [lane.known for lane in self._lanes]
        scores = forward(self._model, self._slots, blocks, known, [0] * len(blocks), _draws(self._lanes))
        for row in reversed(range(len(self._lanes))):
            lane = self._lanes[row]
            lane.known += 1 + lane.answer.accept(drafts[row], scores[row])
            if lane.answer.stopped:
                yield lane.place, lane.answer.generation()
                self._slots.drop(row)
                self._lanes[row] = self._lanes[-1]
                self._lanes.pop()
        self._on_active(len(self._lanes))
