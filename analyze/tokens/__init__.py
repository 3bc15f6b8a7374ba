"""Strings as tokens: where the borders are, fast, for any byte-level tokenizer.

    tokenizer, vocabulary   one adapter over `tokenizers`, and where vocabularies come from
    engines                 the same ids for millions of short strings; each engine proves itself or is refused
    bpe_merges              why a token ends where it ends
    contexts, token_spans   a string where it stands in a prompt, and the tokens that touch its characters
    token_strips            the same to look at

Imports `corpora.errors` alone. What this room does not do: judge a border (`analyze.hazards`).
"""
