"""OpenAI's protocol, for the backends that speak it: the client, its failures, sampling options.

The `openai` client sends a request again with growing pauses after 408, 409, 429 (as long as the server asks for) and
5xx, and where no connection comes about. A request that fails for good is that answer's own failure, in one line; the
other questions are asked. The key comes from the environment (OPENAI_API_KEY) and is written nowhere.
"""

from __future__ import annotations

import json
import os
from typing import Any

import openai

from corpora.errors import InputError
from runner.asking.generation import Prompt
from runner.backends.shared.servers import Address, UnusableAnswerError

TRIES = 6
SECONDS = 3600.0


# What one request may raise for reasons that lie with the server; anything else is a fault of ours.
FAILURES = (openai.OpenAIError, UnusableAnswerError, json.JSONDecodeError)


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


def sampling(prompt: Prompt) -> dict[str, Any]:
    """How an answer is to be drawn, as OpenAI's protocol has it."""
    if prompt.sampling is None:
        return {"temperature": 0.0}
    return {"temperature": prompt.sampling.temperature, "seed": prompt.sampling.seed}


def why(error: BaseException) -> str:
    """A failure in one line, without what was sent."""
    said = (str(error).strip() or type(error).__name__).splitlines()[0]
    return f"{type(error).__name__}: {said[:200]}"
