"""The name that `analyze.tokens.tokenizer` had; it stays for one version."""

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, from_encoding, load_tokenizer

__all__ = ["Tokenizer", "default_tokenizer", "from_encoding", "load_tokenizer"]
