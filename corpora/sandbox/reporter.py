"""Write the report of a program's process: JSON by a C encoder that was bound before any program ran."""

from __future__ import annotations

import builtins
import json.encoder
import os
import time
from collections.abc import Callable
from typing import Any

from corpora.sandbox.protocol import LINE, REPORT_FD, RESULT

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
Fields = dict[str, Any]

_encode_text: Callable[[str], str] = json.encoder.encode_basestring_ascii
_c_make_encoder: Any = vars(json.encoder)["c_make_encoder"]
_encode_parts = _c_make_encoder(None, None, _encode_text, None, ":", ",", False, False, True)
_write, _join, _clock = os.write, str.join, time.monotonic

# For how many seconds results are gathered: to wake the caller costs more than a short call, but while it reads
# some the program goes on with others.
GATHERED = 0.001


class Report:
    """Lines to the caller. Written by os.write, in order, whole; observer lines are gathered into larger writes."""

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce
        self._waiting: list[str] = []
        self._size = 0
        self._flushed = _clock()

    def line(self, text: str) -> None:
        """One line from an observer."""
        encoded = f"{self._nonce} {LINE} {_encode_text(text)}\n"
        self._waiting.append(encoded)
        self._size += len(encoded)
        if self._size > 32_768:
            self.flush()

    def result(self, fields: Fields, *, now: bool = True) -> None:
        """All that is known about one call; sent now, or with those of the next few milliseconds."""
        self._waiting.append(f"{self._nonce} {RESULT} {encode(fields)}\n")
        if now or _clock() - self._flushed > GATHERED:
            self.flush()

    def flush(self) -> None:
        data = _join("", self._waiting).encode("ascii")
        self._waiting, self._size, self._flushed = [], 0, _clock()
        while data:
            data = data[_write(REPORT_FD, data) :]


def encode(value: object) -> str:
    """JSON by the C encoder that was bound at import, so that a patched `json` changes nothing."""
    return _join("", _encode_parts(value, 0))
