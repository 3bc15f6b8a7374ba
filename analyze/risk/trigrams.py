"""Counts the character trigrams of shown values, to tell how much of a new value is copied and how much is new.

The values of a long trace change little from frame to frame, so an update costs what differs, not the whole value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

GRAM = 3


class KnownValues:
    """The last value shown for each name, and the trigrams in these values."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._counts: Counter[str] = Counter()

    def get(self, name: str) -> str | None:
        """Returns the last value shown for a name."""
        return self._texts.get(name)

    def count_new(self, shown: Mapping[str, str], besides: Collection[str]) -> int:
        """Counts the trigrams of these values, by name, that occur in no known value and in none of `besides`."""
        found = [gram for name, text in shown.items() for gram in self._changed(name, text) if not self._counts[gram]]
        if not found:
            return 0
        others = {gram for text in set(besides) for gram in grams(text)}
        return sum(gram not in others for gram in found)

    def learn(self, shown: Mapping[str, str]) -> None:
        """Records these values, by name; a name's earlier value is forgotten."""
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
        """Yields the trigrams that are not wholly in what the text shares with the name's known value."""
        return _between(text, *_shared(self._texts.get(name, ""), text))


def grams(text: str) -> Iterator[str]:
    """Yields every run of GRAM characters."""
    return (text[at : at + GRAM] for at in range(len(text) - GRAM + 1))


def _shared(one: str, other: str) -> tuple[int, int]:
    """Returns the lengths of the common prefix and suffix, which do not overlap in either string."""
    most = min(len(one), len(other))
    start = _most(most, lambda size: one[:size] == other[:size])
    return start, _most(most - start, lambda size: one[len(one) - size :] == other[len(other) - size :])


def _most(most: int, holds: Callable[[int], bool]) -> int:
    """Returns the largest size up to `most` for which `holds`, by bisection: slices compare faster than characters."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low


def _between(text: str, start: int, end: int) -> Iterator[str]:
    """Yields the trigrams that overlap the part between the first `start` and the last `end` characters."""
    first = max(0, start - GRAM + 1)
    return (text[at : at + GRAM] for at in range(first, min(len(text) - end, len(text) - GRAM + 1)))
