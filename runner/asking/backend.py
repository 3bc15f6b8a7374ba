"""The interface between a run and a model. Implementations are in `runner.backends`.

None of them knows programs, traces or grading.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.asking.generation import Generation, Prompt, Scores
from runner.asking.prompts import Form
from runner.asking.request import Request
from runner.records.samples import Sample


class Backend(ABC):
    """What a run needs of a model. Implementations inherit from it; only `generate` has no default.

    Attributes:
        name: what the model is called in records.
        tokenizer: its vocabulary, which prompts are encoded and counted with.
        forms: the prompt formats that it was trained on, the preferred one first.
        weights: tells its parameters from others under the same name (default: "", nothing does).
        scores: whether it has `score` (default: False).
        verifies: whether it has `verify` (default: False).
        recorded: whether its answers were recorded before, whole (default: False).
        gives_ids: whether answers are token ids, not text alone (default: False).
        context: the most tokens of prompt and answer together (default: None, not known).
        tie: a gap, in nats, up to which another batch or machine may choose another token (default: 0).
    """

    name: str
    tokenizer: Tokenizer
    forms: tuple[Form, ...]
    weights: str = ""
    scores: bool = False
    verifies: bool = False
    recorded: bool = False
    gives_ids: bool = False
    context: int | None = None
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

    def verify(self, requests: Sequence[Request], rows: int) -> Iterator[tuple[int, Generation]]:
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
        """Gives back unused memory of the device, after a batch that was too large for it."""

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
