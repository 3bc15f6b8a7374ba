"""Ends a command that is asked to end by SIGTERM or SIGHUP like Ctrl-C does: temporary files are removed.

Without a handler, Python ends at once, and temporary folders with the user's data stay.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class TerminatedError(BaseException):
    """A signal asked the process to end. No `except Exception` stops it.

    Attributes:
        number: The number of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def termination_as_exception() -> Iterator[None]:
    """Raises TerminatedError in the block for SIGTERM and SIGHUP.

    A signal that the process ignores, as under nohup, stays ignored. A second signal ends the process at once.
    """
    if threading.current_thread() is not threading.main_thread():  # only the main thread can set handlers
        yield
        return
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    taken = [number for number, handler in before.items() if handler is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _raise)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _raise(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    raise TerminatedError(number)
