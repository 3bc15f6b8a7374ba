"""Writes the report of a program's process, with a C encoder that was bound before any program ran.

`report_parser` parses what this module writes.
"""

from __future__ import annotations

import builtins
import json.encoder
import os
from collections.abc import Callable
from typing import Any

from corpora.sandbox.reporting.protocol import LINE, NAME_LIMIT, REPORT_FD, RESULT

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own
Fields = dict[str, Any]

_encode_text: Callable[[str], str] = json.encoder.encode_basestring_ascii
_c_make_encoder: Any = vars(json.encoder)["c_make_encoder"]
_encode_parts = _c_make_encoder(None, None, _encode_text, None, ":", ",", False, False, True)
_TAB = "\t"
_write, _join, _ascii = os.write, str.join, str.encode


class ReportWriter:
    """Writes lines to the caller at once, whole and in order: what a program has done is known even if it ends itself.

    The caller polls the pipe (`workers.worker`), because waking it for each line would cost more than a short call.
    """

    def __init__(self, nonce: str) -> None:
        self._nonce = nonce

    def write_line(self, text: str) -> None:
        """Write one line of an observer."""
        self._write(f"{self._nonce} {LINE} {_encode_text(text)}\n")

    def write_result(self, fields: Fields) -> None:
        """Write the report of one call."""
        name, message = fields.get("exception", ("", ""))
        arguments = fields.get("arguments", ())
        strings = [fields.get("detail", "")[:NAME_LIMIT], fields.get("value", ""), name[:NAME_LIMIT], message]
        strings += (fields.get("snapshot", ""), fields.get("stderr", ""), *arguments)
        for changed in fields.get("globals", {}).items():
            strings += changed
        seconds, start, end = fields.get("seconds", 0.0), fields.get("stdout_start", 0), fields.get("stdout_end", 0)
        numbers = f"{fields['status']}\t{seconds:.6f}\t{start}\t{end}\t{len(arguments)}"
        encoded = [_encode_text(text) if type(text) is str else "null" for text in strings]
        self._write(f"{self._nonce} {RESULT} {numbers}\t{_join(_TAB, encoded)}\n")

    def _write(self, line: str) -> None:
        data = _ascii(line, "ascii")
        while data:
            data = data[_write(REPORT_FD, data) :]


def encode_json(value: object) -> str:
    """JSON by the C encoder that was bound at import, so that a patched `json` changes nothing."""
    return _join("", _encode_parts(value, 0))
