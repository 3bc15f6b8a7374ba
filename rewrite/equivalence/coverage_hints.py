"""Inputs near those that came to a new place: what coverage suggests. Places are counted inside the sandbox."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from rewrite.equivalence.constants import Ideas
from rewrite.equivalence.coverage import Reached
from rewrite.equivalence.directed_inputs import Strict, directed
from rewrite.equivalence.literal_templates import template
from rewrite.equivalence.shrinking import variants

MOST_BASES = 6


def hinted(seen: Sequence[Reached], calls: Sequence[str], ideas: Ideas, strict: Strict, most: int) -> list[str]:
    """New calls, changed from those that first took some step of one of the programs; none where all was reached.

    seen: what `calls` reached of each program.
    """
    if all(_is_whole(counted) for counted in seen):
        return []
    first = sorted({number for counted in seen for number in counted.first}, reverse=True)
    bases = [calls[number] for number in first[:MOST_BASES]]
    known = {*calls}
    told = [directed([base], ideas, strict=strict) for base in bases]
    streams = [
        itertools.chain.from_iterable(zip(more, _varied(base), strict=False))
        for base, more in zip(bases, told, strict=True)
    ]
    rows = itertools.zip_longest(*streams)
    found = dict.fromkeys(call for row in rows for call in row if call is not None and call not in known)
    return [*found][:most]


def _is_whole(counted: Reached) -> bool:
    return not counted.not_lines and counted.taken == counted.branches


def _varied(base: str) -> Iterator[str]:
    """The call with one of its values a little simpler, over and over."""
    known = template(base)
    found = [known.filled(values) for values in variants(known.values)] or [base]
    return itertools.cycle(found)
