"""The candidates of all savings for a source, and one of them applied."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from rewrite.analysis.observers import docstrings
from rewrite.passes import shortening
from rewrite.passes.candidate import EditedSource, PassCandidate, apply_edits
from rewrite.passes.parsed_program import ParsedProgram, parse_program

Find = Callable[[ParsedProgram], Iterator[PassCandidate]]


@cache
def _finders() -> dict[str, Find]:
    found = sorted(module.name for module in pkgutil.iter_modules(shortening.__path__))
    return {name: importlib.import_module(f"{shortening.__name__}.{name}").find for name in found}


def pass_names() -> tuple[str, ...]:
    """The savings that there are, by name."""
    return tuple(_finders())


def find_candidates(source: str, calls: Sequence[str] = (), only: Sequence[str] = ()) -> Iterator[PassCandidate]:
    """Every place where a saving can be applied, saving by saving, in the order of the text.

    calls: what they show may be assumed. only: names of savings, if not all are wanted; KeyError for one that there is
    not. A source that does not parse, or is read otherwise than written (form feeds), has none.
    """
    program = parse_program(source, calls)
    if program is None:
        return
    before = docstrings(ast.parse(source))
    for name in only or pass_names():
        for candidate in _finders()[name](program):
            if _is_sound(apply_edits(source, candidate.edits).source, before):
                yield replace(candidate, name=name)


def apply_candidate(source: str, saving: PassCandidate) -> EditedSource:
    """The source with a saving made. Raises ValueError for another source than it is offered for."""
    if len(source) != saving.size:
        raise ValueError(f"{saving.name} at line {saving.line} is offered for another text")
    return apply_edits(source, saving.edits)


def _is_sound(source: str, before: Counter[str]) -> bool:
    """Whether a new text compiles, and what was a docstring before is one now; nothing else is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            compile(source, "<saved>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return docstrings(tree) == before
