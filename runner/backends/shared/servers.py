"""Code for backends that use a server, independent of the protocol: tokenizers and concurrent requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, load_tokenizer
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
