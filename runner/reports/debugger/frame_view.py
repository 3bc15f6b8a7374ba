"""What the debugger prints about a frame: its place, what differs, the source line and the variables."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from analyze.gold_trace.trace import physical_lines
from runner.reports.debugger.believed_trace import BelievedTrace, Variable
from runner.terminal.console import print_lines, styled
from runner.terminal.tables import on_one_line, print_sentences

_DIFFERENCES = {
    "state": "the state differs",
    "action": "the line differs",
    "return value": "the value differs",
    "event": "another step than in the reference trace",
}
_EVENTS = {"call": "call of", "return": "return from", "exception": "exception in"}
_MARGIN = 12
_LEAST = 20
CONTEXT = 5
"""Lines that `list` prints before and after the current one."""


def print_frame(shown: BelievedTrace, index: int, console: Console) -> None:
    """Prints a frame: what it is, its source line, and its variables as the model and the reference trace have them."""
    predicted, reference = shown.frames(index)
    variables = shown.variables(index)
    difference = _difference(shown, index, variables)
    style = "bold red" if shown.pairs[index].kind else "bold"
    place = f"frame {index} of {len(shown.pairs)}, {_place(shown, index)}"
    print_lines(console, f"{place}: {difference}", style=style)
    if predicted and reference and predicted.source != reference.source:
        sources = (f"-> model:     {on_one_line(predicted.source)}", f"   reference: {on_one_line(reference.source)}")
        print_lines(console, *sources)
    else:
        print_lines(console, f"-> {on_one_line(shown.source(index))}")
    if variables:
        console.print(_table(variables, console.width))


def _place(shown: BelievedTrace, index: int) -> str:
    """The event with its line and function, such as "return from f, line 3"."""
    event, lines = shown.event(index), shown.lines(index)
    at = f"line {' or '.join(map(str, lines))}" if lines else "a line that the program does not have"
    stack = shown.stacks[index]
    if not stack:
        return at
    name = shown.function(stack[-1])
    return f"{at} in {name}" if event == "line" else f"{_EVENTS[event]} {name}, {at}"


def _difference(shown: BelievedTrace, index: int, variables: list[Variable]) -> str:
    pair, found = shown.pairs[index], shown.diagnosis
    if pair.kind is None:
        earlier = any(one.differs for one in variables)
        return "no further difference" if earlier else "as in the reference trace"
    if pair.predicted is not None:
        return _DIFFERENCES[pair.kind] if pair.reference is not None else "the reference trace has no such frame"
    if index != found.frame:
        return "the output has no such frame"
    if not shown.rest.strip():
        return "the output ends before this frame"
    return f"the output has no complete frame here, but {on_one_line(shown.rest, 80)!r}"


def _table(variables: list[Variable], width: int) -> Table:
    """One row per variable; `!` marks values that differ, `*` values that the model writes out in this frame."""
    table = Table("", "", "model", "reference", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    room = max(_LEAST, (width - _MARGIN - max(len(one.name) for one in variables)) // 2)
    for one in variables:
        mark = "!" if one.differs else "*" if one.is_written else ""
        cells = (styled("–" if text is None else on_one_line(text, room)) for text in (one.predicted, one.reference))
        table.add_row(mark, styled(one.name), *cells, style="red" if one.differs else "")
    return table


def print_values(variables: list[Variable], console: Console) -> None:
    """Prints values in full."""
    if not variables:
        print_sentences(console, "no variables")
    for one in variables:
        for side, text in (("model", one.predicted), ("reference", one.reference)):
            value = "none in this frame" if text is None else on_one_line(text, len(text))
            print_lines(console, f"{one.name} ({side}): {value}")


def source_lines(shown: BelievedTrace, index: int) -> Iterator[str]:
    """The lines of the program around a frame. An arrow marks the current one; all lines if it is not known."""
    lines, numbers = physical_lines(shown.trace.context.rstrip()), shown.lines(index)
    current = numbers[0] if len(numbers) == 1 else None
    start, end = (max(0, current - 1 - CONTEXT), current + CONTEXT) if current else (0, len(lines))
    for number, line in enumerate(lines[start:end], start + 1):
        yield f"{'->' if number == current else '  '} {number:>3}  {line}".rstrip("\n")


def stack_lines(shown: BelievedTrace, index: int) -> Iterator[str]:
    """The active calls of a frame, outermost first, with the variables when each was called, or resumed."""
    for call in shown.stacks[index]:
        given = ", ".join(f"{one.name}={_side(one)}" for one in shown.variables(call))
        yield on_one_line(f"frame {call}: {shown.function(call)}({given})")


def _side(one: Variable) -> str:
    return f"{one.reference} (reference)" if one.predicted is None else one.predicted


def print_verdict(shown: BelievedTrace, console: Console) -> None:
    """Prints whether the output is correct, its first divergence, and the results if they differ."""
    found = shown.diagnosis
    verdict = "correct" if found.correct else "incorrect" if found.answer is not None else "no answer"
    first = "first divergence: " if " at frame " in found.where else ""
    read_by = f", read from {shown.read_by}" if shown.read_by else ""
    print_sentences(console, f"{verdict}; {first}{found.where}{read_by}")
    if not found.correct:
        result = "none" if found.answer is None else on_one_line(found.answer)
        print_sentences(console, f"result of the model: {result}; of the reference trace: {on_one_line(found.truth)}")
