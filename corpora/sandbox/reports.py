"""Read what a program's process reports, on the caller's side: text in, text out, nothing foreign evaluated."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import Any

from corpora.sandbox.protocol import LINE, RESULT

_decode = json.JSONDecoder().decode  # what `json.loads` calls, less its look at the kind of text: one a result


@dataclass
class Watched:
    """What came back from one job while it ran."""

    results: list[dict[str, Any]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    stdout: bytes = b""
    status: int | None = None
    stopped: str = ""
    problem: str = ""
    seconds: float = 0.0


class Reader:
    """Splits the report into messages. Only text is made of what arrives."""

    def __init__(self, nonce: str, watched: Watched) -> None:
        self._nonce = nonce.encode() + b" "
        self._watched = watched
        self._pending = bytearray()
        self.size = 0

    @property
    def spoilt(self) -> bool:
        """Whether something came that the reporter did not write."""
        return bool(self._watched.problem)

    def read(self, fd: int) -> bool:
        """Take what is there; False at the end of the report or when nothing more is there now."""
        try:
            data = os.read(fd, 1 << 20)
        except BlockingIOError:
            return False
        self.size += len(data)
        self._pending += data
        if b"\n" in data:
            *lines, self._pending = self._pending.split(b"\n")
            for line in lines:
                self._take(bytes(line))
        start = bytes(self._pending[: len(self._nonce)])
        if not self._nonce.startswith(start) and not b"harness: ".startswith(start[:9]):
            self._spoil("a line that the reporter did not write")
        return bool(data)

    def _take(self, line: bytes) -> None:
        if line.startswith(b"harness: "):
            self._watched.problem = f"the reporter broke: {line[9:209].decode('ascii', 'replace')}"
            return
        kind, _, body = line.removeprefix(self._nonce).partition(b" ")
        try:
            if not line.startswith(self._nonce):
                raise ValueError("a line that the reporter did not write")
            value = _decode(body.decode("ascii"))
            if kind == LINE.encode() and isinstance(value, str):
                self._watched.lines.append(value)
            elif kind == RESULT.encode() and isinstance(value, dict):
                self._watched.results.append(value)
            else:
                raise ValueError("a message of no known kind")
        except (ValueError, RecursionError) as error:
            self._spoil(str(error))

    def _spoil(self, why: str) -> None:
        self._watched.problem = f"the report was tampered with: {why}"
