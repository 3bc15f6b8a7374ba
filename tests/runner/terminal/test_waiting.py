"""Work of more than two seconds says what it does; shorter work says nothing."""

from __future__ import annotations

import io
import signal
import time

import pytest

from runner.terminal import waiting


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def wait_for(file: io.StringIO, text: str) -> None:
    until = time.monotonic() + 30
    while text not in file.getvalue() and time.monotonic() < until:
        signal.sigtimedwait([], 0.01)


def test_short_work_shows_nothing_and_leaves_the_signal_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError), waiting.show_waiting("loading"):
        raise KeyError
    assert capsys.readouterr().err == ""
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL and signal.getitimer(signal.ITIMER_REAL)[0] == 0


@pytest.mark.parametrize(
    ("kind", "expected"), [(io.StringIO, "loading \\x1b …\n"), (Terminal, "\r\x1b[2Kloading \\x1b: ")]
)
def test_long_work_is_shown(kind: type[io.StringIO], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = kind()
    monkeypatch.setattr("sys.stderr", file)
    monkeypatch.setattr(waiting, "SECONDS", 0.01)
    with waiting.show_waiting("loading \x1b"):
        wait_for(file, expected)
    assert file.getvalue().startswith(expected)
    assert file.getvalue().endswith("\n" if kind is io.StringIO else "\x1b[2K")
