"""Prevents orphan processes: a process of a pool ends with its parent, even if `kill -9` ended the parent."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.process import BaseProcess


def exit_with_parent() -> None:
    """The `initializer` of a process pool: exit this process when its parent has ended.

    A thread watches the parent's sentinel. PR_SET_PDEATHSIG is no alternative: it reacts to the end of the thread that
    started the process, which may end long before the pool.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), name="spellout-parent", daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
