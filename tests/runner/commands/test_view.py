"""`spellout view`: what cannot be read or written first, then the file."""

from pathlib import Path

import pytest

from runner.cli import main
from runner.reports.viewer.server import page_server
from tests.runner.reports.viewer.runs import record, rewritten, write_run


def test_what_is_not_a_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", str(tmp_path)]) == 2
    assert "is not the folder of a run" in capsys.readouterr().err


def test_a_run_is_given_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(write_run(tmp_path / "run", record()))
    assert main(["view", run, run]) == 2
    assert "is given twice" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", record())
    assert main(["view", str(run), "--output", str(tmp_path / "missing" / "page.html")]) == 2
    assert "page.html: cannot be written" in capsys.readouterr().err


def test_a_port_in_use_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = write_run(tmp_path / "run", record())
    with page_server("", 0) as server:
        port = str(server.server_address[1])
        assert main(["view", str(run), "--port", port]) == 2
    assert f"--port {port}: cannot be used" in capsys.readouterr().err


@pytest.mark.medium
def test_the_page_is_written_beside_the_caller(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = write_run(tmp_path / "run", record(wrong="'worfw'"), rewritten())
    assert main(["view", str(run)]) == 0
    page = (tmp_path / "run.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "wrote run.html: 2 attempts" in capsys.readouterr().err
