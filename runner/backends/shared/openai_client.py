"""The OpenAI client of the backends with that protocol: retries, errors, sampling options.

The `openai` client repeats a request with exponential backoff after status 408, 409, 429 (or as long as the server
asks for) and 5xx, and after connection errors. A request that fails finally fails only its own question. The API key
comes from the environment variable OPENAI_API_KEY and is never stored.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from corpora.errors import InputError
from corpora.rows import one_line
from runner.asking.generation import Prompt
from runner.backends.shared.servers import Address, UnusableAnswerError, address

if TYPE_CHECKING:
    import openai

PATH, KEY = "/v1", "OPENAI_API_KEY"
"""The end of the protocol's URLs; the environment variable with the key."""
TRIES = 6
SECONDS = 3600.0


def failures() -> tuple[type[Exception], ...]:
    """The errors of a request that the server causes; any other exception is a bug."""
    import openai

    return openai.OpenAIError, UnusableAnswerError, json.JSONDecodeError


def client(place: Address, tries: int = TRIES) -> openai.OpenAI:
    """A client of the server. Without a key in the environment it sends a placeholder."""
    import openai

    key = os.environ.get(KEY) or "none"
    return openai.OpenAI(base_url=place.url, api_key=key, max_retries=tries, timeout=SECONDS)


def connect(spec: str, prefix: str) -> tuple[Address, dict[str, Any]]:
    """The model and server in a value of `--model`, and what the server says about the model.

    Raises:
        InputError: The value is malformed, the server does not answer, or it does not have this model.
    """
    place, where = address(spec, prefix, PATH, KEY), f"--model {spec}"
    try:
        found = {model.id: model.model_dump() for model in client(place, tries=1).models.list().data}
    except (TypeError, AttributeError, json.JSONDecodeError):
        reason = f"{place.url} does not list models"
        raise InputError(
            f"{reason}: is it an OpenAI-compatible server, and does its address end in {PATH}?", where=where
        ) from None
    except failures() as error:
        raise InputError(f"no server answers at {place.url} ({why(error)}): is it running?", where=where) from None
    if place.name not in found:
        reason = f"the server at {place.url} has {', '.join(found) or 'no model'}, not {place.name}"
        raise InputError(reason, where=where)
    return place, found[place.name]


def sampling(prompt: Prompt) -> dict[str, Any]:
    """The sampling options of a request."""
    if prompt.sampling is None:
        return {"temperature": 0.0}
    return {"temperature": prompt.sampling.temperature, "seed": prompt.sampling.seed}


def why(error: BaseException) -> str:
    """An error on one line, without the content of the request."""
    return f"{type(error).__name__}: {one_line(error)[:200]}"
