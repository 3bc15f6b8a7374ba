"""The local names that certainly have a value at a point of a scope, block within block.

What a block binds is forgotten at its end; nothing is copied for that, so that a scope of thousands of statements costs
no more a statement than a short one.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager


class Bound(Container[str]):
    """A set of names that blocks add to.

    >>> names = Bound(["a"])
    >>> with names.block() as inner:
    ...     names.add("b")
    ...     "a" in names, "b" in names, inner
    (True, True, {'b'})
    >>> "b" in names
    False
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._layers = [set(names)]

    def __contains__(self, name: object) -> bool:
        return any(name in layer for layer in self._layers)

    def add(self, name: str) -> None:
        """The name has a value from here to the end of the block."""
        self._layers[-1].add(name)

    def update(self, names: Iterable[str]) -> None:
        """The names have."""
        self._layers[-1].update(names)

    @contextmanager
    def block(self) -> Iterator[set[str]]:
        """A block that may not run; gives the names that are bound in it."""
        self._layers.append(set())
        try:
            yield self._layers[-1]
        finally:
            self._layers.pop()
