"""The local names that are definitely assigned at a point of a scope.

Names that a block binds are dropped at the end of the block. Nothing is copied for that, so that the cost per statement
does not grow with the length of the scope.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager


class BoundNames(Container[str]):
    """A set of names with nested blocks.

    Example:
        >>> names = BoundNames(["a"])
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
        """Mark a name as bound until the end of the block."""
        self._layers[-1].add(name)

    def update(self, names: Iterable[str]) -> None:
        """Mark names as bound until the end of the block."""
        self._layers[-1].update(names)

    @contextmanager
    def block(self) -> Iterator[set[str]]:
        """Enter a block that may not run; yields the set of names bound in it."""
        self._layers.append(set())
        try:
            yield self._layers[-1]
        finally:
            self._layers.pop()
