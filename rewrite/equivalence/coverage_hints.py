"""Coverage-guided inputs: variations of the calls that were the first to reach some code."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from rewrite.equivalence.call_templates import call_template
from rewrite.equivalence.coverage import Coverage
from rewrite.equivalence.directed_inputs import AnnotatedPlaces, directed_calls
from rewrite.equivalence.input_hints import InputHints
from rewrite.equivalence.observation import LOAD_ONLY
from rewrite.equivalence.shrinking import variants

MAX_BASE_CALLS = 6


def coverage_guided_calls(
    seen: Sequence[Coverage], calls: Sequence[str], hints: InputHints, annotated: AnnotatedPlaces, most: int
) -> list[str]:
    """Return new calls derived from those that were the first to take some step of one of the programs.

    Args:
        seen: The coverage of each program under `calls`.
        calls: The calls that were run.
        hints: Input hints, which become arguments of the new calls.
        annotated: For each argument of a call, whether it has to keep its type.
        most: The maximum number of new calls.

    Returns:
        The new calls; none if coverage is complete.
    """
    if all(counted.is_complete for counted in seen):
        return []
    first = sorted({number for counted in seen for number in counted.calls_with_new_steps}, reverse=True)
    bases = [calls[number] for number in first if calls[number] != LOAD_ONLY][:MAX_BASE_CALLS]
    known = {*calls}
    directed = [directed_calls([base], hints, annotated=annotated) for base in bases]
    streams = [
        itertools.chain.from_iterable(zip(more, _simplified_calls(base), strict=False))
        for base, more in zip(bases, directed, strict=True)
    ]
    rows = itertools.zip_longest(*streams)
    found = dict.fromkeys(call for row in rows for call in row if call is not None and call not in known)
    return [*found][:most]


def _simplified_calls(base: str) -> Iterator[str]:
    """Cycle through the call with one of its arguments simplified."""
    known = call_template(base)
    found = [known.fill(values) for values in variants(known.values)] or [base]
    return itertools.cycle(found)
