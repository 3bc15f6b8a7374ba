"""Which parts of a program can be left out of a rewrite, and how many tokens of the trace come from each."""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice, takewhile

from corpora.literals import parsed
from rewrite.anf.rewrite_result import Rewritten
from rewrite.cost.trace_tokens import TracedCall, count_frame_tokens
from rewrite.evidence.context import InterventionSite
from rewrite.syntax.character_offsets import character_offsets


def removable_spots(source: str, made: Rewritten) -> Iterator[InterventionSite]:
    """Comprehensions and lambdas with a change, string operations, and the outermost nested expressions.

    The changes of a rewrite without spans, such as that of the paper's tool, cannot be left out one by one.
    """
    if not made.spans:
        return
    spans = sorted({span for span in made.spans if span[1] > span[0]}, key=lambda span: (span[0], -span[1]))
    for start, end in _inner_scopes(source):
        if any(True for _ in _inside(start, end, spans)):
            yield InterventionSite(start, end)
    # A span is inside another one if one that begins before it, or where it does, ends no earlier.
    ends = [0, *accumulate((end for _, end in spans), max)]
    outermost = {span for span, end in zip(spans, ends, strict=False) if span[1] > end}
    for span, change in zip(made.spans, made.changes, strict=True):
        if change.intervention != "temporaries":
            yield InterventionSite(*span, change.intervention)
        elif span in outermost:
            yield InterventionSite(*span)


def spot_costs(source: str, made: Rewritten, run: TracedCall) -> dict[InterventionSite, int]:
    """The removable spots with the tokens of the frames that come from them, the most expensive first.

    A loop over characters precedes the expression that contains it, because the rest of the expression stays
    materialized without the loop.
    """
    offsets, totals = _tokens_by_offset(source, made, run)
    costs = {
        spot: totals[bisect_left(offsets, spot.end)] - totals[bisect_left(offsets, spot.start)]
        for spot in removable_spots(source, made)
    }
    loops = sorted(spot[:2] for spot, tokens in costs.items() if tokens and spot.intervention)
    found = [
        spot
        for spot, tokens in costs.items()
        if tokens and (spot.intervention or not any(True for _ in _inside(spot.start, spot.end, loops)))
    ]
    return {spot: costs[spot] for spot in sorted(found, key=lambda spot: (-costs[spot], spot))}


def _tokens_by_offset(source: str, made: Rewritten, run: TracedCall) -> tuple[list[int], list[int]]:
    """The source offsets that frames come from, in order, and the cumulated tokens before each and at the end."""
    starts = [0, *accumulate(len(line) + 1 for line in source.split("\n"))]
    offsets = [starts[min(at.line, len(starts)) - 1] + at.column - 1 for at in made.positions]
    tokens: defaultdict[int, int] = defaultdict(int)
    for frame, line in zip(run.trace.frames, run.trace.lines, strict=False):
        if 1 <= line <= len(offsets):
            tokens[offsets[line - 1]] += count_frame_tokens([frame])
    known = sorted(tokens)
    return known, list(accumulate((tokens[offset] for offset in known), initial=0))


def _inside(start: int, end: int, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans inside [start, end). spans: sorted by their start."""
    first = bisect_left(spans, start, key=lambda span: span[0])
    begun = takewhile(lambda span: span[0] <= end, islice(spans, first, None))
    return (span for span in begun if span[1] <= end)


def _inner_scopes(source: str) -> Iterator[tuple[int, int]]:
    offset = character_offsets(source)
    # LibCST reads more than this Python.
    for node in ast.walk(parsed(source) or ast.Module([], [])):
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda):
            assert node.end_lineno is not None and node.end_col_offset is not None
            yield offset(node.lineno, node.col_offset), offset(node.end_lineno, node.end_col_offset)
