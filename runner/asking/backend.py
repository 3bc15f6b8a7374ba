"""The interface to a model. `runner.backends` has the implementations, which know nothing of programs or grading."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.asking.generation import Generation, Prompt, Scores
from runner.asking.prompts import PromptFormat
from runner.asking.request import GenerationRequest
from runner.records.samples import Sample


class Backend(ABC):
    """A model that can be asked. Only `generate` is abstract.

    Attributes:
        name: name of the model in records.
        tokenizer: vocabulary that prompts are encoded with.
        prompt_formats: the prompt formats that it was trained on, the preferred one first.
        weights: identifies its parameters (default: "", unknown).
        scores: whether it has `score` (default: False).
        verifies: whether it has `verify` (default: False).
        recorded: whether its answers are recorded outputs (default: False).
        gives_ids: whether answers are token ids, not only text (default: False).
        context: maximum number of tokens of prompt and answer together (default: None, unknown).
        concurrent: whether it answers several questions at once, each in a thread of its own (default: False).
        seconds: time limit of an answer if `concurrent`.
        tie: margin, in nats, below which another batch size or machine may choose another token (default: 0).
    """

    name: str
    tokenizer: Tokenizer
    prompt_formats: tuple[PromptFormat, ...]
    weights: str = ""
    scores: bool = False
    verifies: bool = False
    recorded: bool = False
    gives_ids: bool = False
    context: int | None = None
    concurrent: bool = False
    seconds: float = 0.0
    tie: float = 0.0

    @abstractmethod
    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations of at most `max_tokens` tokens, one a prompt, in order.

        Args:
            prompts: token ids each.
            max_tokens: new tokens, for each.
            on_token: called with the number of sequences that are still being written.
        """

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """For each (ids, start): the greedy choice in place of ids[start], ids[start + 1], ... and after the last."""
        raise NotImplementedError

    def verify(self, requests: Sequence[GenerationRequest], rows: int) -> Iterator[tuple[int, Generation]]:
        """Answers by speculative verification of the requests' drafts, each with the place of its request.

        Args:
            requests: with drafts.
            rows: how many are decoded together.
        """
        raise NotImplementedError

    def chat_ids(self, messages: Sequence[tuple[str, str]]) -> list[int]:
        """The token ids of a chat, (role, text) each; without a chat template those of the texts, for counting."""
        return self.tokenizer.encode("\n".join(text for _, text in messages))

    def release_memory(self) -> None:  # noqa: B027 - most backends hold no device
        """Frees unused memory of the device after an out-of-memory error."""

    def has_output(self, prompt: Prompt) -> bool:
        """Whether a recording has an output for the prompt; False for a model."""
        return False

    def check_cases(
        self, sharing: Iterable[tuple[Case, Case]], places: Mapping[str, str], records: Iterable[Sample]
    ) -> Iterator[str]:
        """Warnings of a recording about the cases of a run; a model has none.

        Args:
            sharing: pairs of cases with one id.
            places: where each case was read, by its key.
            records: of the run so far.

        Raises:
            InputError: the recording does not fit these cases or records.
        """
        yield from ()
