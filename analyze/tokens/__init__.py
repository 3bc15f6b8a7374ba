"""Tokenization of strings: where token boundaries are, fast, for any byte-level tokenizer.

    tokenizer, vocabulary   one adapter over `tokenizers`, and the vocabularies it loads
    engines                 fast encoding of millions of short strings; each engine is verified before use
    bpe_merges              the merges that explain why a token ends where it ends
    contexts, token_spans   a string inside a prompt or trace, and the tokens that touch its characters
    token_strips            token boundaries as plain text, for terminals and pages
    token_variants          tokens that differ by case or a leading space only

Imports `corpora.errors` alone. `analyze.hazards` decides which boundaries are a problem.
"""
