"""An example of a hazard as text: the operation, the tokens, and the reason."""

from __future__ import annotations

from collections.abc import Iterator

from analyze.hazards.base import Hazard, HazardExample
from analyze.tokens.token_strips import token_strip


def example_lines(kind: Hazard, example: HazardExample) -> Iterator[str]:
    """Yields the lines of an example, or of a near miss: the operation, the tokens, and the reason if it is found."""
    batch = example.batch()
    placed = batch.texts if kind.looks_at == "text" else batch.queries.placed
    start, end = example.spans[0] if example.spans else (0, 0)
    given = repr(example.pattern) if example.pattern else ""
    asked = f"  {example.method}({given})" if given or example.method else ""
    above, below = token_strip(placed.written[0], placed.tokens.boundaries(0), *placed.bytes_of(0, start, end))
    yield f"{example.context}{asked}"
    yield f"  {above}"
    if example.spans:
        yield f"  {below}"
        yield f"  {kind.why(batch, 0, start, end)}"
