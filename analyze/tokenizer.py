"""The public import path of the tokenizer; the code is in `analyze.tokens.tokenizer`."""

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, from_encoding, load_tokenizer

__all__ = ["Tokenizer", "default_tokenizer", "from_encoding", "load_tokenizer"]
