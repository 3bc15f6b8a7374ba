"""The long names of a function's variables, short: `new_distance` is written in every frame from where it is bound.

Only variables that may be renamed (`rewrite.analysis.legality`). A name that takes one token stays: it costs as much as
a letter.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_lowercase

import libcst as cst

from analyze.tokens.tokenizer import default_tokenizer
from rewrite.passes.candidate import Edit, PassCandidate
from rewrite.passes.parsed_program import FunctionVariables, ParsedProgram
from rewrite.syntax.tree import walk

MOST_KEPT = 2
"""Names of so many characters stay."""


def find(program: ParsedProgram) -> Iterator[PassCandidate]:
    """One candidate a function: all of its long names."""
    for function in program.functions:
        if function.scope.reflection or program.is_kept(function.node):
            continue
        names = _shorter(program, function)
        edits = [
            Edit(*program.offsets(mention.node), short)
            for name, short in names.items()
            for mention in function.mentions[name]
        ]
        if edits:
            what = ", ".join(f"{name} as {short}" for name, short in names.items())
            yield program.candidate(function.node, what, edits)


def _shorter(program: ParsedProgram, function: FunctionVariables) -> dict[str, str]:
    """The new names, by the old ones."""
    taken = {part.value for part in walk(function.node) if isinstance(part, cst.Name)}
    free = [letter for letter in ascii_lowercase if letter not in taken and letter != "l"]
    found: dict[str, str] = {}
    for name in function.mentions:
        if not free or len(name) <= MOST_KEPT or not function.may_rename(name):
            continue
        short = min(free, key=lambda letter: (_tokens(letter), letter != name[0], letter))
        if _tokens(short) < _tokens(name):
            free.remove(short)
            found[name] = short
    return found


def _tokens(name: str) -> int:
    """What a name costs in a frame."""
    return len(default_tokenizer().encode(f', "{name}": "'))
