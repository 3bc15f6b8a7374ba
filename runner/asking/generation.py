"""What is asked of a model and what comes back: prompts, sampling, continuations, scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyze.tokens.tokenizer import Tokenizer
from runner.records.samples import Sample

Stopped = Literal["end", "answer", "limit", "long", "context", "divergence", "unrecorded", "failed"]

END_OF_ANSWER = "[/ANSWER]"
# "end of message" and the two ends of text: CWM's own stop tokens (shared trace format, "Special tokens").
STOP_TOKENS = ("<|end_of_text|>", "<|eot_id|>", "<|end_of_message|>", "<|eom_id|>")


@dataclass(frozen=True)
class Sampling:
    """How an answer is sampled. temperature: above 0; number: which of a question's answers it is, from 0.

    seed: of all its chance, below 2 to the 31, so that every server takes it. Two answers with one seed are one answer.
    """

    temperature: float
    number: int
    seed: int


@dataclass(frozen=True)
class Prompt:
    """One question: the prompt's token ids, and the case and program that it is about (a replay needs them).

    draw: None where it is answered greedily; messages: of a chat, roles and texts, where it is one; the ids are then
    those of the chat, as far as they are known.
    """

    case_id: str
    attempt: str
    ids: tuple[int, ...]
    source: str = ""
    call: str = ""
    sampling: Sampling | None = None
    messages: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> int | None:
        """Which of the answers to it is asked for; None for the greedy one."""
        return None if self.sampling is None else self.sampling.number


@dataclass(frozen=True)
class Generation:
    """One continuation. ids: without prompt and stop token; empty where a recorded output has only text.

    stopped: "end" at a stop token, "answer" after `[/ANSWER]`, "limit" when the tokens ran out, "context" when the
    model's context was full, "long" where a run waited no longer (`Settings.stop_after`), "divergence" where nothing
    that could follow would have made the answer right (`Settings.stop_at_divergence`), "unrecorded" where a replay
    knows no output for the prompt, "failed" where a server gave none; then text and ids are empty, and `why` says what
    happened. gap: the least by which a token of the answer was ahead of the next best, in nats, as far as it is known;
    gaps: that of each of the ids, and of the stop token behind them where there was one, from a backend that says it.
    """

    ids: tuple[int, ...]
    text: str
    stopped: Stopped
    margin: float | None = None
    why: str = ""
    margins: tuple[float, ...] = ()


def generation(
    written: Sequence[int], gaps: Sequence[float], tokenizer: Tokenizer, *, stopped: bool, draw: Sampling | None
) -> Generation:
    """What vLLM wrote, its stop token cut off. stopped: by that or by `[/ANSWER]`, not by the limit.

    Of a sampled answer (`draw`) the gaps say nothing of how near another one was, so they are left out.
    """
    ended = bool(written) and written[-1] in stop_ids(tokenizer)
    ids = tuple(written[:-1] if ended else written)
    text = tokenizer.decode(ids)
    why: Stopped = "limit"
    if stopped:
        why = "end" if ended or END_OF_ANSWER not in text else "answer"
    known = tuple(gaps) if draw is None else ()
    return Generation(ids, text, why, margin=min(known, default=None), margins=known)


@dataclass(frozen=True)
class Scores:
    """What a model would have written, greedily, in place of each of the ids that it was shown, and after the last.

    best: one token more than the ids scored; gaps: by how much each is ahead of the next best, in nats; why: what
    happened where a server did not say; then both are empty.
    """

    best: tuple[int, ...]
    margins: tuple[float, ...]
    why: str = ""


def out_of_memory(error: BaseException) -> bool:
    """Whether a backend failed since its device's memory is full: torch's error, told without importing torch."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(error).__mro__}
    return ("torch", "OutOfMemoryError") in kinds


def stop_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """The ids of CWM's stop tokens that a vocabulary has."""
    return frozenset(token for name, token in tokenizer.special_tokens.items() if name in STOP_TOKENS)


def prompt_of(sample: Sample) -> Prompt:
    """The question of a record, as a recording knows it: without token ids."""
    draw = None if sample.answer_index is None else Sampling(sample.temperature, sample.answer_index, 0)
    return Prompt(sample.id, sample.attempt, (), sample.source, sample.call, draw)
