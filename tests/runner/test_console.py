"""What commands show of programs, rows and paths: text, whatever it holds."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.progress import Task, TaskID
from rich.table import Table

from runner.console import PlainConsole, printable, progress_bar, shown, warn

HOSTILE = ["[/x]", "[bold]", ":warning:", "\x1b[2J\x1b]0;title\x07", "\ud800", "a\rb", "\x9b1m", "\u202eevil"]
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
def test_text_is_text_wherever_a_console_takes_it(text: str) -> None:
    console = PlainConsole(file=io.StringIO(), width=200, force_terminal=True, color_system=None)
    table = Table(title=text)
    table.add_column(text)
    table.add_row(text)
    console.print(table)
    console.print(text, shown(text, "bold"))
    warn(console, text)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert printed.count(printable(text)) == 6
    assert not STEERING & set(printed)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_a_task_is_called_is_text_too(text: str) -> None:
    progress = progress_bar(shown=False)
    assert progress.columns[0](Task(TaskID(0), text, 1, 0, progress.get_time)).plain == printable(text)  # type: ignore
