"""What backends that speak to a server have in common: the address in a spec, the client, many requests at once.

Requests are tried again with growing pauses, as the `openai` client does it: after 408, 409, 429 (as long as the server
asks for) and 5xx, and where no connection comes about. What fails for good is the answer's own failure, in one line;
the other questions are asked. A key comes from the environment (OPENAI_API_KEY) and is written nowhere.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import openai

from analyze.tokens.tokenizer import Tokenizer, default_tokenizer, load_tokenizer
from corpora.errors import InputError
from runner.backends import Prompt

TRIES = 6
SECONDS = 3600.0
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class UnusableAnswerError(Exception):
    """A server answered, but not what was asked for."""


# What one request may raise for reasons that lie with the server; anything else is a fault of ours.
FAILURES = (openai.OpenAIError, UnusableAnswerError, json.JSONDecodeError)


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


def client(place: Address, tries: int = TRIES) -> openai.OpenAI:
    """A client of the server; without a key in the environment it sends none that means anything."""
    key = os.environ.get("OPENAI_API_KEY") or "none"
    return openai.OpenAI(base_url=place.url, api_key=key, max_retries=tries, timeout=SECONDS)


def models(place: Address, where: str) -> dict[str, dict[str, Any]]:
    """What the server says of its models, by name. Raises InputError where none answers, or it has not this one."""
    try:
        found = {model.id: model.model_dump() for model in client(place, tries=1).models.list().data}
    except (TypeError, AttributeError, json.JSONDecodeError):
        reason = f"what answers at {place.url} gives no list of models"
        raise InputError(f"{reason}: is it such a server, and does its address end in /v1?", where=where) from None
    except FAILURES as error:
        raise InputError(
            f"no server that lists its models at {place.url} ({why(error)}): is it up?", where=where
        ) from None
    if place.name not in found:
        raise InputError(
            f"the server at {place.url} has {', '.join(found) or 'no model'}, not {place.name}", where=where
        )
    return found


def tokenizer_of(card: Mapping[str, Any]) -> Tokenizer:
    """The vocabulary beside the weights, where the server names a folder that is here too; else CWM's."""
    root = str(card.get("root") or "")
    return load_tokenizer(root) if root and (Path(root) / "tokenizer.json").is_file() else default_tokenizer()


def sampling(prompt: Prompt) -> dict[str, Any]:
    """How an answer is to be drawn, as OpenAI's protocol has it."""
    if prompt.draw is None:
        return {"temperature": 0.0}
    return {"temperature": prompt.draw.temperature, "seed": prompt.draw.seed}


def each(work: Callable[[_Item], _Result], items: Sequence[_Item]) -> list[_Result]:
    """The results in order; all requests are under way at once, and the server puts them in batches."""
    with ThreadPoolExecutor(max(1, len(items))) as pool:
        return list(pool.map(work, items))


def why(error: BaseException) -> str:
    """A failure in one line, without what was sent."""
    said = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{type(error).__name__}: {said[:200]}"
