"""Answers with drafts are those of plain greedy decoding, whatever the drafts say and wherever rows stand."""

from random import Random
from typing import Any

import pytest

from analyze.tokens.tokenizer import load_tokenizer
from runner.asking.answer import PendingAnswer
from runner.asking.drafts import TraceDraft
from runner.asking.generation import Generation, Prompt
from runner.asking.request import GenerationRequest
from tests.models import SMALL_TRACER
from tests.samples import sampled

pytestmark = pytest.mark.model
torch = pytest.importorskip("torch")

LIMIT = 60
HOWS = ["right", "too short", "one token", "an insertion", "a gap", "nothing right", "no draft"]


def plain(model: Any, ids: list[int], limit: int = LIMIT) -> list[int]:
    """What transformers writes by itself, the stop token included."""
    with torch.inference_mode():
        output = model.generate(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            max_new_tokens=limit,
            do_sample=False,
        )
    written: list[int] = output[0, len(ids) :].tolist()
    return written


def followed(model: Any, asked: list[tuple[list[int], list[int], int]], rows: int, block: int) -> list[Generation]:
    """asked: prompt, draft and limit of each."""
    from runner.backends.transformers.speculative_decoding import PassSizes, SpeculativeDecoder

    tokenizer = load_tokenizer(str(SMALL_TRACER))
    answers = [
        PendingAnswer(
            GenerationRequest(Prompt("", "", tuple(prompt)), limit, TraceDraft(draft)), tokenizer, frozenset({1})
        )
        for prompt, draft, limit in asked
    ]
    sizes = PassSizes(rows, shown=4 * block, step=4 * rows, block=block, draft=block - 1)
    found = dict(SpeculativeDecoder(model, sizes).run(answers))
    return [found[place] for place in range(len(asked))]


def check(model: Any, asked: list[tuple[list[int], list[int], int]], rows: int = 3, block: int = 16) -> None:
    for (prompt, _, limit), generation in zip(asked, followed(model, asked, rows, block), strict=True):
        true = plain(model, prompt, limit)
        ended = true[-1] == 1
        assert list(generation.ids) == (true[:-1] if ended else true)
        assert generation.stopped == ("end" if ended else "limit")


PROMPT = list(range(20, 45))


def corrupted(ids: list[int], how: str) -> list[int]:
    draw = Random(how)
    place = len(ids) // 2
    match how:
        case "right":
            return ids
        case "too short":
            return ids[:place]
        case "one token":
            return [*ids[:place], (ids[place] + 1) % 300, *ids[place + 1 :]]
        case "an insertion":
            return [*ids[:place], 7, 8, 9, *ids[place:]]
        case "a gap":
            return [*ids[:place], *ids[place + 5 :]]
        case "nothing right":
            return [draw.randrange(2, 300) for _ in ids]
    return []


@pytest.mark.medium
@pytest.mark.parametrize("how", HOWS)
def test_a_draft_changes_nothing(tiny: Any, how: str) -> None:
    check(tiny, [(PROMPT, corrupted(plain(tiny, PROMPT), how), LIMIT)])


@pytest.mark.medium
def test_a_right_draft_is_one_pass(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from runner.backends.transformers import speculative_decoding

    draft, passes = plain(tiny, PROMPT), []
    whole: Any = vars(speculative_decoding)["forward"]

    def counted(*given: Any) -> Any:
        passes.append(given)
        return whole(*given)

    monkeypatch.setattr(speculative_decoding, "forward", counted)
    followed(tiny, [(PROMPT, draft, len(draft))], rows=1, block=128)
    assert len(passes) == 1


@pytest.mark.medium
@pytest.mark.parametrize("seed", sampled(range(6), map(str, range(6)), every=3))
def test_rows_of_every_length_and_draft_answer_as_alone(tiny: Any, seed: int) -> None:
    """Longer than the window, in blocks shorter than a prompt, more questions than rows."""
    draw = Random(seed)
    asked = []
    for how in draw.sample(HOWS, 5):
        prompt = [draw.randrange(2, 300) for _ in range(draw.randint(1, 40))]
        asked.append((prompt, corrupted(plain(tiny, prompt, 40), how), draw.randint(1, 40)))
    check(tiny, asked, rows=draw.randint(1, 4), block=draw.choice([8, 16, 64]))


def test_scores_are_what_the_model_would_have_written(tiny: Any) -> None:
    from runner.backends.transformers.model import TransformersBackend

    backend = TransformersBackend("tiny", tiny, load_tokenizer(str(SMALL_TRACER)), ("bare",))
    written = [token for token in plain(tiny, PROMPT) if token != 1]
    (scores,) = backend.score([([*PROMPT, *written], len(PROMPT))])
    assert list(scores.best[:-1]) == written and len(scores.margins) == len(scores.best)
    assert min(scores.margins) >= 0


def test_long_texts_are_scored_in_blocks_as_in_one(tiny: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from runner.backends.transformers import model
    from runner.backends.transformers.speculative_decoding import PassSizes

    backend = model.TransformersBackend("tiny", tiny, load_tokenizer(str(SMALL_TRACER)), ("bare",))
    draw = Random(1)
    ids = [draw.randrange(2, 300) for _ in range(200)]
    whole = tiny(input_ids=torch.tensor([ids])).logits[0].argmax(-1).tolist()
    monkeypatch.setattr(model, "pass_sizes", lambda device, rows: PassSizes(rows, shown=64, step=8, block=32))
    for start in (1, 31, 32, 33, 64, 150, 200):
        (scores,) = backend.score([(ids, start)])
        assert list(scores.best) == whole[start - 1 :]
