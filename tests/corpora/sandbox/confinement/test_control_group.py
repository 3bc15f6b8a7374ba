"""Where a control group can be made, a worker has no more tasks than it allows; elsewhere nothing breaks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from corpora import run_call
from corpora.program import Isolation
from corpora.sandbox.confinement import control_group
from corpora.sandbox.confinement.control_group import ControlGroup
from corpora.sandbox.confinement.limits import MAX_TASKS
from corpora.sandbox.workers import isolation_levels

# Threads of almost no memory, as many as there may be: each costs a task.
BOMB = """
import threading
def f():
    threading.stack_size(65536)
    stop, count = threading.Event(), 0
    try:
        while count < 2000:
            threading.Thread(target=stop.wait, daemon=True).start()
            count += 1
    except RuntimeError:
        pass
    stop.set()
    return count
"""


@pytest.fixture
def group() -> ControlGroup:
    """A group of its own; skips where none can be made."""
    made = ControlGroup()
    if made.command(["true"]) == ["true"]:
        pytest.skip("no control group with the pids controller can be made here")
    return made


def test_without_a_group_the_command_stays_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(control_group, "CGROUP_ROOT", tmp_path)
    nothing = ControlGroup()
    assert nothing.command(["true", "x"]) == ["true", "x"]
    nothing.remove()


def test_what_is_started_in_a_group_is_bounded_by_it_and_leaves_nothing(group: ControlGroup) -> None:
    folder = Path(group.command([])[3])
    code = f"import pathlib; print(pathlib.Path('/proc/self/cgroup').read_text()); print({str(folder)!r})"
    said = subprocess.run(group.command([sys.executable, "-c", code]), capture_output=True, text=True, check=True)
    assert folder.name in said.stdout.splitlines()[-1]
    assert f"/{folder.name}" in said.stdout
    assert (folder / "pids.max").read_text().strip() == str(MAX_TASKS)
    group.remove()
    assert not folder.exists()


@pytest.mark.parametrize("level", ["A", "B"])
def test_a_program_makes_no_more_tasks_than_the_group_allows(
    group: ControlGroup, level: Isolation, monkeypatch: pytest.MonkeyPatch
) -> None:
    group.remove()
    if isolation_levels.active_isolation().confinement.level != level:
        pytest.skip(f"level {level} is not in force here")
    outcome = run_call(BOMB, "f()", megabytes=2000)
    assert outcome.status in ("ok", "memory")
    if outcome.status == "ok":
        assert int(outcome.value or 0) < MAX_TASKS


def test_the_group_of_a_caller_that_is_gone_is_swept(group: ControlGroup) -> None:
    folder = Path(group.command([])[3])
    left = folder.with_name("spellout-999999999-0")
    left.mkdir()
    ControlGroup().remove()
    assert not left.exists()
    group.remove()
