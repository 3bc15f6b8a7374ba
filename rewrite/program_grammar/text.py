"""Building blocks of the grammar: an expression with its precedence, the scope it stands in, and the table of forms.

Knows Python's syntax, not what programs mean; the productions stand in the sibling modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hypothesis import strategies as st

LABEL = "§"
"""Stands for the number of a logged operand until the whole program is known; see `rewrite.testing`."""

KINDS = ("int", "bool", "str", "list", "dict", "iterable", "any")
SUSPENDING = {"yield": 4, "await": 4}
POOL = {"int": ("a", "b"), "str": ("s", "u"), "list": ("p", "q"), "dict": ("d",)}
"""Every variable has one kind for its whole life, so statements can be deleted freely while shrinking."""


@dataclass(frozen=True)
class Expression:
    """Source text and how tightly it binds.

    level: 0 walrus, 1 ternary and lambda, 2 or, 3 and, 4 not, 5 comparison, 6 |, 7 ^, 8 &, 9 shifts, 10 + -,
    11 * / // %, 12 unary, 13 **, 14 await, 15 atoms, calls and subscripts.
    """

    text: str
    level: int = 15

    def at(self, level: int) -> str:
        """The text as an operand of something that binds at `level`.

        >>> Expression("a + b", 10).at(11)
        '(a + b)'
        """
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class Scope:
    """What may be written at a place: how deep it may still nest, which names are readable, which forms are legal."""

    features: frozenset[str] = field(repr=False)
    depth: int = 2
    names: tuple[tuple[str, tuple[str, ...]], ...] = tuple(POOL.items())
    extra: tuple[str, ...] = ()  # int variables of enclosing comprehensions
    walrus: bool = True
    suspend: frozenset[str] = frozenset()  # "yield", "await": where they are legal
    fstring: bool = True  # before 3.12 an f-string cannot stand in another with the same quotes
    loop: bool = False

    def deeper(self) -> Scope:
        """With one level less to nest."""
        return replace(self, depth=self.depth - 1)

    def closed(self, *kinds: str) -> Scope:
        """Without variables of these kinds (all growing kinds if none is named): what keeps values small."""
        kinds = kinds or ("str", "list", "dict")
        return replace(self, names=tuple((kind, names) for kind, names in self.names if kind not in kinds))

    def comprehension(self, *variables: str) -> Scope:
        """Inside a comprehension with these int variables, where nothing is awaited or yielded."""
        return replace(self, extra=(*self.extra, *variables), suspend=frozenset(), depth=self.depth - 1)

    def readable(self, kind: str) -> tuple[str, ...]:
        """The names of variables of this kind."""
        return dict(self.names).get(kind, ()) + (self.extra if kind == "int" else ())

    def allows(self, feature: str) -> bool:
        """Whether a feature of the language was asked for."""
        return feature in self.features


Form = Callable[[st.DrawFn, Scope], Expression]
FORMS: dict[str, list[tuple[str, Form]]] = {kind: [] for kind in KINDS}
T = TypeVar("T", bound=Form)


def form(feature: str, *kinds: str) -> Callable[[T], T]:
    """Register a production: it makes expressions of these kinds and is used where `feature` is allowed."""

    def register(function: T) -> T:
        for kind in kinds:
            FORMS[kind].append((feature, function))
        return function

    return register


@st.composite
def expression(draw: st.DrawFn, kind: str, scope: Scope) -> Expression:
    """An expression of a kind; the first forms are the simplest, so shrinking ends there."""
    if kind == "any":
        kind = draw(st.sampled_from([kind for kind in KINDS if kind != "iterable" and FORMS[kind]] + ["any"]))
    allowed = [
        production
        for feature, production in FORMS[kind]
        if feature in ("leaf", "variable") or (scope.depth > 0 and scope.allows(feature))
        # Where suspending is legal it is what the place is for, so it comes more often than other forms.
        for _ in range(SUSPENDING[feature] if feature in scope.suspend else feature not in SUSPENDING)
    ]
    return draw(st.sampled_from(allowed))(draw, scope.deeper())


def logged(value: object) -> str:
    """A leaf that writes its number to the log: `t(3, 'ab')` in the finished program."""
    return f"t({LABEL}, {value!r})"


def indent(lines: Iterable[str]) -> list[str]:
    """The lines four columns further in."""
    return ["    " + line if line else line for line in lines]
