"""Code for backends that use a server, independent of the protocol: addresses, tokenizers and concurrent requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, load_tokenizer
from corpora.errors import InputError
from runner.asking.concurrency import as_completed

SECONDS = 3600.0
"""Time limit of an answer."""
_WORKERS = 16
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class UnusableAnswerError(Exception):
    """A response without the requested content."""


@dataclass(frozen=True)
class Address:
    """The parts of `PREFIX:NAME@URL`.

    Attributes:
        name: the model.
        url: the base address of the server, with the path of the protocol.
    """

    name: str
    url: str


def address(spec: str, prefix: str, path: str, key: str) -> Address:
    """The model and server in a value of `--model`.

    Args:
        spec: The value, of the form PREFIX:NAME@URL.
        prefix: Name of the protocol, with the colon.
        path: The end of the protocol's URLs, for the message about a malformed one.
        key: The environment variable with the key of the server, for the message about a URL with a password.

    Raises:
        InputError: It is malformed, or contains a password or parameters, which may be a key.
    """
    name, at, url = spec.removeprefix(prefix).partition("@")
    parts = urlsplit(url)
    if not (name and at and parts.scheme in {"http", "https"} and parts.hostname):
        reason = f"must be {prefix}NAME@URL, for example {prefix}facebook/cwm@http://localhost:8000{path}"
        raise InputError(reason, where=f"--model {spec}")
    if parts.username or parts.password or parts.query or parts.fragment:
        reason = f"a key in the address would be written to every record: set {key} instead"
        raise InputError(reason, where="--model")
    return Address(name, url.rstrip("/"))


def tokenizer_of(card: Mapping[str, Any]) -> Tokenizer:
    """The tokenizer in the model's folder, if the server reports a folder that exists here; otherwise CWM's."""
    root = str(card.get("root") or "")
    return load_tokenizer(root) if root and (Path(root) / "tokenizer.json").is_file() else default_tokenizer()


def each(work: Callable[[_Item], _Result], items: Sequence[_Item], late: _Result) -> list[_Result]:
    """The results in order. Several requests are sent at once; the server forms the batches.

    Args:
        work: asks the server.
        items: what to ask.
        late: the result of a request without an answer within `SECONDS`.
    """
    found = dict(as_completed(work, items, _WORKERS, SECONDS))
    results = (found[index] for index in range(len(items)))
    return [late if result is None else result for result in results]
