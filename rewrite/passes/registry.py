"""All shortening passes, found by folder: their candidates for a source, and applying one."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from types import ModuleType

from corpora.literals import UNPARSABLE, compile_quietly, parse_quietly
from rewrite.analysis.observers import docstrings
from rewrite.anf.intervention import StatementIntervention
from rewrite.evidence.gather import Evidence
from rewrite.passes import shortening
from rewrite.passes.candidate import EditedSource, PassCandidate, apply_edits
from rewrite.passes.parsed_program import ParsedProgram, parse_program
from rewrite.passes.statement_candidates import statement_candidates

Find = Callable[[ParsedProgram], Iterator[PassCandidate]]


@cache
def _finders() -> dict[str, Find]:
    found = sorted(module.name for module in pkgutil.iter_modules(shortening.__path__))
    return {name: _finder(importlib.import_module(f"{shortening.__name__}.{name}")) for name in found}


def _finder(module: ModuleType) -> Find:
    """The function `find` of a module, or the candidates of its statement intervention."""
    interventions = [
        one
        for one in vars(module).values()
        if isinstance(one, type) and issubclass(one, StatementIntervention) and one.__module__ == module.__name__
    ]
    found: Find = partial(statement_candidates, interventions[0]) if interventions else module.find
    return found


def pass_names() -> tuple[str, ...]:
    """The names of all shortening passes, in alphabetical order."""
    return tuple(_finders())


def find_candidates(
    source: str, calls: Sequence[str] = (), only: Sequence[str] = (), evidence: Evidence | None = None
) -> Iterator[PassCandidate]:
    """Every place where a pass can be applied, by pass, then by position.

    A source that does not parse, or that contains form feeds, has no candidates.

    Args:
        source: The program.
        calls: Calls; passes may assume what all of them show.
        only: Names of passes (default: all).
        evidence: What the calls show, if it is known.

    Raises:
        KeyError: `only` has a name that is no pass.
    """
    program = parse_program(source, calls, evidence)
    if program is None:
        return
    before = docstrings(ast.parse(source))
    for name in only or pass_names():
        for candidate in _finders()[name](program):
            if _is_sound(apply_edits(source, candidate.edits).source, before):
                yield replace(candidate, name=name)


def apply_candidate(source: str, candidate: PassCandidate) -> EditedSource:
    """The source after a pass. Raises ValueError if the candidate was found in another source."""
    if len(source) != candidate.size:
        raise ValueError(f"{candidate.name} at line {candidate.line} was found in another source")
    return apply_edits(source, candidate.edits)


def _is_sound(source: str, before: Counter[str]) -> bool:
    """Whether the new source compiles and has the same docstrings."""
    try:
        compile_quietly(source)
        tree = parse_quietly(source)
    except UNPARSABLE:
        return False
    return docstrings(tree) == before
