"""No process of a pool outlives the one that made it, however that one ends (`kill -9` runs no clean-up)."""

from __future__ import annotations

import multiprocessing
import os
import threading
from multiprocessing.process import BaseProcess


def end_with_parent() -> None:
    """In a process of a pool, as its `initializer`: end this process when its parent is gone.

    The parent's sentinel is watched by a thread, not by PR_SET_PDEATHSIG, as that names the thread that started the
    process, which may end long before the pool.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), name="spellout-parent", daemon=True).start()


def _end_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
