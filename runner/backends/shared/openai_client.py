"""The OpenAI client of the backends with that protocol: retries, errors, sampling options.

The `openai` client repeats a request with exponential backoff after status 408, 409, 429 (or as long as the server
asks for) and 5xx, and after connection errors. A request that fails finally fails only its own question. The API key
comes from the environment variable OPENAI_API_KEY; `runner.backends.shared.redaction` removes it from what comes back.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from corpora.errors import InputError
from corpora.rows import one_line
from runner.asking.concurrency import as_completed
from runner.asking.generation import Generation, Prompt
from runner.backends.shared.redaction import KEY, api_key, redacted
from runner.backends.shared.servers import SECONDS, Address, UnusableAnswerError

if TYPE_CHECKING:
    import openai

_Result = TypeVar("_Result")
PATH = "/v1"
"""The end of the protocol's URLs."""
TRIES = 6
_SHOWN = 200
"""Characters of a server's message that are shown."""
LIST_SECONDS = 15.0
"""Time limit of what is asked about a server before the first question."""


def failures() -> tuple[type[Exception], ...]:
    """The errors of a request that the server causes; any other exception is a bug."""
    import openai

    return openai.OpenAIError, UnusableAnswerError, json.JSONDecodeError, UnicodeDecodeError, RecursionError


def client(place: Address, tries: int = TRIES, seconds: float = SECONDS) -> openai.OpenAI:
    """A client of the server. Without a key in the environment it sends a placeholder.

    Args:
        place: the server.
        tries: how often a request is repeated.
        seconds: time limit of a response (default: an hour).
    """
    import openai

    from runner.backends.shared.http_client import GuardedClient

    guarded = GuardedClient(seconds)
    return openai.OpenAI(base_url=place.url, api_key=api_key(), max_retries=tries, http_client=guarded)


def connect(spec: str, prefix: str) -> tuple[Address, dict[str, Any]]:
    """The model and server in a value of `--model`, and what the server says about the model.

    Raises:
        InputError: The value is malformed, the server does not answer, or it does not have this model.
    """
    place, where = _address(spec, prefix), f"--model {spec}"
    models = client(place, tries=0, seconds=LIST_SECONDS).models
    try:
        listed = within(LIST_SECONDS, models.list)
        found = {str(model.id): model.model_dump() for model in listed.data}
    except (TypeError, AttributeError, ValueError, RecursionError):
        reason = f"{place.url} does not list models"
        raise InputError(
            f"{reason}: is it an OpenAI-compatible server, and does its address end in {PATH}?", where=where
        ) from None
    except failures() as error:
        raise InputError(f"no server answers at {place.url} ({why(error)}): is it running?", where=where) from None
    if place.name not in found:
        reason = f"the server at {place.url} has {', '.join(found)[:_SHOWN] or 'no model'}, not {place.name}"
        raise InputError(reason, where=where)
    return place, found[place.name]


def _address(spec: str, prefix: str) -> Address:
    """The model and server in a value of `--model`.

    Args:
        spec: The value, of the form PREFIX:NAME@URL.
        prefix: Name of the protocol, with the colon.

    Raises:
        InputError: It is malformed, or contains a password or parameters, which may be a key.
    """
    name, at, url = spec.removeprefix(prefix).partition("@")
    parts = urlsplit(url)
    if not (name and at and parts.scheme in {"http", "https"} and parts.hostname):
        reason = f"must be {prefix}NAME@URL, for example {prefix}facebook/cwm@http://localhost:8000{PATH}"
        raise InputError(reason, where=f"--model {spec}")
    if parts.username or parts.password or parts.query or parts.fragment:
        reason = f"a key in the address would be written to every record: set {KEY} instead"
        raise InputError(reason, where="--model")
    return Address(name, url.rstrip("/"))


def within(seconds: float, work: Callable[[], _Result]) -> _Result:
    """The result of a request before the first question. Raises UnusableAnswerError if it takes longer."""
    ((_, result),) = as_completed(lambda call: call(), [work], 1, seconds)
    if result is None:
        raise UnusableAnswerError(f"no complete answer within {seconds:.0f} s")
    return result


def post(url: str, body: Mapping[str, object]) -> object:
    """The JSON that a server answers to a request beyond the protocol, without a key; None without JSON."""
    import httpx2

    from runner.backends.shared.http_client import GuardedClient

    asked = GuardedClient(LIST_SECONDS)
    try:
        return within(LIST_SECONDS, lambda: asked.post(url, json=body)).json()
    except httpx2.HTTPError:
        return None
    except failures():
        return None


def only_choice(answer: object) -> object:
    """The choice of a response. Raises UnusableAnswerError if it has none."""
    choices = getattr(answer, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise UnusableAnswerError("the server's answer has no choices")
    return choices[0]


def failed(error: BaseException) -> Generation:
    """The generation of a request that failed."""
    return Generation((), "", "failed", why=why(error))


def sampling(prompt: Prompt) -> dict[str, Any]:
    """The sampling options of a request."""
    if prompt.sampling is None:
        return {"temperature": 0.0}
    return {"temperature": prompt.sampling.temperature, "seed": prompt.sampling.seed}


def why(error: BaseException) -> str:
    """An error on one line, without the content of the request or a key."""
    if isinstance(error, RecursionError):
        return "the server's answer is nested too deeply"
    return f"{type(error).__name__}: {one_line(Exception(redacted(str(error))))[:_SHOWN]}"
