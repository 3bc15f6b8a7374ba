"""The making of `pocket`'s vocabulary: byte-level BPE, Llama-3's pre-tokenization, CWM's special tokens.

So digits (three at most), spaces and quotes are cut as in the big model; only the merges are fewer, learnt on the
generated programs and their traces. Reading and using the vocabulary is the business of `analyze.tokens.tokenizer`.
"""

from __future__ import annotations

from collections.abc import Iterable

import tokenizers
from tokenizers import Regex, decoders, models, pre_tokenizers, trainers

from analyze.tokens.vocabulary import CWM_SPECIAL, LLAMA3_PATTERN

SPECIAL = ("<|begin_of_text|>", "<|end_of_text|>", *CWM_SPECIAL.values())
VOCABULARY = 1024


def train_tokenizer(texts: Iterable[str], size: int = VOCABULARY) -> tokenizers.Tokenizer:
    """A vocabulary of `size` tokens: the special ones first, then 256 bytes, then merges in order of rank."""
    tokenizer = tokenizers.Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(LLAMA3_PATTERN), behavior="isolated", invert=False)
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, byte_level])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer
