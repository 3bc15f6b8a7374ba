"""What a trace costs in tokens: per frame, per variable, and from which frame on it no longer fits.

What this module does not do: shorten anything.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from analyze.frames import Frame, frames_to_ids
from analyze.tokenizer import Tokenizer, default_tokenizer


@dataclass(frozen=True)
class Budget:
    """Token counts of a trace.

    frames: tokens of each frame; variables: tokens of all the values shown for each name (".." included), largest
    first; total: of the whole trace. What is left of the total is separators, names, punctuation, sources, results.
    """

    frames: tuple[int, ...]
    variables: tuple[tuple[str, int], ...]
    total: int

    def fits(self, tokens: int) -> bool:
        """Whether the whole trace is within this many tokens."""
        return self.total <= tokens

    def cut_at(self, tokens: int) -> int | None:
        """The index of the first frame that this many tokens do not reach the end of; None where all fit."""
        reached = accumulate(self.frames)
        return next((index for index, total in enumerate(reached) if total > tokens), None)


def budget(frames: Sequence[Frame], tokenizer: Tokenizer | None = None) -> Budget:
    """The budget of a trace in a vocabulary (default: Llama-3's). Raises InputError where it lacks a special token."""
    vocabulary = tokenizer or default_tokenizer()
    costs = tuple(len(frames_to_ids([frame], vocabulary)) for frame in frames)
    spent: Counter[str] = Counter()
    for frame in frames:
        for name, shown in frame.state or ():
            spent[name] += len(vocabulary.encode(json.dumps(shown)))
    return Budget(costs, tuple(spent.most_common()), sum(costs))
