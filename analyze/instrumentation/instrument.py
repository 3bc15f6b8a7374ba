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
    """A module instrumented for an observer.

    Args:
        source: The source of the module; it must parse.
        observer: Receives what the code evaluates, from the first instruction on.
        spared: How many of the last statements are not instrumented.

    Attributes:
        probes: Ends the run, which reports operations that raised to the observer.
    """

    def __init__(self, source: str, observer: Observer, *, spared: int = 0) -> None:
        self._instrumenter = Instrumenter(source, observer)
        self._spared = spared
        self.probes = Probes(self._instrumenter.expressions, self._instrumenter.sites, observer)

    def transform(self, tree: ast.Module) -> ast.Module:
        """Returns the tree with placeholders for the probes; it must not be run before `inject`."""
        spared = [tree.body.pop() for _ in range(self._spared)]
        tree = self._instrumenter.visit(tree)
        tree.body += reversed(spared)
        return tree

    def inject(self, code: CodeType) -> CodeType:
        """Returns the code of a transformed tree with its probes."""
        self.probes.ready()
        marks, probes = self._instrumenter, self.probes
        return inject(code, {marks.probe: probes.probe, marks.probe_augmented: probes.probe_augmented})

    def compile(self, source: str, filename: str) -> CodeType:
        """Compiles the module with its probes. Raises SyntaxError exactly where this interpreter does."""
        tree = self.transform(ast.parse(source, filename))
        # Not inherited: the `from __future__ import annotations` of this module is not the program's.
        with calls_of_constants():
            code: CodeType = compile(tree, filename, "exec", dont_inherit=True)
        return self.inject(code)
