"""Renaming of local variables: a long name like `new_distance` costs tokens in every frame from its binding on.

Only variables that may be renamed (`rewrite.analysis.legality`). A name of one token stays, since one letter costs as
much.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

import libcst as cst

from analyze.tokens.tokenizer import default_tokenizer
from rewrite.analysis.legality import FunctionLocals
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import ParsedProgram
from rewrite.syntax.tree import walk

MOST_KEPT = 2
"""Names with at most this many characters stay."""


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """One candidate a function, for all of its long names.

    Example:
        >>> from rewrite.passes import apply_candidate, find_candidates
        >>> source = "def f(n):\\n    new_distance = n + 1\\n    return new_distance\\n"
        >>> [candidate] = find_candidates(source, only=["local_renaming"])
        >>> print(apply_candidate(source, candidate).source, end="")
        def f(n):
            a = n + 1
            return a
    """
    for function in program.functions:
        if function.scope.reflection or program.is_kept(function.node):
            continue
        names = _shorter(function)
        edits = [
            Edit(*program.offsets(mention.node), short)
            for name, short in names.items()
            for mention in function.references[name]
        ]
        if edits:
            what = ", ".join(f"rename {name} to {short}" for name, short in names.items())
            yield program.candidate(function.node, what, edits)


def _shorter(function: FunctionLocals) -> dict[str, str]:
    """The new names, by old name."""
    taken = {part.value for part in walk(function.node) if isinstance(part, cst.Name)}
    free = [letter for letter in ascii_lowercase if letter not in taken and letter != "l"]
    found: dict[str, str] = {}
    for name in function.references:
        if not free or len(name) <= MOST_KEPT or not function.may_rename(name):
            continue
        short = min(free, key=lambda letter: (_tokens(letter), letter != name[0], letter))
        if _tokens(short) < _tokens(name):
            free.remove(short)
            found[name] = short
    return found


def _tokens(name: str) -> int:
    """Tokens of a name in a frame."""
    return len(default_tokenizer().encode(f', "{name}": "'))
