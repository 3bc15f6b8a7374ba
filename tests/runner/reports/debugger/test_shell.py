"""The commands of the debugger: mistakes first, then each movement and what it prints."""

import io

import pytest

from analyze import Trace, diagnose, trace_call
from corpora.errors import InputError
from runner.reports.debugger.believed_trace import believed_trace
from runner.reports.debugger.shell import COMMANDS, DebuggerShell
from runner.terminal.console import PlainConsole

SOURCE = "def g(n):\n    return n + 1\n\ndef f(n):\n    m = g(n)\n    return m\n"
TRACE = trace_call(SOURCE, "f(1)")
WRONG = TRACE.text.replace('"m": "2"', '"m": "3"')


class Terminal(io.StringIO):
    """Commands that a person types."""

    def isatty(self) -> bool:
        return True


def session(*commands: str, output: str = WRONG, trace: Trace = TRACE) -> list[str]:
    """The lines that a session prints."""
    printed = PlainConsole(file=io.StringIO(), width=80)
    shown = believed_trace(trace, output, diagnose(trace, output))
    DebuggerShell(shown, printed, printed, io.StringIO("".join(f"{command}\n" for command in commands))).cmdloop()
    return [line.rstrip() for line in printed.file.getvalue().splitlines()]  # type: ignore[attr-defined]


def places(*commands: str, output: str = WRONG) -> list[str]:
    """The frames at which a session stops."""
    return [line.split(",")[0] for line in session(*commands, output=output) if line.startswith("frame ")]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("nextt", "no command 'nextt' (did you mean 'next'?); `help` lists the commands"),
        ("step 0", "'0' is not an integer of at least 1"),
        ("step two", "'two' is not an integer of at least 1"),
        ("back", "this is the first frame; `step` goes on"),
        ("next 3", "`next` takes no argument, but got '3'"),
        ("why x", "`why` takes no argument, but got 'x'"),
        ("out", "no frame after frame 0 is of a caller"),
        ("until 99", "no frame after frame 0 executes line 99"),
        ("until f", "'f' is neither `divergence` nor a line of the program"),
        ("frame 10", "no frame 10; the last one is 9"),
        ("print n", "this frame has no variable 'n'; it has: none"),
    ],
)
def test_a_command_that_cannot_be_executed_ends_a_script(command: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        session("help", command, "step")
    assert (error.value.where, error.value.message) == ("command 2", message)


def test_at_a_terminal_a_mistake_is_printed_and_the_session_goes_on() -> None:
    printed = PlainConsole(file=io.StringIO(), width=80)
    shown = believed_trace(TRACE, WRONG, diagnose(TRACE, WRONG))
    shell = DebuggerShell(shown, printed, printed, Terminal())
    assert shell.prompt and not shell.onecmd("nextt") and not shell.onecmd("step")
    assert "no command 'nextt'" in printed.file.getvalue() and shell.index == 1  # type: ignore[attr-defined]


def test_why_and_until_are_mistakes_without_a_divergence() -> None:
    with pytest.raises(InputError, match="does not diverge"):
        session("why", output=TRACE.text)
    with pytest.raises(InputError, match="no frame after frame 1 differs from the reference trace"):
        session("step", "until divergence", output=TRACE.text)


def test_a_session_without_commands_prints_the_verdict_and_the_first_frame() -> None:
    assert session() == [
        "correct; first divergence: state at frame 7",
        "frame 0 of 10, call of main, line 8: as in the reference trace",
        "-> def main(): # << START_OF_TRACE",
    ]


def test_step_goes_into_calls_next_over_them_and_out_of_them() -> None:
    assert places("step 3") == ["frame 0 of 10", "frame 3 of 10"]
    assert places("step 3", "step") == ["frame 0 of 10", "frame 3 of 10", "frame 4 of 10"]
    assert places("step 3", "next")[-1] == "frame 7 of 10"
    assert places("step 4", "out")[-1] == "frame 7 of 10"


def test_an_empty_line_repeats_the_last_command() -> None:
    assert places("step", "", "")[-1] == "frame 3 of 10"


def test_back_stops_at_the_first_frame() -> None:
    assert places("step 3", "back", "back 7")[-2:] == ["frame 2 of 10", "frame 0 of 10"]


def test_until_goes_to_the_next_difference_or_line() -> None:
    assert places("until divergence")[-1] == "frame 7 of 10"
    assert places("until 2")[-1] == "frame 5 of 10"


@pytest.mark.parametrize("command", ["step", "next"])
def test_at_the_end_of_the_trace_the_session_says_so_and_stays(command: str) -> None:
    assert places("step 99")[-1] == "frame 9 of 10"
    assert session("step 99", command, "where")[-3:] == [
        "the trace ends at frame 9",
        "correct; first divergence: state at frame 7",
        "frame 0: main()",
    ]


def test_the_beginning_of_a_command_is_enough() -> None:
    assert places("u", "b", "f 1")[-3:] == ["frame 7 of 10", "frame 6 of 10", "frame 1 of 10"]


def test_commands_and_variables_are_completed() -> None:
    printed = PlainConsole(file=io.StringIO())
    shell = DebuggerShell(believed_trace(TRACE, WRONG, diagnose(TRACE, WRONG)), printed, printed, io.StringIO())
    shell.index = 7
    assert {*COMMANDS} == {*shell.completenames("")}
    assert shell.completedefault("", "p ", 2, 2) == ["n", "m"] and shell.completedefault("", "next ", 5, 5) == []


def test_quit_ends_the_session() -> None:
    assert places("quit", "step") == ["frame 0 of 10"]


def test_a_difference_is_marked_until_the_reference_is_reached_again() -> None:
    printed = session("until divergence", "step")
    rows = [" ".join(line.split()) for line in printed]
    assert "! m 3 2" in rows and "* n 1 1" in rows
    assert "frame 8 of 10, return from f, line 6: as in the reference trace" in printed


def test_print_why_where_and_list_describe_the_current_frame() -> None:
    assert session("print")[-1] == "no variables"
    assert session("step 7", "print m")[-2:] == ["m (model): 3", "m (reference): 2"]
    assert session("step 5", "where")[-3:] == ["frame 0: main()", "frame 2: f(n=1)", "frame 4: g(n=1)"]
    assert session("step 5", "where", output="nothing")[-1] == "frame 4: g(n=1 (reference))"
    assert session("why")[-2:] == ["frame 7: state", "operation line 5, column 9: g(n): reference 2, predicted 3"]
    assert "->   5      m = g(n)" in session("step 3", "list")


def test_form_feeds_and_unicode_separators_do_not_end_a_line() -> None:
    trace = trace_call("def f(n):\n    m = n\x0c\n    s = '\u2028'\n    return m\n", "f(1)")
    assert "->   4      return m" in session("until 4", "list", output=trace.text, trace=trace)


def test_what_no_frame_holds_is_quoted() -> None:
    start = "".join(frame.text for frame in TRACE.frames[:2])
    assert any(
        "the output has no complete frame here, but 'no more frames'" in line
        for line in session("until", output=start + "no more frames")
    )
    assert any("the output ends before this frame" in line for line in session("until", output=start))


def test_control_characters_of_an_output_are_escaped() -> None:
    printed = "\n".join(session("until", output=WRONG.replace('"3"', '"\\u001b[31m"')))
    assert "\\x1b[31m" in printed and "\x1b" not in printed
