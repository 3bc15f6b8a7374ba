"""Building blocks of the grammar: expressions with their precedence, scopes, and the registry of productions.

The building blocks know Python's syntax, not its semantics. The productions are in the sibling modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from hypothesis import strategies as st

LABEL = "§"
"""Placeholder for the number of a logged operand; `rewrite.testing` replaces it in the complete program."""

KINDS = ("int", "bool", "str", "list", "dict", "iterable", "any")
SUSPENDING = {"yield": 4, "await": 4}
VARIABLES_BY_KIND = {"int": ("a", "b"), "str": ("s", "u"), "list": ("p", "q"), "dict": ("d",)}
"""Variables by kind. A variable never changes its kind, so that shrinking can delete any statement."""


@dataclass(frozen=True)
class GeneratedExpression:
    """The source of an expression and its precedence.

    Attributes:
        text: The source.
        level: The precedence: 0 walrus, 1 ternary and lambda, 2 or, 3 and, 4 not, 5 comparison, 6 |, 7 ^, 8 &,
            9 shifts, 10 + -, 11 * / // %, 12 unary, 13 **, 14 await, 15 atoms, calls and subscripts.
    """

    text: str
    level: int = 15

    def at(self, level: int) -> str:
        """The source as an operand of an operator with precedence `level`, in parentheses if necessary.

        >>> GeneratedExpression("a + b", 10).at(11)
        '(a + b)'
        """
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True)
class GrammarScope:
    """The context of a production: which names it may read and which syntax is legal.

    Attributes:
        features: The language features to use.
        depth: How many levels expressions and statements may still nest.
        names: Readable variables by kind.
        extra: Integer variables of enclosing comprehensions.
        walrus: Whether assignment expressions are legal.
        suspend: Which of "yield" and "await" are legal.
        fstring: Whether an f-string is legal; before Python 3.12, not inside another one with the same quotes.
        loop: Whether `break` and `continue` are legal.
    """

    features: frozenset[str] = field(repr=False)
    depth: int = 2
    names: tuple[tuple[str, tuple[str, ...]], ...] = tuple(VARIABLES_BY_KIND.items())
    extra: tuple[str, ...] = ()
    walrus: bool = True
    suspend: frozenset[str] = frozenset()
    fstring: bool = True
    loop: bool = False

    def deeper(self) -> GrammarScope:
        """The scope with one level of nesting less."""
        return replace(self, depth=self.depth - 1)

    def closed(self, *kinds: str) -> GrammarScope:
        """The scope without variables of these kinds (default: all kinds that can grow), which keeps values small."""
        kinds = kinds or ("str", "list", "dict")
        return replace(self, names=tuple((kind, names) for kind, names in self.names if kind not in kinds))

    def comprehension(self, *variables: str) -> GrammarScope:
        """The scope inside a comprehension with these integer variables, without `await` and `yield`."""
        return replace(self, extra=(*self.extra, *variables), suspend=frozenset(), depth=self.depth - 1)

    def readable(self, kind: str) -> tuple[str, ...]:
        """The readable variables of a kind."""
        return dict(self.names).get(kind, ()) + (self.extra if kind == "int" else ())

    def allows(self, feature: str) -> bool:
        """Whether a language feature may be used."""
        return feature in self.features


Form = Callable[[st.DrawFn, GrammarScope], GeneratedExpression]
FORMS: dict[str, list[tuple[str, Form]]] = {kind: [] for kind in KINDS}
T = TypeVar("T", bound=Form)


def form(feature: str, *kinds: str) -> Callable[[T], T]:
    """Register a production for expressions of these kinds that requires `feature`."""

    def register(function: T) -> T:
        for kind in kinds:
            FORMS[kind].append((feature, function))
        return function

    return register


@st.composite
def expression(draw: st.DrawFn, kind: str, scope: GrammarScope) -> GeneratedExpression:
    """An expression of a kind. The simplest productions come first, so that shrinking ends with them."""
    if kind == "any":
        kind = draw(st.sampled_from([kind for kind in KINDS if kind != "iterable" and FORMS[kind]] + ["any"]))
    allowed = [
        production
        for feature, production in FORMS[kind]
        if feature in ("leaf", "variable") or (scope.depth > 0 and scope.allows(feature))
        # Where `yield` or `await` is legal, it is drawn more often than other forms.
        for _ in range(SUSPENDING[feature] if feature in scope.suspend else feature not in SUSPENDING)
    ]
    return draw(st.sampled_from(allowed))(draw, scope.deeper())


def logged(value: object) -> str:
    """A leaf that logs its number: `t(3, 'ab')` in the complete program."""
    return f"t({LABEL}, {value!r})"


def indent(lines: Iterable[str]) -> list[str]:
    """The lines indented by four spaces."""
    return ["    " + line if line else line for line in lines]
