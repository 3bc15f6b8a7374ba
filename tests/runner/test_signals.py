"""A command that is asked to end leaves nothing behind, and two commands never write one folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from corpora.writing.locks import locked_folder, locked_target
from runner.cli import main
from runner.terminal.signals import TerminatedError, termination_as_exception
from tests.samples import sampled

ENDLESS = {"id": "a", "code": "def f(n):\n    while True:\n        n += 1", "input": "1"}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(ENDLESS | {"id": str(number)}) + "\n" for number in range(4)))
    return path


EACH = [(command, number) for command in ("audit", "assess") for number in (signal.SIGTERM, signal.SIGHUP)]


@pytest.mark.medium
@pytest.mark.parametrize(("command", "number"), sampled(EACH, [f"{a}-{b.name}" for a, b in EACH], every=3))
def test_a_signal_leaves_no_temporary_folder(command: str, number: signal.Signals, rows: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    started = subprocess.Popen(
        [sys.executable, "-m", "spellout", command, str(rows), "--seconds", "500", "--jobs", "2"],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 120
    while not list(temporary.glob(f"spellout-{command}-*/done")) and time.monotonic() < until:
        time.sleep(0.1)
    assert list(temporary.glob(f"spellout-{command}-*/done"))
    started.send_signal(number)
    assert started.wait(120) == 128 + number
    assert list(temporary.glob("spellout-*")) == []


def test_a_signal_is_an_exception_and_its_handler_is_restored() -> None:
    def terminated() -> None:
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(1)

    with pytest.raises(TerminatedError, match="SIGTERM"), termination_as_exception():
        terminated()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with termination_as_exception():
            os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize(("command", "file"), [("audit", "audit.json"), ("assess", "assessment.json"), ("rewrite", "")])
def test_an_output_that_another_process_writes_is_refused(
    command: str, file: str, rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / ("out" if file else "out.jsonl")
    with locked_folder(out, file) if file else locked_target(out):
        assert main([command, str(rows), "--output", str(out)]) == 2
    assert f"{out}: is locked by another process: wait for it, or choose another f" in capsys.readouterr().err
