"""Files that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.atomic_files import replacing_path, write_atomically


def write_and_fail(path: Path) -> None:
    with replacing_path(path) as unfinished:
        unfinished.write_text("half")
        raise KeyError


def test_an_error_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    write_atomically(file, "old")
    with pytest.raises(KeyError):
        write_and_fail(file)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_a_file_that_cannot_be_replaced_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_atomically(tmp_path / "folder", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_broken_link_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "no" / "file")
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "new"


def test_the_new_content_replaces_the_old_one(tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    for content in ("old", "new"):
        write_atomically(file, content)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["new"]
