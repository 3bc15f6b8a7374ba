"""Compares a predicted list of executed lines with the lines of the reference trace.

The answer is a list of line numbers of the program, from 1, in a block such as `<ANSWER>` or as the whole output.
Conventions differ in what says nothing about the execution, so it is left out on both sides: headers of functions, and
repetitions of a line directly after itself (an interpreter may report a comprehension once, or once for each element).
A line inside of a statement counts as the statement's first line.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import groupby

from analyze.diagnosis.direct_values import answer_text
from analyze.diagnosis.divergence import Diagnosis
from analyze.gold_trace.trace import Trace, physical_lines
from corpora.literals import parse_literal, parse_quietly

UNREADABLE = "its answer is no list of line numbers"
NO_SUCH_LINE = "its answer has a line that the program does not have"


def read_lines(output: str) -> tuple[int, ...] | None:
    """The line numbers of an answer; None if it is no list of them.

    >>> read_lines("Line 2 runs first.\\n<ANSWER>[1, 2, 3]</ANSWER>"), read_lines("[1, 2"), read_lines("[1, True]")
    ((1, 2, 3), None, None)
    """
    try:
        found = parse_literal(answer_text(output))
    except ValueError:
        return None
    is_list = isinstance(found, list | tuple) and all(type(number) is int for number in found)
    return tuple(found) if is_list else None


def diagnose_lines(trace: Trace, output: str) -> Diagnosis | str:
    """The first line of an answer that diverges from the execution; or why the answer cannot be read.

    Args:
        trace: The reference trace, complete.
        output: What the model wrote.

    Returns:
        A diagnosis of kind "action" if another line runs there, and "event" if the answer has a line too few or too
        many. `frame` is that of the line in the reference trace. The answers are lists of lines.
    """
    said = read_lines(output)
    if said is None:
        return UNREADABLE
    size = trace.lines[0] - 1  # `main` follows the program
    if any(not 0 < number <= size for number in said):
        return NO_SUCH_LINE
    firsts = _first_lines(trace.context)
    steps = ((firsts.get(line, line), index) for index, line in enumerate(trace.lines) if _is_step(trace, index, size))
    run = [next(same) for _, same in groupby((step for step in steps if step[0]), key=lambda step: step[0])]
    reference = [line for line, _ in run]
    claimed = [line for line, _ in groupby(filter(None, (firsts.get(number, number) for number in said)))]
    place = _first_difference(reference, claimed)
    texts = physical_lines(trace.context)
    true, predicted = ("" if place is None else _shown(lines, place, texts) for lines in (reference, claimed))
    return Diagnosis(
        kind="none" if place is None else "action" if true and predicted else "event",
        frame=run[place][1] if place is not None and place < len(run) else len(trace.frames),
        true=true,
        predicted=predicted,
        truth=str(reference),
        answer=str(claimed),
        correct=place is None,
        true_frames=len(trace.frames),
        predicted_frames=len(claimed),
    )


def _is_step(trace: Trace, index: int, size: int) -> bool:
    return trace.frames[index].event == "line" and trace.lines[index] <= size


def _first_lines(source: str) -> Mapping[int, int]:
    """For each line inside of a statement, the statement's first line; 0 for headers of functions."""
    found: dict[int, int] = {}
    for node in ast.walk(parse_quietly(source)):
        if not isinstance(node, ast.stmt):
            continue
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        first = node.lineno
        last = max(first, _first_line(body[0]) - 1) if body else node.end_lineno or first
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min((one.lineno for one in node.decorator_list), default=first)
            found.update(dict.fromkeys(range(first, last + 1), 0))
        else:
            found.update(dict.fromkeys(range(first, last + 1), first))
    return found


def _first_line(node: ast.stmt | ast.match_case) -> int:
    return node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno


def _first_difference(reference: Sequence[int], claimed: Sequence[int]) -> int | None:
    same = next((place for place, pair in enumerate(zip(reference, claimed, strict=False)) if pair[0] != pair[1]), None)
    return min(len(reference), len(claimed)) if same is None and len(reference) != len(claimed) else same


def _shown(lines: Sequence[int], place: int, texts: Sequence[str]) -> str:
    return f"line {lines[place]}: {texts[lines[place] - 1].strip()}" if place < len(lines) else ""
