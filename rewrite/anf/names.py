"""Fresh names for temporaries, per scope: `_t0, _t1, …`, or readable ones such as `text_count`.

A name never occurs in the source, in whatever role, and is not a builtin or keyword. No temporary can therefore hide a
variable that the program sees. Readable names at module level and in class bodies begin with an underscore, so that
`import *` does not import them; none begins with two, since a class would mangle it.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import chain, count, islice

TEMPORARY = re.compile(r"\b_t\d+\b")
_RESERVED = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist})


class ModuleNames:
    """The names of the temporaries of one module.

    Example:
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
        """The names in use, in NFKC form, which Python compares."""
        source = unicodedata.normalize("NFKC", self._source)
        if not self.readable:
            return frozenset(TEMPORARY.findall(source))
        return _RESERVED | frozenset(re.findall(r"\w+", source))

    def outside(self, name: str) -> Iterator[str]:
        """Yield names like this one for an addition to the module that do not occur in its source."""
        words = frozenset(re.findall(r"\w+", unicodedata.normalize("NFKC", self._source)))
        numbered = chain([name], (f"{name}_{number}" for number in count(2)))
        return (one for one in numbered if one not in words)

    def of_scope(self, prefix: str = "", parameters: Collection[str] = ()) -> ScopeNames:
        """Return the names of one scope.

        Args:
            prefix: how readable names begin.
            parameters: other names that are in use, such as those of the parameters of a function that a rewrite added.
        """
        return ScopeNames(self.taken.union(parameters), prefix if self.readable else None)


class ScopeNames:
    """The temporaries of one scope.

    Attributes:
        temporaries: their names, in order of creation.
        loop_variables: variables of lowered comprehensions that kept their names.
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
        """Return the next name; a readable one is made from `words` (letters, digits, underscores)."""
        name = self._short() if self._prefix is None else self._readable(self._prefix, words)
        self.temporaries[name] = None
        return name

    def _short(self) -> str:
        number = len(self.temporaries)  # at least this many are in use
        while (name := f"_t{number}") in self._taken or name in self.temporaries:
            number += 1
        return name

    def _readable(self, prefix: str, words: str) -> str:
        base = prefix + unicodedata.normalize("NFKC", words or "value").strip("_")
        if not base.isidentifier() or base.startswith("__"):
            base = f"{prefix}value_{words}" if f"{prefix}value_{words}".isidentifier() else f"{prefix}value"
        name, number = base, self._numbers.get(base, 1)  # all lower numbers are in use
        while name in self._taken or name in self.temporaries:
            number += 1
            name = f"{base}_{number}"
        self._numbers[base] = max(number - 1, 1)
        return name

    def mark(self) -> int:
        """Return a mark for `since`."""
        return len(self.temporaries)

    def since(self, mark: int) -> list[str]:
        """Return the names created since the mark, in order."""
        newest = list(islice(reversed(self.temporaries), len(self.temporaries) - mark))
        return newest[::-1]
