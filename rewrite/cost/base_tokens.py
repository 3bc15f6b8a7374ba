"""The base of the token limit: the tokens of a trace without temporaries and outlined functions of an earlier rewrite.

A rewritten program has no higher limit than the program that it was made from, so that a second rewrite does not add
what the first one left out. Both are recognized by their names (`_t0`, `_find`): a program that uses such names itself
has a lower limit.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from analyze.gold_trace.frames import Frame
from analyze.gold_trace.trace import Trace
from rewrite.anf.names import TEMPORARY
from rewrite.cost.trace_tokens import TracedCall, count_frame_tokens
from rewrite.string_methods.reference import references


def base_tokens(runs: Sequence[TracedCall]) -> int:
    """The tokens of the longest trace, without temporaries and outlined functions.

    A line that mentions a temporary does not count at all, although the original has a form of it: the limit of a
    rewritten program may be lower than the original's.

    Args:
        runs: The traced calls of a program that is to be rewritten, at least one.
    """
    return max(count_frame_tokens([*_original_frames(run.trace)]) for run in runs)


def _original_frames(trace: Trace) -> Iterator[Frame]:
    added = _outlined_lines(trace.context)
    for frame, line in zip(trace.frames, trace.lines, strict=True):
        if line not in added and not (frame.event == "line" and TEMPORARY.search(frame.source)):
            state = frame.state and tuple(item for item in frame.state if not TEMPORARY.fullmatch(item[0]))
            yield replace(frame, state=state)


def _outlined_lines(source: str) -> set[int]:
    """The lines of functions that have the name of an outlined reference implementation."""
    found: set[int] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and _outlined_names().fullmatch(node.name):
            assert node.end_lineno is not None
            found.update(range(node.lineno, node.end_lineno + 1))
    return found


@cache
def _outlined_names() -> re.Pattern[str]:
    names = sorted({one.name for found in references().values() for one in found})
    return re.compile(rf"_(?:{'|'.join(names)})(?:_\d+)?")
