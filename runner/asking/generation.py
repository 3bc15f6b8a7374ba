"""Data types between a run and a backend: prompts, sampling settings, generations and scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analyze.tokens.tokenizer import Tokenizer
from runner.records.samples import Sample

Stopped = Literal["end", "answer", "limit", "long", "context", "divergence", "unrecorded", "failed"]

NO_ANSWER: frozenset[Stopped] = frozenset({"unrecorded", "failed"})
"""Ways of stopping that give no answer."""
NEAR_TIES = {"bfloat16": 0.1, "float16": 0.02, "float32": 1e-4}
"""Margins, in nats, below which another batch shape or machine may choose another token, by number format.

Logits in bf16 near 16 have steps of 1/8. In float32, sums of a few thousand products differ in the sixth digit.
"""
END_OF_ANSWER = "[/ANSWER]"
# CWM's stop tokens.
STOP_TOKENS = ("<|end_of_text|>", "<|eot_id|>", "<|end_of_message|>", "<|eom_id|>")


@dataclass(frozen=True)
class Sampling:
    """How an answer is sampled.

    Attributes:
        temperature: above 0.
        number: index of the answer among those to the same question, from 0.
        seed: random seed, below 2**31, which every server accepts. Equal seeds give equal answers.
    """

    temperature: float
    number: int
    seed: int


@dataclass(frozen=True)
class Prompt:
    """A prompt, with the case and program that a replay needs to find its output.

    Attributes:
        case_id: id of the sample.
        attempt: "original" or a recipe.
        ids: token ids; for a chat, those of its template, or of its texts if the template is unknown.
        source: the program.
        call: the call.
        sampling: how to sample; None for greedy decoding.
        messages: role and text of each message of a chat; empty otherwise.
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
        """Index of the sampled answer; None for greedy decoding."""
        return None if self.sampling is None else self.sampling.number


@dataclass(frozen=True)
class Generation:
    """A continuation of a prompt.

    Attributes:
        ids: token ids without prompt and stop token, which are graded; empty if only the text is known.
        text: the ids as text.
        stopped: why it ended. "end": a stop token. "answer": `[/ANSWER]`. "limit": the token limit. "context": the
            model's context is full. "long": `EvaluationSettings.stop_after`. "divergence":
            `EvaluationSettings.stop_at_divergence`. "unrecorded": a replay has no output for the prompt. "failed": the
            server gave no answer.
        margin: smallest margin of a token over the next best, in nats; None if unknown.
        why: the error, if `stopped` is "failed".
        margins: margin of each token, and of the stop token, if the backend reports them.
    """

    ids: tuple[int, ...]
    text: str
    stopped: Stopped
    margin: float | None = None
    why: str = ""
    margins: tuple[float, ...] = ()


def generation_from_tokens(
    written: Sequence[int], margins: Sequence[float], tokenizer: Tokenizer, *, stopped: bool, sampling: Sampling | None
) -> Generation:
    """The generation from tokens that vLLM wrote, without the stop token.

    Args:
        written: token ids.
        margins: margin of each token, in nats.
        tokenizer: vocabulary of the model.
        stopped: whether a stop token or `[/ANSWER]` ended the answer, not the token limit.
        sampling: None for greedy decoding. Margins of a sampled answer do not show near ties, so they are dropped.
    """
    ended = bool(written) and written[-1] in stop_ids(tokenizer)
    ids = tuple(written[:-1] if ended else written)
    text = tokenizer.decode(ids)
    why: Stopped = "limit"
    if stopped:
        why = "end" if ended or END_OF_ANSWER not in text else "answer"
    known = tuple(margins) if sampling is None else ()
    return Generation(ids, text, why, margin=min(known, default=None), margins=known)


@dataclass(frozen=True)
class Scores:
    """The greedy choices of a model in place of each scored token, and after the last.

    Attributes:
        best: the chosen tokens, one more than were scored.
        margins: margin of each over the next best, in nats.
        why: the error, if the server gave no scores; `best` and `margins` are empty then.
    """

    best: tuple[int, ...]
    margins: tuple[float, ...]
    why: str = ""


def is_out_of_memory(error: BaseException) -> bool:
    """Whether an exception is torch's out-of-memory error; works without importing torch."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(error).__mro__}
    return ("torch", "OutOfMemoryError") in kinds


def stop_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """The ids of those of CWM's stop tokens that the vocabulary has."""
    return frozenset(token for name, token in tokenizer.special_tokens.items() if name in STOP_TOKENS)


def recorded_prompt(sample: Sample) -> Prompt:
    """The prompt of a record without token ids, as a replay identifies it."""
    sampling = None if sample.answer_index is None else Sampling(sample.temperature, sample.answer_index, 0)
    return Prompt(sample.id, sample.attempt, (), sample.source, sample.call, sampling)
