"""Shows that a command is at work, for work that has no steps to count."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from corpora.foreign_text import one_line

SECONDS = 2.0
"""Shorter work shows nothing."""
_CLEAR = "\r\x1b[2K"


@contextmanager
def show_waiting(work: str) -> Iterator[None]:
    """Says on standard error what the block does, once it has taken `SECONDS` seconds; on a terminal, for how long.

    A timer of the process calls it, because a thread would be in the way of the processes that the block forks. Where
    another handler has the timer's signal, or outside the main thread, nothing is shown.

    Args:
        work: What the block does, such as "loading gpt2"; may contain untrusted names.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGALRM) is not signal.SIG_DFL:
        yield
        return
    start, is_terminal = time.monotonic(), sys.stderr.isatty()
    shown = False

    def show(*_: object) -> None:
        nonlocal shown
        if shown and not is_terminal:  # a log needs one line
            return
        text = f"{one_line(work)}: {time.monotonic() - start:.0f} s"
        with suppress(RuntimeError):  # the block is writing at this moment
            sys.stderr.write(f"{_CLEAR}{text}" if is_terminal else f"{one_line(work)} …\n")
            sys.stderr.flush()
            shown = True

    signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        if shown and is_terminal:
            sys.stderr.write(_CLEAR)
