"""Removes API keys from what a server sends and from messages of errors, so that none is stored or printed.

Servers repeat headers of a request in error bodies, and some proxies in answers. `http_client` redacts each response
before anything reads it; `openai_client.why` redacts the messages of exceptions.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterator
from urllib.parse import quote

KEY = "OPENAI_API_KEY"
REDACTED = "[API key]"
_SHORTEST = 6
"""Characters of a key. Shorter values are placeholders such as "none" or "EMPTY", which answers may contain."""
_VARIABLE = re.compile(r"OPENAI_\w*(?:KEY|TOKEN|HEADERS)")
# An escape in a JSON string; group 1 is the code of an ASCII character.
_ESCAPE = re.compile(r"\\(?:u00([2-7][0-9a-fA-F])|.)", re.DOTALL)


def api_key() -> str:
    """The key in the environment; "none" without one, because servers without keys accept any."""
    return os.environ.get(KEY) or "none"


def redacted(text: str) -> str:
    """The text with each key, as it is, percent-encoded or in base64, replaced by "[API key]"."""
    for form in _forms():
        text = text.replace(form, REDACTED)
    return text


def redacted_body(body: bytes) -> bytes:
    """The body of a response in UTF-8, redacted; keys spelled with JSON escapes are found too."""
    if not _forms():
        return body
    text = body.decode(json.detect_encoding(body), "replace")
    return redacted(_ESCAPE.sub(_unescaped, text)).encode()


def _unescaped(escape: re.Match[str]) -> str:
    r"""The character of an escape that JSON does not need: `\u0073` is `s`."""
    character = chr(int(escape[1], 16)) if escape[1] else "/" if escape[0] == r"\/" else '"'
    return escape[0] if character in {'"', "\\"} else character


def _forms() -> list[str]:
    """The forms of all keys, longest first."""
    return sorted({form for secret in _secrets() for form in _encodings(secret)}, key=len, reverse=True)


def _secrets() -> Iterator[str]:
    """The values of the client's environment variables for keys, and of headers that it sends on the user's behalf."""
    for name, value in os.environ.items():
        if _VARIABLE.fullmatch(name):
            lines = value.splitlines() if name.endswith("HEADERS") else [value]
            found = (line.partition(":")[2].strip() if name.endswith("HEADERS") else line.strip() for line in lines)
            yield from (secret for secret in found if len(secret) >= _SHORTEST)


def _encodings(secret: str) -> Iterator[str]:
    yield secret
    yield quote(secret, safe="")
    yield base64.b64encode(secret.encode()).decode().rstrip("=")
