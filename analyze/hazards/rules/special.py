"""SPECIAL: the string contains the text of a special token."""

from __future__ import annotations

import re
from functools import cache

from analyze.hazards.base import Hazard, HazardExample, HazardHits
from analyze.hazards.batch import QuestionBatch
from analyze.tokens.tokenizer import Tokenizer


class SpecialHazard(Hazard):
    """A tokenizer with default settings encodes it as the special token, and the string is lost."""

    name = "SPECIAL"
    summary = "The string contains the text of a special token."
    message = "{text} contains the text of a special token"
    families = "the special tokens of byte-level BPE, tiktoken and WordPiece, the control tokens of SentencePiece"
    start_severity = 1.0
    EXAMPLE = HazardExample(text="a<|frame_sep|>b", spans=((1, 14),))
    UNTOUCHED = HazardExample(text="a<|frame sep|>b")

    def find(self, batch: QuestionBatch) -> HazardHits:
        found = batch.texts.matches(special_pattern(batch.engine.tokenizer))
        return HazardHits.from_tuples((row, self.severity, start, end) for row, start, end in found)

    def why(self, batch: QuestionBatch, row: int, start: int, end: int) -> str:
        name = batch.questions[row].text[start:end]
        return f"{name} is special token {batch.engine.tokenizer.special_id(name)}"


@cache
def special_pattern(tokenizer: Tokenizer) -> re.Pattern[str]:
    """Returns a regex for the text of any special token; it matches nothing if the tokenizer has none."""
    names = sorted(tokenizer.special_tokens, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, names)) or r"(?!)")
