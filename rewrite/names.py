"""Fresh names for temporaries: `_t0, _t1, …`, anew in each scope, never one that the source contains anywhere."""

from __future__ import annotations

import re

_CANDIDATE = re.compile(r"\b_t\d+\b")


class Names:
    """The names of temporaries of one module.

    >>> names = Names("_t1 = 0").of_scope()
    >>> names.fresh(), names.fresh()
    ('_t0', '_t2')
    """

    def __init__(self, source: str) -> None:
        self.taken = frozenset(_CANDIDATE.findall(source))

    def of_scope(self) -> ScopeNames:
        return ScopeNames(self.taken)


class ScopeNames:
    """Counts the temporaries of one scope."""

    def __init__(self, taken: frozenset[str]) -> None:
        self._taken = taken
        self.count = 0
        self.given: set[str] = set()

    def fresh(self) -> str:
        while True:
            name = f"_t{self.count}"
            self.count += 1
            if name not in self._taken:
                self.given.add(name)
                return name

    def made(self, since: int) -> list[str]:
        """The names given since the counter stood at `since`."""
        return [name for n in range(since, self.count) if (name := f"_t{n}") in self.given]
