"""The scope of a part of a program: what it may read, and which syntax is legal."""

from __future__ import annotations

from dataclasses import dataclass

from rewrite.program_grammar.hole_context import HoleContext

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class GrammarScope:
    """The scope of a statement or an expression.

    Attributes:
        readable: The variables that may be read.
        depth: How many levels statements and expressions may still nest.
        bound: Integer variables of enclosing comprehensions, functions and lambdas.
        legal: The syntax that not every place allows: "walrus", "yield", "await", "loop" (`break` and `continue`),
            "fstring" (before Python 3.12, not inside another one).
    """

    readable: frozenset[str]
    depth: int = 2
    bound: tuple[str, ...] = ()
    legal: frozenset[str] = frozenset({"walrus", "fstring"})

    def deeper(self) -> GrammarScope:
        """The scope with one level of nesting less."""
        return GrammarScope(self.readable, self.depth - 1, self.bound, self.legal)

    def at(self, context: HoleContext, unread: frozenset[str] = NONE, illegal: frozenset[str] = NONE) -> GrammarScope:
        """The scope of a hole with this context, where some variables are not read and more syntax is illegal."""
        readable = self.readable if context.readable is None else self.readable & context.readable
        legal = ((self.legal - context.illegal) | context.legal) - illegal
        return GrammarScope(readable - unread, self.depth - context.inner, (*self.bound, *context.bound), legal)
