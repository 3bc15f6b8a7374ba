"""The two arms of the experiment: one vocabulary, cut differently inside string literals.

Both arms have the same tokens with the same ids, so their models have the same parameters. In the arm `characters` the
pre-tokenizer isolates each character between two quotes; all other text is cut as in the arm `bpe`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import tokenizers
from tokenizers import Regex, pre_tokenizers

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from analyze.tokens.vocabulary import LLAMA3_PATTERN
from corpora.generators.matched_functions import OPERATIONS, TYPES, matched_function
from corpora.program import Case
from runner.pocket.data import held_out, true_frames
from runner.pocket.tokenizer import train_tokenizer

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
        pattern = Regex(f"{INSIDE_STRING}|{LLAMA3_PATTERN}")
        split = pre_tokenizers.Split(pattern, behavior="isolated", invert=False)
        byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        vocabulary.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    return vocabulary


def _texts() -> Iterator[str]:
    """Programs and traces, without random letters, which would be joined into tokens at random."""
    # Every number below 100 is to be one token.
    yield from 100 * [" ".join(map(str, range(100)))]
    for case in islice(_cases(), _VOCABULARY_PROGRAMS):
        yield case.context
        yield from (text for frame in true_frames(case) for text, special in frame.pieces() if not special)


def _cases() -> Iterator[Case]:
    rng = Random("vocabulary")
    while True:
        case = matched_function(rng, rng.choice(list(TYPES)), rng.choice(list(OPERATIONS)), random_share=0)
        if not held_out(case):
            yield case
