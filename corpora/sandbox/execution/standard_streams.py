"""The standard streams of a program's process: an empty standard input, and two files for what it writes."""

from __future__ import annotations

import builtins
import io
import os
import sys
from typing import Any

from corpora.sandbox.reporting.protocol import STDOUT_LIMIT

globals()["__builtins__"] = dict(vars(builtins))  # own built-ins for this module: a program may replace the shared ones
_sys = sys
_fstat, _pread, _truncate, _seek = os.fstat, os.pread, os.ftruncate, os.lseek
_TextIOWrapper, _BufferedReader, _BufferedWriter = io.TextIOWrapper, io.BufferedReader, io.BufferedWriter
INPUT_IS_EMPTY = "it read standard input, which is empty"


class _EmptyInput(io.FileIO):
    """The file behind standard input, which is at its end. Counts how often it was read."""

    reads = 0

    def readinto(self, buffer: Any, /) -> int:
        """Read into a buffer."""
        self.reads += 1
        return super().readinto(buffer)

    def readall(self) -> bytes:
        """Read to the end."""
        self.reads += 1
        return super().readall()


class _TruncatingFile(io.FileIO):
    """A file for standard error that drops what exceeds the file size limit, without an error."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def install_streams() -> None:
    """Create the standard streams on 0, 1 and 2 once. A child only replaces the files behind these numbers."""
    sys.stdin = _TextIOWrapper(_BufferedReader(_EmptyInput(0, closefd=False)), encoding="utf-8")
    out = _BufferedWriter(io.FileIO(1, "w", closefd=False))
    sys.stdout = _TextIOWrapper(out, encoding="utf-8", errors="backslashreplace", newline="\n")
    err = _BufferedWriter(_TruncatingFile(2, "w", closefd=False))
    sys.stderr = _TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", write_through=True)
    vars(sys).update(__stdin__=sys.stdin, __stdout__=sys.stdout, __stderr__=sys.stderr)


class StandardStreams:
    """Standard output and standard error, reset for each call."""

    def __init__(self) -> None:
        self._out, self._err = _sys.stdout, _sys.stderr
        self._in: Any = _sys.stdin
        self._input: _EmptyInput = self._in.buffer.raw  # type: ignore[union-attr]

    @property
    def is_input_read(self) -> bool:
        """Whether the call, or the module while it was loading, read standard input."""
        return bool(self._input.reads)

    def begin(self) -> int:
        """Restore the streams for the next call and empty standard error. Returns the offset of standard output."""
        self.flush()
        _sys.stdin, _sys.stdout, _sys.stderr = self._in, self._out, self._err
        self._input.reads = 0
        try:
            _truncate(2, 0)
            _seek(2, 0, 0)
        except OSError:  # closed by an earlier call, or not available
            pass
        return _fstat(1).st_size

    def flush(self) -> None:
        """Write buffered standard output."""
        try:
            self._out.flush()
        except Exception:  # noqa: BLE001 - closed or full: what could be written is written, and its size is checked
            return

    def stderr(self) -> str:
        """What the call wrote to standard error, up to `STDOUT_LIMIT` bytes."""
        try:  # noqa: SIM105 - faster, and it runs once per call
            self._err.flush()
        except Exception:  # noqa: BLE001 - closed: earlier output is still available
            pass
        try:
            return _pread(2, min(_fstat(2).st_size, STDOUT_LIMIT), 0).decode("utf-8", "replace")
        except OSError:
            return ""
