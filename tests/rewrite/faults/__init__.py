"""A corpus of rewrites: each original with a correct rewrite, and the same rewrite with one thing wrong in it.

Checkers of equivalence are measured on it (`python bench/compare_checkers.py`). Every program is harmless: it ends,
and touches nothing but itself. Parameters are annotated, because some checkers take their inputs from there.
"""

from __future__ import annotations

import importlib
import pkgutil
import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """`before` and `right` do the same; `wrong` is `right` with `slip[0]` replaced by `slip[1]`, and does not."""

    name: str
    kind: str
    calls: tuple[str, ...]
    before: str
    right: str
    slip: tuple[str, str]

    @property
    def wrong(self) -> str:
        old, new = self.slip
        if self.right.count(old) != 1:
            raise ValueError(f"{self.name}: the place of the slip is found {self.right.count(old)} times")
        return self.right.replace(old, new)


def fault(name: str, kind: str, call: str | tuple[str, ...], before: str, right: str, old: str, new: str) -> Fault:
    """A Fault whose programs may be written indented."""
    calls = (call,) if isinstance(call, str) else call
    texts = [textwrap.dedent(text).strip("\n") + "\n" for text in (before, right)]
    return Fault(name, kind, calls, texts[0], texts[1], (old, new))


def corpus() -> list[Fault]:
    """All faults, by the module they stand in."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__))
    return [found for name in modules for found in importlib.import_module(f"{__name__}.{name}").FAULTS]
