"""Compares the values that an annotated program predicts with the reference trace.

    for x in xs:  ## [STATE]x=[1, 2][/STATE]
        total += x  ## [STATE]total=[1, 3][/STATE]

An annotation gives the values of a variable after each run of its line; for a loop header, in each iteration. A value
that is always the same may stand once, without a list. What else an annotation may mean is unknown, so it is not read:
expressions, lines in nested loops, lines that the program has twice, loops on one line, recursive calls.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyze.diagnosis.answer_comparison import same_value, value_in_force
from analyze.diagnosis.direct_values import is_literal
from analyze.diagnosis.divergence import Diagnosis, DivergenceKind
from analyze.diagnosis.state_tables import function_steps, spaceless
from analyze.gold_trace.trace import Trace, physical_lines
from corpora.literals import parse_literal, parse_quietly
from corpora.outputs.marks import without_thought

_ANNOTATION = re.compile(r"\[STATE\](.*?)\[/STATE\]")
NO_STATES = "it has no annotation [STATE]variable=values[/STATE]"
RECURSIVE = "it annotates a function that calls itself"
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class StateAnnotation:
    """The values of a variable that an annotation gives.

    Attributes:
        line: Number of the line in the program, from 1.
        name: The variable.
        values: A literal: a list of values, or the value that is always the same.
        body: The lines of the loop that the line begins; empty for any other line.
    """

    line: int
    name: str
    values: str
    body: range = range(0)


class UnreadableStateError(Exception):
    """An annotation that cannot be compared, with the reason."""


def read_annotations(output: str, source: str) -> list[StateAnnotation]:
    """The annotations of an output, in order.

    Raises:
        UnreadableStateError: One of them has no certain meaning.
    """
    lines, loops = ["", *map(spaceless, physical_lines(source))], _loops(source)
    found = []
    for text in without_thought(output).splitlines():
        code = spaceless(text.partition("[STATE]")[0].rstrip(" #"))
        for content in _ANNOTATION.findall(text):
            name, _, values = (part.strip() for part in content.partition("="))
            if not name.isidentifier() or not is_literal(values):
                raise UnreadableStateError(f"{content!r} is no value of a variable")
            if not code or lines.count(code) != 1:
                raise UnreadableStateError(f"the program does not have the line of {content!r} exactly once")
            line = lines.index(code)
            around = [body for head, body in loops if line == head or line in body]
            body = next((body for head, body in loops if head == line), range(0))
            if len(around) > 1 or line in body:
                raise UnreadableStateError(f"{content!r} is in nested loops, or in a loop on one line")
            found.append(StateAnnotation(line, name, values, body))
    return found


def diagnose_states(trace: Trace, output: str) -> Diagnosis | str:
    """The first annotated value that diverges from the execution; or why the output cannot be read.

    Args:
        trace: The reference trace, complete.
        output: What the model wrote.

    Returns:
        A diagnosis of kind "state" for a wrong value, and of kind "event" for values of too few or too many runs. The
        answers have the values of all annotations.
    """
    try:
        annotations = read_annotations(output, trace.context)
        truths = [list(_values(one, trace)) for one in annotations]
    except UnreadableStateError as error:
        return str(error)
    if not annotations:
        return NO_STATES
    if [frame.source for frame in trace.frames if frame.event == "call"].count(trace.frames[2].source) != 1:
        return RECURSIVE
    pairs = list(zip(annotations, truths, strict=True))
    first = min(filter(None, (_difference(one, truth, trace) for one, truth in pairs)), default=None)
    frame, kind, true, predicted = first or (len(trace.frames), "none", "", "")
    return Diagnosis(
        kind=kind,
        frame=frame,
        true=true,
        predicted=predicted,
        truth="; ".join(f"{one.name}=[{', '.join(value for _, value in truth)}]" for one, truth in pairs),
        answer="; ".join(f"{one.name}={one.values}" for one in annotations),
        correct=first is None,
        true_frames=len(trace.frames),
        predicted_frames=len(annotations),
    )


def _loops(source: str) -> list[tuple[int, range]]:
    """The loops of a program: the line of each header, and the lines of its body."""
    found = (node for node in ast.walk(parse_quietly(source)) if isinstance(node, _LOOPS))
    return [(node.lineno, range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)) for node in found]


def _values(one: StateAnnotation, trace: Trace) -> Iterator[tuple[int, str]]:
    """The values of a variable after each run of a line, each with the index of the frame that shows it."""
    steps = function_steps(trace)
    for step, after in zip(steps, [*steps[1:], steps[-1]], strict=True):
        if trace.lines[step] != one.line or (one.body and trace.lines[after] not in one.body):
            continue
        value = value_in_force(trace.frames, after, one.name)
        if one.name not in dict(trace.frames[after].state or ()) or value is None:
            raise UnreadableStateError(f"{one.name!r} has no value after line {one.line}")
        yield after, value


def _difference(
    one: StateAnnotation, truth: Sequence[tuple[int, str]], trace: Trace
) -> tuple[int, DivergenceKind, str, str] | None:
    """Frame, kind, and both versions of the first difference; None if there is none."""
    if truth and all(same_value(value, one.values) for _, value in truth):
        return None
    literal = parse_literal(one.values)
    claimed = [repr(value) for value in literal] if isinstance(literal, list | tuple) else [one.values]
    for (frame, value), said in zip(truth, claimed, strict=False):
        if not same_value(value, said):
            state = dict(trace.frames[frame].state or ())
            return frame, "state", json.dumps(state), json.dumps({**state, one.name: said})
    if len(claimed) == len(truth):
        return None
    frame = truth[min(len(claimed), len(truth) - 1)][0] if truth else len(trace.frames)
    return frame, "event", f"line {one.line}: {len(truth)} values", f"{len(claimed)} values"
