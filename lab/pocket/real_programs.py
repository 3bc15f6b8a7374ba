"""Real functions with calls, from a file of doctests, with varied inputs and random names.

The file (`doctest_programs.jsonl.gz`) has one program per line: `id`, `code`, `calls`. `python -m
lab.pocket.doctest_programs` builds it from a clone of a repository.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from corpora.errors import InputError
from corpora.program import Case
from lab.pocket.inputs import varied_call
from lab.pocket.words import Naming
from rewrite.baselines.placebo import rename
from rewrite.syntax.parsing import parse

FILE = "doctest_programs.jsonl.gz"
_VARIED, _RENAMED = 0.7, 0.7
_NAME = re.compile(r"[^\W\d]\w*")
_MISSES = 4
"""A program of which so many calls in a row gave no document is not drawn again."""


@dataclass(frozen=True)
class RealProgram:
    """A program with its calls.

    Attributes:
        id: the same for all variants of the program.
        code: the source.
        calls: the calls of its doctests.
    """

    id: str
    code: str
    calls: tuple[str, ...]


def read_programs(folder: Path) -> list[RealProgram]:
    """The programs of a folder of data.

    Raises:
        InputError: the folder has no such file.
    """
    path = folder / FILE
    if not path.is_file():
        raise InputError(f"no {FILE}: build it with python -m lab.pocket.doctest_programs", where=str(folder))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [RealProgram(row["id"], row["code"], tuple(row["calls"])) for row in map(json.loads, lines)]


class RealPrograms:
    """Draws calls of real programs. Programs whose traces are always too long are left out after some attempts."""

    def __init__(self, programs: list[RealProgram]) -> None:
        """programs: what to draw from."""
        self._programs = programs
        self._misses: Counter[str] = Counter()

    def draw(self, rng: Random) -> tuple[RealProgram, Case]:
        """A program, and a variant of it with one call: often with another input and other names."""
        program = rng.choice(self._programs)
        while self._misses[program.id] >= _MISSES:
            program = rng.choice(self._programs)
        call = rng.choice(program.calls)
        if rng.random() < _VARIED:
            call = varied_call(call, rng)
        source = renamed(program.code, call, rng) if rng.random() < _RENAMED else program.code
        return program, Case("", source, call, kind="real")

    def note(self, program: RealProgram, *, used: bool) -> None:
        """Reports whether a draw gave a document."""
        if used:
            self._misses[program.id] = -(10**6)
        else:
            self._misses[program.id] += 1


def renamed(source: str, call: str, rng: Random) -> str:
    """The program with random names for its local variables, where renaming keeps its behaviour."""
    naming = Naming(rng)
    names: dict[str, str] = {}
    for name in dict.fromkeys(_NAME.findall(source)):
        names[name] = next(new for new in iter(naming.variable, "") if new not in source)
    return rename(source, parse(source), [call], names).source
