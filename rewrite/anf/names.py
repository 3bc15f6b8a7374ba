"""Fresh names for temporaries, anew in each scope: `_t0, _t1, …`, or readable ones such as `text_count`.

A name is never one that the source contains anywhere, as whatever it may be there, nor a builtin or keyword; so no
temporary can hide a variable that the program sees. At module level and in class bodies readable ones begin with an
underscore: not even `import *` brings such names. None begins with two (a class would mangle it).
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterator
from functools import cached_property
from itertools import chain, count, islice

_CANDIDATE = re.compile(r"\b_t\d+\b")
_RESERVED = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist})


class ModuleNames:
    """The names of temporaries of one module.

    >>> names = ModuleNames("_t1 = 0").of_scope()
    >>> names.fresh(), names.fresh()
    ('_t0', '_t2')
    >>> names = ModuleNames("text_count = 0", readable=True).of_scope()
    >>> names.fresh("text_count"), names.fresh("2_plus_x")
    ('text_count_2', 'value_2_plus_x')
    """

    def __init__(self, source: str, *, readable: bool = False) -> None:
        self._source = source
        self.readable = readable

    @cached_property
    def taken(self) -> frozenset[str]:
        """Names that are in use. Python reads identifiers in their NFKC form."""
        source = unicodedata.normalize("NFKC", self._source)
        if not self.readable:
            return frozenset(_CANDIDATE.findall(source))
        return _RESERVED | frozenset(re.findall(r"\w+", source))

    def outside(self, name: str) -> Iterator[str]:
        """Names for what is added to the module, like this one, that stand nowhere in its source."""
        words = frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", self._source)))
        numbered = chain([name], (f"{name}_{number}" for number in count(2)))
        return (one for one in numbered if one not in words)

    def of_scope(self, prefix: str = "") -> ScopeNames:
        """The names of one scope; `prefix` stands before readable ones."""
        return ScopeNames(self.taken, prefix if self.readable else None)


class ScopeNames:
    """The temporaries of one scope.

    given: their names, in order; kept: variables of comprehensions that became loops and kept their names.
    """

    def __init__(self, taken: frozenset[str], prefix: str | None) -> None:
        self._taken = taken
        self._prefix = prefix
        self.temporaries: dict[str, None] = {}
        self.loop_variables: dict[str, None] = {}
        self._numbers: dict[str, int] = {}

    @property
    def readable(self) -> bool:
        """Whether names are made from words."""
        return self._prefix is not None

    def fresh(self, words: str = "") -> str:
        """The next name; a readable one is made from `words` (letters, digits, underscores)."""
        name = self._short() if self._prefix is None else self._readable(self._prefix, words)
        self.temporaries[name] = None
        return name

    def _short(self) -> str:
        number = len(self.temporaries)  # at least so many are in use
        while (name := f"_t{number}") in self._taken or name in self.temporaries:
            number += 1
        return name

    def _readable(self, prefix: str, words: str) -> str:
        base = prefix + unicodedata.normalize("NFKC", words or "value").strip("_")
        if not base.isidentifier() or base.startswith("__"):
            base = f"{prefix}value_{words}" if f"{prefix}value_{words}".isidentifier() else f"{prefix}value"
        name, number = base, self._numbers.get(base, 1)  # all below that are in use, or were
        while name in self._taken or name in self.temporaries:
            number += 1
            name = f"{base}_{number}"
        self._numbers[base] = max(number - 1, 1)
        return name

    def mark(self) -> int:
        """How many there are, for `since` and `back`."""
        return len(self.temporaries)

    def since(self, mark: int) -> list[str]:
        """The names given since the mark, in order."""
        newest = list(islice(reversed(self.temporaries), len(self.temporaries) - mark))
        return newest[::-1]

    def roll_back(self, mark: int) -> None:
        """Forget the names given since the mark."""
        for name in self.since(mark):
            del self.temporaries[name]
        self._numbers.clear()
