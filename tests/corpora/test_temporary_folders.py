"""Temporary folders: what is not removed first, then what a killed process left."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.temporary_folders import temporary_folder

HOLDER = """
import sys
from corpora.temporary_folders import temporary_folder
with temporary_folder("audit") as folder:
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def _hold(temporary: Path) -> tuple[subprocess.Popen[str], Path]:
    """A process that holds a folder until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    return process, Path(process.stdout.readline().strip())


def test_a_folder_exists_during_the_block_only(temporary: Path) -> None:
    with temporary_folder("audit") as folder, temporary_folder("audit") as other:
        (folder / "file").touch()
        assert folder.parent == temporary and other.is_dir() and folder.is_dir()
    assert not [*temporary.iterdir()]


@pytest.mark.parametrize(
    "name", ["spellout-audit-findings", "other-audit-abcdefgh.tmp", "spellout-audit-abcdefgh.tmp.d"]
)
def test_folders_of_other_names_stay(name: str, temporary: Path) -> None:
    (temporary / name).mkdir()
    with temporary_folder("audit"):
        assert (temporary / name).is_dir()


def test_a_link_and_what_it_leads_to_stay(temporary: Path) -> None:
    (temporary / "results").mkdir()
    (temporary / "spellout-audit-abcdefgh.tmp").symlink_to(temporary / "results")
    with temporary_folder("audit"):
        assert (temporary / "spellout-audit-abcdefgh.tmp").is_dir()


def test_a_folder_that_was_removed_before_it_was_locked_is_replaced(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed: list[Path] = []

    def lock(descriptor: int, operation: int) -> None:
        if not removed:
            removed.extend(temporary.iterdir())
            removed[0].rmdir()

    monkeypatch.setattr(fcntl, "flock", lock)
    with temporary_folder("audit") as folder:
        assert folder.is_dir() and folder != removed[0]


def test_a_file_system_without_locks_is_used_and_keeps_what_was_left(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lock(descriptor: int, operation: int) -> None:
        raise OSError("no locks")

    monkeypatch.setattr(fcntl, "flock", lock)
    left = temporary / "spellout-audit-abcdefgh.tmp"
    left.mkdir()
    with temporary_folder("audit") as folder:
        assert folder.is_dir() and left.is_dir()


def test_what_a_killed_process_left_is_removed_and_what_a_running_one_uses_is_not(temporary: Path) -> None:
    running, used = _hold(temporary)
    killed, left = _hold(temporary)
    (left / "file").touch()
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert left.is_dir()
    with temporary_folder("audit"):
        assert used.is_dir() and not left.exists()
    running.communicate("")
    assert not used.exists()
