"""What commands show of programs, rows and paths: text, whatever it holds."""

import io
import signal
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.progress import Task, TaskID
from rich.table import Table

from corpora.foreign_text import printable
from runner.terminal.console import LineProgress, PlainConsole, error_console, progress_bar, styled, warn

HOSTILE = ["[/x]", "[bold]", ":warning:", "\x1b[2J\x1b]0;title\x07", "\ud800", "a\rb", "\x9b1m", "\u202eevil"]
SECONDS = LineProgress.SECONDS
STEERING = {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160), *range(0xD800, 0xE000))}


@given(st.text(st.characters(codec=None)))
def test_nothing_steers_a_terminal_and_everything_can_be_encoded(text: str) -> None:
    safe = printable(text)
    assert not STEERING & set(safe)
    safe.encode()
    assert printable(safe) == safe


@given(st.text(st.characters(categories=("L", "N", "P", "S", "Zs"))))
def test_ordinary_text_stays(text: str) -> None:
    assert printable(text + "\n\t") == text + "\n\t"


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_text_is_text_wherever_a_console_takes_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    console = PlainConsole(file=io.StringIO(), width=200, force_terminal=True, color_system=None)
    table = Table(title=text)
    table.add_column(text)
    table.add_row(text)
    console.print(table)
    console.print(text, styled(text, "bold"))
    monkeypatch.setattr("runner.terminal.console.error_console", lambda: console)
    warn(text)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert printed.count(printable(text)) == 6
    assert not STEERING & set(printed)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_a_task_is_called_is_text_too(text: str) -> None:
    progress = progress_bar(shown=False)
    assert progress.columns[0](Task(TaskID(0), text, 1, 0, progress.get_time)).plain == printable(text)  # type: ignore


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of progress, which other tests do without."""
    monkeypatch.setattr(LineProgress, "SECONDS", SECONDS)


@pytest.mark.usefixtures("lines")
def test_without_a_terminal_progress_is_a_plain_line_every_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    with LineProgress(error_console(), clock=lambda: now) as progress:
        task = progress.add_task("rows\nread", total=100_000)
        for _ in range(25):
            now += 1
            progress.advance(task, 400)
        for second in progress.track(range(12), description="more"):
            now = 25.5 + second
    assert capsys.readouterr().err.splitlines() == [
        "rows\\nread: 4,000 of 100,000, 0:00:10",
        "rows\\nread: 8,000 of 100,000, 0:00:20",
        "more: 6 of 12, 0:00:05",
        "rows\\nread: 10,000 of 100,000, 0:00:36",
        "more: 12 of 12, 0:00:11",
    ]


@pytest.mark.usefixtures("lines")
def test_work_that_ends_before_its_first_line_or_with_it_prints_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    with LineProgress(error_console(), clock=lambda: now) as progress:
        short, whole = (progress.add_task(name, total=2) for name in ("short", "whole"))
        progress.advance(short, 2)
        now = 12.0
        progress.advance(whole, 2)
    assert capsys.readouterr().err == "whole: 2 of 2, 0:00:12\n"


@pytest.mark.usefixtures("lines")
def test_progress_of_long_work_has_its_rate_and_the_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    now = 0.0
    with LineProgress(error_console(), clock=lambda: now, rate=True) as progress:
        task = progress.add_task("rows traced", total=1000)
        now = 20.0
        progress.advance(task, 50)
        unknown = progress.add_task("rows curated", total=None)
        now = 40.0
        progress.advance(unknown, 10)
    assert capsys.readouterr().err.splitlines() == [
        "rows traced: 50 of 1,000, 0:00:20, 2.5/s, 0:06:20 left",
        "rows curated: 10, 0:00:20, 0.5/s",
    ]


def test_the_first_line_needs_no_completed_step(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LineProgress, "FIRST", 0.01)
    said = ""
    with LineProgress(error_console()) as progress:
        progress.add_task("executing programs", total=3)
        until = time.monotonic() + 30
        while not said and time.monotonic() < until:
            signal.sigtimedwait([], 0.01)
            said = capsys.readouterr().err
    assert said == "executing programs: 0 of 3, 0:00:00\n"
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_a_progress_bar_without_a_terminal_is_of_lines_and_one_that_is_not_shown_says_nothing() -> None:
    assert isinstance(progress_bar(), LineProgress)
    assert not isinstance(progress_bar(shown=False), LineProgress)


def test_a_notebook_gets_plain_text_on_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    assert not error_console().is_jupyter
