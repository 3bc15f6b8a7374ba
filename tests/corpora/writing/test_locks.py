"""Two processes never write the same folder or file."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corpora.errors import InputError
from corpora.writing.files import row_writer
from corpora.writing.locks import locked_folder, locked_target


def test_a_folder_is_locked_once(tmp_path: Path) -> None:
    with (
        locked_folder(tmp_path / "new", "file"),
        pytest.raises(InputError, match="new: is locked by another process: wait for it, or choose another folder"),
        locked_folder(tmp_path / "new", "file"),
    ):
        pass
    with locked_folder(tmp_path / "new", "file"):
        pass


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("link", "link: cannot be used: it is a broken link"),
        ("file", "it is not a folder"),
        ("file/a", "Not a directory"),
    ],
)
def test_what_cannot_be_a_folder_is_named(tmp_path: Path, name: str, why: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "no" / "folder")
    with pytest.raises(InputError, match=why), locked_folder(tmp_path / name, "lock"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link"]


LOCKS = """
import os, signal
from pathlib import Path
from corpora.writing.locks import locked_folder, locked_target
with {lock}:
    if os.fork() == 0:
        print(os.getpid(), flush=True)
    signal.pause()
"""


@pytest.mark.parametrize("lock", ["locked_folder(Path(), 'file')", "locked_target(Path('file'))"])
def test_a_forked_child_of_a_killed_process_does_not_hold_its_lock(
    lock: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with subprocess.Popen([sys.executable, "-c", LOCKS.format(lock=lock)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        try:
            with pytest.raises(InputError, match="is locked by another process"), eval(lock):
                pass
            process.kill()
            process.wait()
            with eval(lock):
                pass
        finally:
            os.kill(child, signal.SIGKILL)


def test_a_program_that_was_started_during_the_block_does_not_hold_the_lock(tmp_path: Path) -> None:
    with locked_folder(tmp_path, "file") as file:
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=[file.fileno()])
    with child, locked_folder(tmp_path, "file"):
        assert child.stdin is not None
        child.stdin.write(b"end\n")


def test_rows_are_written_by_one_process(tmp_path: Path) -> None:
    target = tmp_path / "rows.jsonl"
    with row_writer(target) as write:
        write({"a": 1})
        with pytest.raises(InputError, match=r"rows\.jsonl: is locked by another process"), row_writer(target):
            pass
        with row_writer(tmp_path / "other.jsonl") as other:
            other({"b": 1})
    assert target.read_text() == '{"a": 1}\n'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.jsonl", "rows.jsonl"]


def test_the_lock_of_a_process_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / ".rows.jsonl.lock").touch()
    with locked_target(tmp_path / "rows.jsonl"):
        pass
    assert list(tmp_path.iterdir()) == []
