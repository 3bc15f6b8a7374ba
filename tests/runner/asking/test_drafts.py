"""A draft is proposed again where the answer and it agree, however they parted."""

import pytest

from analyze import default_tokenizer, frames_to_ids, trace_call
from runner.asking.drafts import TraceDraft, trace_draft

TRUE = list(range(100, 160))


def tokens_shown(answer: list[int], most: int = 8) -> tuple[int, int]:
    """Rounds and rejected tokens while an answer is written that a model would give."""
    draft, written, rounds, wrong = TraceDraft(TRUE), 0, 0, 0
    while written < len(answer):
        proposed = list(draft.propose(answer[:written], most if rounds else len(TRUE)))
        right = 0
        while right < len(proposed) and written + right < len(answer) and proposed[right] == answer[written + right]:
            right += 1
        wrong += len(proposed) - right if rounds else 0
        written += right + 1
        rounds += 1
    return rounds, wrong


def test_a_right_answer_takes_one_round() -> None:
    assert tokens_shown(TRUE) == (1, 0)


@pytest.mark.parametrize(
    ("answer", "rounds"),
    [
        pytest.param([*TRUE[:20], 1, *TRUE[21:]], 9, id="a token exchanged"),
        pytest.param([*TRUE[:20], 1, 2, 3, *TRUE[20:]], 16, id="tokens put in"),
        pytest.param([*TRUE[:20], *TRUE[25:]], 14, id="tokens left out"),
        pytest.param([*TRUE[:30], *TRUE[10:]], 16, id="a step back"),
        pytest.param([1, 2, 3, 4, 5, 6] * 12, 24, id="a model that runs in circles"),
    ],
)
def test_a_draft_is_taken_up_again(answer: list[int], rounds: int) -> None:
    assert tokens_shown(answer)[0] <= rounds < len(answer)


def test_where_nothing_agrees_nothing_is_proposed() -> None:
    draft = TraceDraft(TRUE)
    draft.propose([], 60)
    assert not draft.propose([1], 8) and not draft.propose([1, 2], 8)


def test_an_empty_draft_proposes_nothing() -> None:
    draft = TraceDraft(())
    assert not draft.propose([], 8) and not draft.propose([5], 8)


def test_of_a_long_trace_no_more_is_tokenized_than_may_be_written() -> None:
    trace = trace_call("def f(n):\n    for i in range(n):\n        pass\n", "f(50)")
    whole = frames_to_ids(trace.frames, default_tokenizer())
    for most in (0, 1, 100):
        draft = trace_draft(trace, "f(50)", "bare", default_tokenizer(), most)
        assert list(draft.propose([], 10_000)) == whole[:most]
    whole.append(default_tokenizer().special_id("<|end_of_text|>"))
    assert list(trace_draft(trace, "f(50)", "bare", default_tokenizer()).propose([], 10_000)) == whole
