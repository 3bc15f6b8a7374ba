"""The published file that a command reads by default."""

import argparse
from pathlib import Path

import pytest

from lab.published_data import SETTING, published_path


def test_without_a_file_and_without_the_setting_the_command_ends_and_says_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(SETTING, raising=False)
    with pytest.raises(SystemExit):
        published_path(argparse.ArgumentParser(), None, "a.jsonl")
    assert f"needs a file, or {SETTING}" in capsys.readouterr().err


def test_a_named_file_comes_before_the_published_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(SETTING, str(tmp_path))
    assert published_path(argparse.ArgumentParser(), "b.jsonl", "a.jsonl") == Path("b.jsonl")
    assert published_path(argparse.ArgumentParser(), None, "a.jsonl") == tmp_path / "a.jsonl"
