"""Instruments the source of a module for an observer."""

from __future__ import annotations

import ast
import builtins
from types import CodeType

from analyze.instrumentation.injection import calls_of_constants, inject
from analyze.instrumentation.observer import Observer
from analyze.instrumentation.probes import Probes
from analyze.instrumentation.transformer import Instrumenter

globals()["__builtins__"] = dict(vars(builtins))  # for the functions below; a program may replace its own


class Instrumentation:
    """A module whose evaluation an observer watches.

    source: of the module; it must parse. observer: is told what the code evaluates, from the first instruction on.
    spared: how many of the last statements stay as they are.

    Attributes:
        probes: To end the run, which tells the observer of operations that raised.

    """

    def __init__(self, source: str, observer: Observer, *, spared: int = 0) -> None:
        self._instrumenter = Instrumenter(source, observer)
        self._spared = spared
        self.probes = Probes(self._instrumenter.expressions, self._instrumenter.sites, observer)

    def transform(self, tree: ast.Module) -> ast.Module:
        """The tree of the source with placeholders for the probes; not to be executed before `inject`."""
        spared = [tree.body.pop() for _ in range(self._spared)]
        tree = self._instrumenter.visit(tree)
        tree.body += reversed(spared)
        return tree

    def inject(self, code: CodeType) -> CodeType:
        """The code of a transformed tree with the probes in it."""
        self.probes.ready()
        instrumenter = self._instrumenter
        return inject(
            code,
            {
                instrumenter.probe: self.probes.probe,
                instrumenter.probe_augmented: self.probes.probe_augmented,
            },
        )

    def compile(self, source: str, filename: str) -> CodeType:
        """The module's code. Raises SyntaxError where this interpreter does."""
        tree = self.transform(ast.parse(source, filename))
        # Not inherited: the `from __future__ import annotations` of this module is not the program's.
        with calls_of_constants():
            code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
        return self.inject(code)
