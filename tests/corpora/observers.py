"""Observers for the tests of `run_observed`: stdlib only, loaded inside the worker by name."""

import sys
from collections.abc import Callable, Mapping
from types import CodeType, FrameType
from typing import Any


class Events:
    """Emits `event line-number` for every event in the observed program."""

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._only = options.get("only")
        self._emit = emit
        self._filename = ""

    def compile(self, source: str, filename: str) -> CodeType:
        self._filename = filename
        return compile(source, filename, "exec")

    def _trace(self, frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != self._filename:
            return None
        if self._only in (None, event):
            self._emit(f"{event} {frame.f_lineno}")
        return self._trace

    def run(self, entry: Callable[[], object]) -> object:
        sys.settrace(self._trace)
        try:
            return entry()
        finally:
            sys.settrace(None)
