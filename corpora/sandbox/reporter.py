"""Write the report of a program's process: JSON by a C encoder that was bound before any program ran."""

from __future__ import annotations

import builtins
import json.encoder
import os
from collections.abc import Callable
from typing import Any

from corpora.sandbox.protocol import LINE, REPORT_FD, RESULT

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
Fields = dict[str, Any]

_encode_text: Callable[[str], str] = json.encoder.encode_basestring_ascii
_c_make_encoder: Any = vars(json.encoder)["c_make_encoder"]
_encode_parts = _c_make_encoder(None, None, _encode_text, None, ":", ",", False, False, True)
_write, _join, _ascii = os.write, str.join, str.encode


class Report:
    """Lines to the caller, written at once, in order, whole: what a program has done is known when it ends itself.

    The caller looks now and then (`corpora.sandbox.worker`): to wake it at each line would cost more than a short call.
    """

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def line(self, text: str) -> None:
        """One line from an observer."""
        self._write(f"{self._nonce} {LINE} {_encode_text(text)}\n")

    def result(self, fields: Fields) -> None:
        """All that is known about one call."""
        self._write(f"{self._nonce} {RESULT} {encode(fields)}\n")

    def _write(self, line: str) -> None:
        data = _ascii(line, "ascii")
        while data:
            data = data[_write(REPORT_FD, data) :]


def encode(value: object) -> str:
    """JSON by the C encoder that was bound at import, so that a patched `json` changes nothing."""
    return _join("", _encode_parts(value, 0))
