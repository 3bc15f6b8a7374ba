"""Splits the report of a program's process into messages, on the caller's side. Nothing is evaluated."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from corpora.sandbox.reporting import report_parser
from corpora.sandbox.reporting.protocol import LINE, LINES_LIMIT, REPORT_LIMIT, RESULT
from corpora.sandbox.reporting.report_parser import CallReport, ForgedReportError

_CHUNK_BYTES = 1 << 16  # a larger buffer would be mapped and unmapped at each reading
_HARNESS = b"harness: "


@dataclass
class JobReport:
    """What one job reported while it ran.

    Attributes:
        calls: The calls that reported a result, in order.
        lines: What an observer emitted.
        stdout: Standard output of all calls.
        status: Wait status of the process, as `os.waitpid` gives it; None if it is unknown.
        stop_reason: Why the caller stopped the job: "timeout", "output", or "".
        problem: Why the report cannot be trusted, or "".
        seconds: Wall time of the whole job.
    """

    calls: list[CallReport] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    stdout: bytes = b""
    status: int | None = None
    stop_reason: str = ""
    problem: str = ""
    seconds: float = 0.0


class ReportReader:
    """Reads messages from the report pipe and decodes no more results than the job has calls.

    Args:
        nonce: Begins every line of the report.
        report: Receives the messages.
        expected: Number of results of the job.
        observed: Whether an observer writes lines before the result.
    """

    def __init__(self, nonce: str, report: JobReport, expected: int, *, observed: bool) -> None:
        self._observed = observed
        self._nonce = nonce.encode() + b" "
        self._report = report
        self._expected = expected
        self._pending = bytearray()
        self._size = 0

    @property
    def is_tampered(self) -> bool:
        """Whether a line came that the reporter did not write. Nothing is read after it."""
        return bool(self._report.problem)

    @property
    def is_full(self) -> bool:
        """Whether the report exceeds its size limit."""
        return self._size > REPORT_LIMIT or len(self._report.lines) > LINES_LIMIT

    @property
    def is_complete(self) -> bool:
        """Whether every call has a result."""
        return len(self._report.calls) >= self._expected

    def read(self, fd: int) -> bool:
        """Read what is available. Returns False if there is nothing now, at the end, or if the report is complete."""
        if self.is_tampered or self.is_full:
            return False
        try:
            data = os.read(fd, _CHUNK_BYTES)
        except BlockingIOError:
            return False
        self._size += len(data)
        self._pending += data
        if b"\n" in data:
            self._take_lines()
        start = bytes(self._pending[: len(self._nonce)])
        if not self._nonce.startswith(start) and not _HARNESS.startswith(start[: len(_HARNESS)]):
            self._reject("a line that the reporter did not write")
        return bool(data)

    def _take_lines(self) -> None:
        start = 0
        while not self.is_tampered and not self.is_full and (end := self._pending.find(b"\n", start)) >= 0:
            try:
                self._take(bytes(self._pending[start:end]))
            except ValueError as error:  # ForgedReportError, or not ASCII
                self._reject(str(error) if isinstance(error, ForgedReportError) else "bytes that are not ASCII")
            start = end + 1
        del self._pending[:start]

    def _take(self, line: bytes) -> None:
        if line.startswith(_HARNESS):
            self._report.problem = f"the reporter failed: {line[9:209].decode('ascii', 'replace')}"
            return
        if not line.startswith(self._nonce):
            raise ForgedReportError("a line that the reporter did not write")
        if self.is_complete:
            raise ForgedReportError("a message after the last result")
        kind, _, body = line[len(self._nonce) :].decode("ascii").partition(" ")
        if kind == LINE and self._observed:
            self._report.lines.append(report_parser.parse_string(body))
        elif kind == RESULT:
            self._report.calls.append(report_parser.parse_call_report(body))
        else:
            raise ForgedReportError("a message of an unknown kind")

    def _reject(self, why: str) -> None:
        self._report.problem = f"the report was tampered with: {why}"
