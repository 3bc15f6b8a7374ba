"""Trains the vocabulary of `pocket`: byte-level BPE, Llama-3's pre-tokenization, CWM's special tokens.

Digits (at most three per token), spaces and quotes are therefore split as in the 32B model. There are fewer merges,
learnt from generated programs and their traces. `analyze.tokens.tokenizer` reads and uses the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable

import tokenizers
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

from analyze.tokens.vocabulary import CWM_SPECIAL, LLAMA3_PATTERN

SPECIAL = ("<|begin_of_text|>", "<|end_of_text|>", *CWM_SPECIAL.values())
VOCABULARY = 1024


def train_tokenizer(texts: Iterable[str], size: int = VOCABULARY) -> tokenizers.Tokenizer:
    """A vocabulary of `size` tokens: the special tokens, the 256 bytes, then merges in order of rank."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizer(LLAMA3_PATTERN)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def pre_tokenizer(pattern: str) -> pre_tokenizers.PreTokenizer:
    """Isolates what matches the pattern, and maps bytes to characters."""
    split = pre_tokenizers.Split(Regex(pattern), behavior="isolated", invert=False)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    return pre_tokenizers.Sequence([split, byte_level])
