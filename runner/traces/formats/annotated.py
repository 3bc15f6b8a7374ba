"""Annotated source: a line for each executed line, with the variables that it changed in a comment.

    def f(x):  # x=2
        y = x * 3  # y=6
        return y  # return 6

A line is annotated with the variables whose shown value differs when the same function goes on; a `return` with the
value, an exception with its type and message. The lines of a called function stand below the line that calls it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from analyze.gold_trace.frames import UNCHANGED, Frame
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.traces.rendered_trace import RenderedTrace

SUMMARY = "each executed line, with the variables that it changes in a comment"


def render(case: Case, trace: Trace, tokenizer: Tokenizer) -> RenderedTrace:
    """The program with its call, and the annotated lines."""
    lines = [line.text for line in _annotated(trace.frames)]
    return RenderedTrace(case.context, "\n".join(lines) + "\n")


@dataclass
class _Line:
    source: str
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return f"{self.source}  # {', '.join(self.notes)}" if self.notes else self.source


@dataclass
class _Activation:
    values: dict[str, str]
    last: _Line


def _annotated(frames: tuple[Frame, ...]) -> list[_Line]:
    lines: list[_Line] = []
    stack: list[_Activation] = []
    for frame in frames:
        source = frame.source.rstrip("\n")
        if frame.event == "call":
            values = dict(frame.state or ())
            lines.append(_Line(source, [f"{name}={value}" for name, value in values.items()]))
            stack.append(_Activation(values, lines[-1]))
        elif not stack:
            continue  # after the return of the outermost function
        elif frame.event == "line":
            _note_changes(stack[-1], frame)
            lines.append(_Line(source))
            stack[-1].last = lines[-1]
        elif frame.event == "return":
            stack.pop().last.notes.append(f"return {frame.value}")
        else:
            stack[-1].last.notes.append(f"raise {frame.value}")
    return lines


def _note_changes(activation: _Activation, frame: Frame) -> None:
    """Adds to the function's last line what differs in this state."""
    before = activation.values
    after = {name: before.get(name, value) if value == UNCHANGED else value for name, value in frame.state or ()}
    activation.last.notes += [f"{name}={value}" for name, value in after.items() if before.get(name) != value]
    activation.last.notes += [f"del {name}" for name in before if name not in after]
    activation.values = after
