"""What backends that ask a server share, whatever its protocol: the address in a spec, many requests at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, load_tokenizer
from corpora.errors import InputError

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class UnusableAnswerError(Exception):
    """A server answered, but not what was asked for."""


@dataclass(frozen=True)
class Address:
    """`PREFIX:NAME@URL`, taken apart. url: with its /v1."""

    name: str
    url: str


def address(spec: str, prefix: str) -> Address:
    """The model and server that a spec names. Raises InputError where it names none, or holds a password."""
    name, at, url = spec.removeprefix(prefix).partition("@")
    parts = urlsplit(url)
    if not (name and at and parts.scheme in {"http", "https"} and parts.hostname):
        raise InputError(f"must be {prefix}NAME@URL, as {prefix}facebook/cwm@http://localhost:8000/v1")
    if parts.username or parts.password:
        raise InputError("a key in the address would be written to every record: set OPENAI_API_KEY instead")
    return Address(name, url.rstrip("/"))


def tokenizer_of(card: Mapping[str, Any]) -> Tokenizer:
    """The vocabulary beside the weights, where the server names a folder that is here too; else CWM's."""
    root = str(card.get("root") or "")
    return load_tokenizer(root) if root and (Path(root) / "tokenizer.json").is_file() else default_tokenizer()


def each(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """The results in order; all requests are under way at once, and the server puts them in batches."""
    with ThreadPoolExecutor(max(1, len(items))) as pool:
        return list(pool.map(work, items))
