"""Aligns the frames of an output with those of the reference trace, so that both can be shown side by side.

Up to the first divergence, frames correspond by index, as in `analyze.diagnosis.divergence`. After it, the output may
have more or fewer frames than the reference: frames then correspond if they have the same event and source line, in
the order that leaves the fewest frames alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from analyze.diagnosis.divergence import DivergenceKind, frame_difference
from analyze.gold_trace.frames import Frame

MAX_MATCHED = 2_000
"""Longer rests of traces are aligned by index: matching takes time quadratic in their length."""


@dataclass(frozen=True)
class AlignedFrame:
    """A frame of the reference trace and the corresponding frame of the output.

    Attributes:
        reference: index in the reference trace, from 0; None if the output has a frame too many.
        predicted: index in the output, from 0; None if the output lacks the frame.
        kind: what differs; None if nothing does.
    """

    reference: int | None
    predicted: int | None
    kind: DivergenceKind | None


def align(reference: Sequence[Frame], predicted: Sequence[Frame], *, stripped: bool = False) -> list[AlignedFrame]:
    r"""Returns the frames of both traces in order, each with its counterpart.

    Args:
        reference: frames of the reference trace.
        predicted: frames of the output.
        stripped: whether the special tokens of the output are missing (`ParsedOutput.stripped`).

    Example:
        >>> frames = [Frame("line", f"{name} = 1\n", ()) for name in "abc"]
        >>> [(one.reference, one.predicted, one.kind) for one in align(frames, frames[:2])]
        [(0, 0, None), (1, 1, None), (2, None, 'event')]
    """
    return [
        AlignedFrame(
            one,
            other,
            "event" if one is None or other is None else frame_difference(reference[one], predicted[other], stripped),
        )
        for one, other in _pairs(reference, predicted, stripped)
    ]


def _pairs(
    reference: Sequence[Frame], predicted: Sequence[Frame], stripped: bool
) -> Iterator[tuple[int | None, int | None]]:
    both = min(len(reference), len(predicted))
    same = next((i for i in range(both) if frame_difference(reference[i], predicted[i], stripped)), both)
    start = min(same + 1, both)  # the first divergence is a pair too
    yield from ((i, i) for i in range(start))
    rests = [
        [("" if stripped else frame.event, frame.source) for frame in frames[start:]]
        for frames in (reference, predicted)
    ]
    if max(map(len, rests)) > MAX_MATCHED:
        yield from _spans(start, len(reference), start, len(predicted))
        return
    for _, i, i_end, j, j_end in SequenceMatcher(None, rests[0], rests[1], autojunk=False).get_opcodes():
        yield from _spans(start + i, start + i_end, start + j, start + j_end)


def _spans(i: int, i_end: int, j: int, j_end: int) -> Iterator[tuple[int | None, int | None]]:
    """Pairs two ranges of frames by index; the longer one has frames without a counterpart at its end."""
    for step in range(max(i_end - i, j_end - j)):
        yield i + step if i + step < i_end else None, j + step if j + step < j_end else None
