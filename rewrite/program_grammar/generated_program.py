"""A generated program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A generated program.

    Attributes:
        source: the source of a module.
        calls: calls to its entry function `f`, each with literal arguments.
    """

    source: str
    calls: tuple[str, ...]

    def __repr__(self) -> str:
        return f'Program("""\\\n{self.source}""", calls={self.calls!r})'
