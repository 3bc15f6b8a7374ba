"""The HTTP client of all backends that use a server. It trusts no server.

- A prompt is sent to the host that the user named only: a redirect to another one is refused.
- A response is read up to a size that depends on the request, after decompression, and up to a time limit.
- API keys are removed from a response before anything reads it, and only the headers that retries need are kept.

Imports the packages of the extra `server`, so that functions import this module.
"""

from __future__ import annotations

import json
import ssl
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import httpx2
import openai

from runner.backends.shared.redaction import redacted, redacted_body
from runner.backends.shared.servers import SECONDS

CONNECT_SECONDS = 5.0
_MOST_REDIRECTS = 5
_BASE_BYTES = 4 << 20
_BYTES_PER_TOKEN = 512
_BYTES_PER_REQUESTED_BYTE = 64
"""`prompt_logprobs` has two or three entries of 75 bytes for each id of the prompt, which has two to seven digits."""
_KEPT_HEADERS = ("retry-after", "retry-after-ms", "x-should-retry")
_LIMITS = ("max_tokens", "max_completion_tokens")


class RefusedResponseError(openai.OpenAIError):
    """A response that is not used. The `openai` client neither repeats such a request nor hides the reason."""


class GuardedClient(httpx2.Client):
    """An HTTP client for a server that may be hostile.

    Args:
        seconds: time limit of a response, in seconds.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
        headers = {"Accept-Encoding": "identity"}
        super().__init__(timeout=timeout, limits=limits, headers=headers, verify=_trusted_certificates())
        self._seconds = seconds

    def __del__(self) -> None:
        """Closes idle connections; the client of a backend has no other end."""
        with suppress(Exception):
            self.close()

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """The complete response to a request, after redirects on the same host.

        Raises:
            RefusedResponseError: the response is too large, takes too long, is compressed in an unknown way, or
                redirects to another host.
        """
        most, end = _most_bytes(request), time.monotonic() + self._seconds
        options |= {"stream": True, "follow_redirects": False}
        for _ in range(_MOST_REDIRECTS + 1):
            response = super().send(request, **options)
            try:
                following = response.next_request
                if following is None:
                    return _rebuilt(response, _body(response, most, end))
            finally:
                response.close()
            _check_host(request.url, following.url)
            request = following
        raise RefusedResponseError(f"the server redirects more than {_MOST_REDIRECTS} times")


@cache
def _trusted_certificates() -> ssl.SSLContext:
    """The certificates of this machine. Reading them takes 15 to 50 ms, and a backend makes a dozen clients."""
    return httpx2.create_ssl_context()


def _check_host(asked: httpx2.URL, target: httpx2.URL) -> None:
    """Raises RefusedResponseError for another host or port, or for one without encryption instead of one with it."""
    if asked.origin == target.origin:
        return
    if asked.host == target.host and (asked.scheme, asked.port) == ("http", None) and target.port is None:
        return  # the same host with encryption
    address = redacted(str(target.copy_with(query=None, fragment=None))).removesuffix(asked.path.rpartition("/v1")[2])
    raise RefusedResponseError(
        f"the server redirects to {address}, and prompts are not sent to an address that --model does not name: "
        "name that one if you trust it"
    )


def _most_bytes(request: httpx2.Request) -> int:
    """The size of the largest response that the request can need."""
    tokens = 0
    if request.content:
        asked = json.loads(request.content)
        tokens = next((asked[name] for name in _LIMITS if asked.get(name)), 0)
    return _BASE_BYTES + _BYTES_PER_TOKEN * tokens + _BYTES_PER_REQUESTED_BYTE * len(request.content)


def _body(response: httpx2.Response, most: int, end: float) -> bytes:
    """The body, decompressed."""
    decompress = _decompressor(response.headers.get("content-encoding", "identity"))
    body = bytearray()
    try:
        for chunk in response.iter_raw():
            body += decompress(chunk, most + 1 - len(body))
            if len(body) > most:
                raise RefusedResponseError(f"the server's answer is larger than {most / (1 << 20):.0f} MiB")
            if time.monotonic() > end:
                raise RefusedResponseError("the server's answer takes too long")
    except zlib.error as error:
        raise RefusedResponseError(f"the server's answer cannot be decompressed ({error})") from None
    return bytes(body)


def _decompressor(encoding: str) -> Callable[[bytes, int], bytes]:
    """A function that decompresses a chunk to at most so many bytes."""
    if encoding.lower() in {"identity", ""}:
        return lambda chunk, most: chunk
    if encoding.lower() not in {"gzip", "x-gzip", "deflate"}:
        raise RefusedResponseError("the server's answer is compressed, although none was asked for that is")
    return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress


def _rebuilt(response: httpx2.Response, body: bytes) -> httpx2.Response:
    """A response with a redacted body and only the headers that the `openai` client needs."""
    headers = {name: redacted(response.headers[name]) for name in _KEPT_HEADERS if name in response.headers}
    kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    headers["content-type"] = f"{redacted(kind)}; charset=utf-8"
    return httpx2.Response(response.status_code, headers=headers, content=redacted_body(body), request=response.request)
