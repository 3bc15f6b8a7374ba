"""The repr of a long list, known from the list's last repr where that is certain.

A program shows a list of thousands of items at each of its steps, and most steps leave the list alone or append to it.
The tracer loads this module inside the sandbox's worker, so it imports the standard library only.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable
from itertools import chain
from operator import is_

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own

# The repr of these types never fails (except for long ints), never changes and holds no address.
# Compared by identity: a metaclass may define its own `__eq__` and `__hash__`.
PLAIN = frozenset(map(id, (int, float, bool, str, bytes, complex, type(None))))
_PLAIN_OR_TUPLE = PLAIN | {id(tuple)}


class LongListRepr:
    """The repr of the values of one variable, fast for a list of immutable items that grows at its end.

    The same items have the same repr: they are compared by identity, and their types are exact builtins.
    """

    __slots__ = ("_items", "_text")

    def __init__(self) -> None:
        self._items: list[object] = []
        self._text = ""

    def show(self, value: object) -> str:
        """Returns `repr(value)`, and raises what it raises.

        >>> shown, squares = LongListRepr(), [(1, 1), (2, 4)]
        >>> shown.show(squares), squares.append((3, 9)), shown.show(squares)
        ('[(1, 1), (2, 4)]', None, '[(1, 1), (2, 4), (3, 9)]')
        """
        items, self._items = self._items, []
        if type(value) is not list:
            return repr(value)
        known = len(items)
        is_extended = 0 < known <= len(value) and all(map(is_, items, value))
        new = value[known:] if is_extended else value
        if not _are_immutable(new):
            return repr(value)
        if not is_extended:
            self._text = repr(value)
        elif new:
            self._text = f"{self._text[:-1]}, {repr(new)[1:]}"
        self._items = value[:]
        return self._text


def _are_immutable(items: Iterable[object]) -> bool:
    """Whether all items are of plain types, or tuples of such items."""
    if not _types(items) <= _PLAIN_OR_TUPLE:
        return False
    return _types(chain.from_iterable(item for item in items if type(item) is tuple)) <= PLAIN


def _types(items: Iterable[object]) -> set[int]:
    return set(map(id, map(type, items)))
