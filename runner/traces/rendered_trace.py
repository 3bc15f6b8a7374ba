"""A trace as a format writes it."""

from __future__ import annotations

from dataclasses import dataclass

from analyze.tokens.tokenizer import Tokenizer


@dataclass(frozen=True)
class RenderedTrace:
    """What a model is given, and what it is to write.

    Attributes:
        prompt: What it is given.
        text: What it is to write.
        prompt_ids: The prompt as token ids; None for a format without special tokens.
        ids: The text as token ids; None for a format without special tokens.
    """

    prompt: str
    text: str
    prompt_ids: tuple[int, ...] | None = None
    ids: tuple[int, ...] | None = None

    def count_tokens(self, tokenizer: Tokenizer) -> int:
        """The length of the text in tokens."""
        return len(tokenizer.encode(self.text)) if self.ids is None else len(self.ids)
