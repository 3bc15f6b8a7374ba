"""Limits on a program's own process, and that a lower one of the caller's stays."""

import os
import resource
import subprocess
import sys

import pytest

from corpora import run_call
from corpora.program import Isolation
from corpora.sandbox.confinement import limits
from corpora.sandbox.workers import isolation_levels
from corpora.sandbox.workers.worker import WorkerDiedError

ASK = "import resource\ndef f(): return resource.getrlimit(resource.RLIMIT_NPROC)[0]"


@pytest.mark.medium
def test_tasks_are_limited_only_where_they_are_counted_by_themselves(level: Isolation) -> None:
    own = resource.getrlimit(resource.RLIMIT_NPROC)[0]
    limited = level == "A" and limits.can_limit_tasks()
    lower = limits.MAX_TASKS if own == resource.RLIM_INFINITY else min(own, limits.MAX_TASKS)
    assert run_call(ASK, "f()").value == str(lower if limited else own)


@pytest.mark.skipif(os.geteuid() == 0 or not limits.can_limit_tasks(), reason="the kernel exempts root")
def test_more_threads_than_that_are_refused() -> None:
    source = (
        "import threading\ndef f():\n    end = threading.Event()\n    try:\n        for _ in range(2000):\n"
        "            threading.Thread(target=end.wait, daemon=True).start()\n    except RuntimeError:\n"
        "        end.set()\n        return 'refused'"
    )
    assert run_call(source, "f()").value == "'refused'"


@pytest.mark.medium
def test_a_lower_limit_of_the_callers_stays() -> None:
    code = (
        "import resource\nresource.setrlimit(resource.RLIMIT_CORE, (0, 0))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from corpora import run_call\nfrom corpora.sandbox.workers import isolation_levels\n"
        "isolation_levels.force_level('B')\n"
        "print(run_call('import resource\\ndef f(): return resource.getrlimit(resource.RLIMIT_FSIZE)', 'f()').value)"
    )
    isolation_levels.force_level("B")
    try:
        isolation_levels.active_isolation()
    except WorkerDiedError as error:
        pytest.skip(f"level B cannot be had here: {error}")
    finally:
        isolation_levels.force_level(None)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "(4096, 4096)\n"
