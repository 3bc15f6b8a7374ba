"""Which runs of three characters stand in the values that a model has seen: what of a new value is a copy, what is new.

The values of a long trace grow by little from frame to frame, so each change costs what differs, not what stays. What
this module does not do: decide what is shown (`analyze.risk.features`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

GRAM = 3


class Known:
    """The values by name that the last frames showed, and the runs of GRAM characters in them."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def get(self, name: str) -> str | None:
        """The last value shown for a name."""
        return self._texts.get(name)

    def unseen(self, shown: Mapping[str, str], besides: Collection[str]) -> int:
        """How many runs of these values, by name, stand in no known value and in none of the texts `besides`."""
        found = [gram for name, text in shown.items() for gram in self._changed(name, text) if not self._counts[gram]]
        if not found:
            return 0
        others = {gram for text in set(besides) for gram in grams(text)}
        return sum(gram not in others for gram in found)

    def learn(self, shown: Mapping[str, str]) -> None:
        """These values, by name, are known from now on; a name's earlier value no longer is."""
        for name, text in shown.items():
            before = self._texts.get(name, "")
            if before == text:
                continue
            kept, same = _shared(before, text)
            self._counts.update(_between(text, kept, same))
            for gram in _between(before, kept, same):
                self._counts[gram] -= 1
                if not self._counts[gram]:
                    del self._counts[gram]
            self._texts[name] = text

    def _changed(self, name: str, text: str) -> Iterator[str]:
        """The runs that do not lie wholly in what the text shares with the name's known value."""
        return _between(text, *_shared(self._texts.get(name, ""), text))


def grams(text: str) -> Iterator[str]:
    """Every run of GRAM characters."""
    return (text[at : at + GRAM] for at in range(len(text) - GRAM + 1))


def _shared(one: str, other: str) -> tuple[int, int]:
    """The lengths of the common start and of the common end, which do not overlap in either text."""
    most = min(len(one), len(other))
    start = _most(most, lambda size: one[:size] == other[:size])
    return start, _most(most - start, lambda size: one[len(one) - size :] == other[len(other) - size :])


def _most(most: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to `most` that holds, where all smaller ones do: slices compare faster than characters."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _between(text: str, start: int, end: int) -> Iterator[str]:
    """The runs that reach into what lies between the first `start` and the last `end` characters."""
    first = max(0, start - GRAM + 1)
    return (text[at : at + GRAM] for at in range(first, min(len(text) - end, len(text) - GRAM + 1)))
