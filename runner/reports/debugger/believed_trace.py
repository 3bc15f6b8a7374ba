"""The trace that a model wrote, aligned frame by frame with the reference trace: call stack, lines and variables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from analyze.diagnosis.answer_comparison import value_in_force
from analyze.diagnosis.divergence import Diagnosis
from analyze.diagnosis.parse_output import parse_output
from analyze.gold_trace.frames import UNCHANGED, Event, Frame
from analyze.gold_trace.reprs_310 import strip_addresses
from analyze.gold_trace.trace import Trace, physical_lines
from analyze.tokens.tokenizer import default_tokenizer
from runner.reports.debugger.function_names import function_names
from runner.reports.viewer.alignment import AlignedFrame, align

_DEFINITION = re.compile(r"\s*(?:async\s+)?def\s+(\w+)")


@dataclass(frozen=True)
class Variable:
    """A variable of a frame, or the value that the frame returns or raises.

    Attributes:
        name: its name, or "return value" or "exception".
        predicted: the repr that the model believes; None if it has no such variable.
        reference: the repr in the reference trace; None if it has no such variable.
        is_written: whether the model writes the value out in this frame, instead of "..".
    """

    name: str
    predicted: str | None
    reference: str | None
    is_written: bool

    @property
    def differs(self) -> bool:
        """Whether the values differ as the diagnosis compares them: without memory addresses and module paths."""
        return _normal(self.predicted) != _normal(self.reference)


@dataclass(frozen=True)
class BelievedTrace:
    """An output, aligned with the reference trace.

    Attributes:
        trace: the reference trace.
        predicted: the complete frames of the output.
        rest: the output after its last complete frame.
        diagnosis: the first divergence.
        pairs: the aligned frames, in order.
        read_by: what the result was read from, if the output is no trace but gives one.
    """

    trace: Trace
    predicted: tuple[Frame, ...]
    rest: str
    diagnosis: Diagnosis
    pairs: tuple[AlignedFrame, ...]
    read_by: str = ""

    def frames(self, index: int) -> tuple[Frame | None, Frame | None]:
        """The frame of the output and that of the reference trace; None for one that is missing."""
        pair = self.pairs[index]
        return (
            None if pair.predicted is None else self.predicted[pair.predicted],
            None if pair.reference is None else self.trace.frames[pair.reference],
        )

    def event(self, index: int) -> Event:
        """The event of the frame. Without special tokens, an output shows it less exactly than the reference trace."""
        predicted, reference = self.frames(index)
        return _first(*((predicted, reference) if self.pairs[index].kind == "event" else (reference, predicted))).event

    def source(self, index: int) -> str:
        """The source line of the output's frame, or of the reference trace if the output has no frame."""
        return _first(*self.frames(index)).source

    def lines(self, index: int) -> list[int]:
        """The lines of the traced source that may be meant: several if they have the same text, none if it has none."""
        place = self.pairs[index].reference
        if place is not None and self.source(index) == self.trace.frames[place].source:
            return [self.trace.lines[place]]
        return self._numbers.get(self.source(index), [])

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        """The numbers of the lines of the traced source, by their text."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(physical_lines(self.trace.context), 1):
            found.setdefault(line, []).append(number)
        return found

    @cached_property
    def stacks(self) -> tuple[tuple[int, ...], ...]:
        """The calls that are active in each frame, outermost first, by the index of their first frame."""
        return tuple(_stacks(map(self.event, range(len(self.pairs)))))

    def function(self, call: int) -> str:
        """The name of the function that the frame `call` calls or resumes; its line if that has no unique name."""
        found = _DEFINITION.match(self.source(call))
        if found:
            return found[1]
        name, *others = {self._functions.get(line) for line in self.lines(call)} or {None}
        return name if name and not others else self.source(call).strip()

    @cached_property
    def _functions(self) -> dict[int, str]:
        return function_names(self.trace.context)

    def variables(self, index: int) -> list[Variable]:
        """The variables of a frame: those of the output in its order, then those that only the reference has."""
        predicted, reference = self.frames(index)
        pair = self.pairs[index]
        believed = _values(self.predicted, pair.predicted)
        true = _values(self.trace.frames, pair.reference)
        written = dict(predicted.state or ()) if predicted else {}
        noted = dict(reference.state or ()) if reference else {}
        found = []
        for name in dict.fromkeys([*believed, *true]):
            both = believed.get(name), true.get(name)
            one = Variable(name, *both, is_written=written.get(name, "") != UNCHANGED and name in believed)
            other = replace(one, predicted=written.get(name), reference=noted.get(name))
            if pair.kind and not one.differs and name in written and name in noted and other.differs:
                one = other  # the same value in another notation, which is a divergence too
            found.append(one)
        return found

    def find(self, start: int, condition: Callable[[int], bool]) -> int | None:
        """The first frame after `start` that meets a condition; None if there is none."""
        return next(filter(condition, range(start + 1, len(self.pairs))), None)


def believed_trace(trace: Trace, output: str | Sequence[int], diagnosis: Diagnosis, read_by: str = "") -> BelievedTrace:
    """Parses and aligns an output.

    Args:
        trace: the reference trace.
        output: of the model, with or without special tokens.
        diagnosis: of this output.
        read_by: what its result was read from, if it is no trace (default: its result is that of its frames).
    """
    parsed = parse_output(output, default_tokenizer(), trace)
    pairs = align(trace.frames, parsed.frames, stripped=parsed.stripped)
    return BelievedTrace(trace, parsed.frames, parsed.rest, diagnosis, tuple(pairs), read_by)


def _first(one: Frame | None, other: Frame | None) -> Frame:
    found = one or other
    assert found is not None, "a pair has a frame"
    return found


def _stacks(events: Iterable[Event]) -> Iterator[tuple[int, ...]]:
    stack: tuple[int, ...] = ()
    for index, event in enumerate(events):
        stack = (*stack, index) if event == "call" else stack
        yield stack
        stack = stack[:-1] if event == "return" else stack


def _normal(value: str | None) -> str | None:
    return None if value is None else strip_addresses(value)


def _values(frames: Sequence[Frame], index: int | None) -> dict[str, str]:
    """What the variables of a frame stand for; ".." for a value that no earlier frame shows."""
    if index is None:
        return {}
    frame = frames[index]
    if frame.state is None:
        return {"exception" if frame.event == "exception" else "return value": frame.value or ""}
    return {name: value_in_force(frames, index, name) or UNCHANGED for name, _ in frame.state}
