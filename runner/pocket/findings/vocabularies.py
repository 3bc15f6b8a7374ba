"""The two arms of the experiment: one vocabulary, cut differently inside string literals.

Both arms have the same tokens with the same ids, so their models have the same parameters. In the arm `characters` the
pre-tokenizer isolates each character between two quotes; all other text is cut as in the arm `bpe`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import tokenizers

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from analyze.tokens.vocabulary import LLAMA3_PATTERN
from corpora.generators.matched_functions import matched_functions
from runner.pocket.data import held_out, true_frames
from runner.pocket.tokenizer import pre_tokenizer, train_tokenizer

ARMS = ("bpe", "characters")
# A character that an odd number of quotes follows is inside a string literal: the literals of the programs hold no
# quotes and no escapes, and each text that is encoded has complete literals.
INSIDE_STRING = r"[^'](?=[^']*'(?:[^']*'[^']*')*[^']*\z)"
_VOCABULARY_PROGRAMS = 4000


def make_vocabularies(folder: Path) -> dict[str, Tokenizer]:
    """Loads the vocabularies of both arms from a folder, where they are made if they are missing."""
    for arm in ARMS:
        path = folder / f"vocabulary-{arm}"
        if not (path / "tokenizer.json").exists():
            path.mkdir(parents=True, exist_ok=True)
            _build(arm).save(str(path / "tokenizer.json"))
    return {arm: load_tokenizer(str(folder / f"vocabulary-{arm}")) for arm in ARMS}


def _build(arm: str) -> tokenizers.Tokenizer:
    vocabulary = train_tokenizer(_texts())
    if arm == "characters":
        vocabulary.pre_tokenizer = pre_tokenizer(f"{INSIDE_STRING}|{LLAMA3_PATTERN}")
    return vocabulary


def _texts() -> Iterator[str]:
    """Programs and traces, without random letters, which would be joined into tokens at random."""
    # Every number below 100 is to be one token.
    yield from 100 * [" ".join(map(str, range(100)))]
    training = (case for case in matched_functions("vocabulary", 0) if not held_out(case))
    for case in islice(training, _VOCABULARY_PROGRAMS):
        yield case.context
        yield from (text for frame in true_frames(case) for text, special in frame.pieces() if not special)
