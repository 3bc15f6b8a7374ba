"""Shows that a command is at work, for work that has no steps to count."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from corpora.foreign_text import one_line

SECONDS = 2.0
"""Shorter work shows nothing."""
_CLEAR = "\r\x1b[2K"


@contextmanager
def alarm(action: Callable[[], None], seconds: float, interval: float = 0.0) -> Iterator[None]:
    """Calls `action` during the block after some seconds, and again at each interval (default: once).

    A timer of the process calls it, because a thread would be in the way of the processes that the block forks. Where
    another handler has the timer's signal, or outside the main thread, it is not called.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return

    def called(*_: object) -> None:
        with suppress(RuntimeError):  # the block is writing at this moment
            action()

    signal.signal(signal.SIGALRM, called)
    signal.setitimer(signal.ITIMER_REAL, seconds, interval)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)


@contextmanager
def show_waiting(work: str) -> Iterator[None]:
    """Says on standard error what the block does, once it has taken `SECONDS` seconds; on a terminal, for how long.

    Args:
        work: What the block does, such as "loading gpt2"; may contain untrusted names.
    """
    start, is_terminal = time.monotonic(), sys.stderr.isatty()
    shown = False

    def show() -> None:
        nonlocal shown
        if shown and not is_terminal:  # a log needs one line
            return
        text = f"{one_line(work)}: {time.monotonic() - start:.0f} s"
        sys.stderr.write(f"{_CLEAR}{text}" if is_terminal else f"{one_line(work)} …\n")
        sys.stderr.flush()
        shown = True

    try:
        with alarm(show, SECONDS, 1.0):
            yield
    finally:
        if shown and is_terminal:
            sys.stderr.write(_CLEAR)
