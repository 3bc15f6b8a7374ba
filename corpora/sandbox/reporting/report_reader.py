"""Read what a program's process reports, on the caller's side: text in, text out, nothing foreign evaluated."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from corpora.sandbox.reporting import report_parser
from corpora.sandbox.reporting.protocol import LINE, LINES_LIMIT, REPORT_LIMIT, RESULT
from corpora.sandbox.reporting.report_parser import ForgedError, Result

_AT_ONCE = 1 << 20
_HARNESS = b"harness: "


@dataclass
class Watched:
    """What came back from one job while it ran. status: as `os.waitpid` gives it."""

    results: list[Result] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    stdout: bytes = b""
    status: int | None = None
    stopped: str = ""
    problem: str = ""
    seconds: float = 0.0


class Reader:
    """Splits the report into messages. Only text is made of what arrives, and no more results than are expected.

    observed: whether there is an observer, which writes lines before the result.
    """

    def __init__(self, nonce: str, watched: Watched, expected: int, *, observed: bool) -> None:
        self._observed = observed
        self._nonce = nonce.encode() + b" "
        self._watched = watched
        self._expected = expected
        self._pending = bytearray()
        self._size = 0

    @property
    def spoilt(self) -> bool:
        """Whether something came that the reporter did not write; nothing is read from there on."""
        return bool(self._watched.problem)

    @property
    def full(self) -> bool:
        """Whether the report is longer than is kept."""
        return self._size > REPORT_LIMIT or len(self._watched.lines) > LINES_LIMIT

    @property
    def complete(self) -> bool:
        """Whether there is a result for every call."""
        return len(self._watched.results) >= self._expected

    def read(self, fd: int) -> bool:
        """Take what is there; False where nothing more is there now, at the end, and where nothing more is wanted."""
        if self.spoilt or self.full:
            return False
        try:
            data = os.read(fd, _AT_ONCE)
        except BlockingIOError:
            return False
        self._size += len(data)
        self._pending += data
        if b"\n" in data:
            self._take_lines()
        start = bytes(self._pending[: len(self._nonce)])
        if not self._nonce.startswith(start) and not _HARNESS.startswith(start[: len(_HARNESS)]):
            self._spoil("a line that the reporter did not write")
        return bool(data)

    def _take_lines(self) -> None:
        start = 0
        while not self.spoilt and not self.full and (end := self._pending.find(b"\n", start)) >= 0:
            try:
                self._take(bytes(self._pending[start:end]))
            except ValueError as error:  # ForgedError, and what is no ASCII
                self._spoil(str(error) if isinstance(error, ForgedError) else "bytes that are no text")
            start = end + 1
        del self._pending[:start]

    def _take(self, line: bytes) -> None:
        if line.startswith(_HARNESS):
            self._watched.problem = f"the reporter broke: {line[9:209].decode('ascii', 'replace')}"
            return
        if not line.startswith(self._nonce):
            raise ForgedError("a line that the reporter did not write")
        if self.complete:
            raise ForgedError("something came after the last result")
        kind, _, body = line[len(self._nonce) :].decode("ascii").partition(" ")
        if kind == LINE and self._observed:
            self._watched.lines.append(report_parser.text(body))
        elif kind == RESULT:
            self._watched.results.append(report_parser.result(body))
        else:
            raise ForgedError("a message of no known kind")

    def _spoil(self, why: str) -> None:
        self._watched.problem = f"the report was tampered with: {why}"
