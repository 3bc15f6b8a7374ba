"""Templates of source: text with holes in braces, in one logical line or as an indented block of several lines.

| hole | stands for |
|---|---|
| `{int}` | an expression of this kind, in parentheses if its place needs them; `{=}`: of the kind of the form |
| `{str closed}` | one without variables that can grow; `{int constant}`: one without any variables |
| `{int!}` | a variable of this kind, to be bound |
| `«+|-»`, `«|0»` | one of these texts; if they contain holes, `forms` makes several forms of it |
| `{new i}` | a name that nothing else has: i1, i2 |
| `{v=int!}`, then `{v}` | what the first hole got, again |
| `{target}`, `{pattern}`, `{subject}`, `{error}` | a form of this kind |
| `{arguments}` | the arguments of a call |
| `{parameters}` | parameters with defaults for some variables that the function uses; the others are made nonlocal |
| `{suite}`, `{suite plain}` | on a line of its own: one or two statements; plain ones do not jump |
| `{else}`, `{finally}` | on a line of its own: an optional clause |
| `{simple}` | a statement of one line |

Doubled braces are braces, and § is the number of a logged operand. A template says neither precedences nor scopes: what
a hole may contain follows from its place in the syntax tree (`hole_context`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from corpora.source_block import source_block
from rewrite.program_grammar.hole_context import AROUND, HoleContext, contexts_of_holes, precedence

LABEL = "§"
"""Placeholder for the number of a logged operand, which is known in the complete program."""
PARTS = ("target", "pattern", "subject", "error")
LINES = ("suite", "else", "finally")
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|«([^«»]*)»")
_BINDING = re.compile(r"(\w+)=(?=\w)")


@dataclass(frozen=True)
class Hole:
    """A hole of a template.

    Attributes:
        role: "choice", "new", "variable", "same", "part", "expression", or a word with a role of its own.
        word: The kind, the stem of a new name, or the name of an earlier hole.
        options: The texts to choose from.
        name: The name under which later holes find what this one got.
        limit: "closed", "constant", "plain" or "".
        context: What the place of the hole allows.
    """

    role: str
    word: str = ""
    options: tuple[str, ...] = ()
    name: str = ""
    limit: str = ""
    context: HoleContext = AROUND

    @cached_property
    def is_plain(self) -> bool:
        """Whether the scope of the hole is that of the template."""
        return not self.limit and replace(self.context, level=AROUND.level) == AROUND

    def sample(self, number: int) -> str:
        """A text that can be parsed in place of the hole."""
        if self.role == "choice":
            return self.options[0]
        if self.role in ("new", "variable", "same"):
            return self.name or self.word
        prefix = {"parameters": "_parameters=", "else": "else: ", "finally": "finally: "}.get(self.role, "")
        return f"{prefix}_hole{number}_" + ", " * (self.role == "parameters")


class TemplateLine(NamedTuple):
    """A logical line: its indentation, and its text and holes in order."""

    indentation: str
    pieces: tuple[str | Hole, ...]


class SourceTemplate:
    """A template. It is parsed when it is first used."""

    def __init__(self, text: str) -> None:
        self._lines = [_line(line) for line in (source_block(text).splitlines() if text[:1] == "\n" else [text])]

    @cached_property
    def level(self) -> int:
        """The precedence of the expression (see `GeneratedExpression`)."""
        return precedence(self._sample)

    @cached_property
    def lines(self) -> tuple[TemplateLine, ...]:
        """The lines, each hole with its context."""
        found = contexts_of_holes(self._sample) if "_hole" in self._sample else {}
        numbers = iter(range(len(self._sample)))

        def placed(piece: str | Hole) -> str | Hole:
            if isinstance(piece, str):
                return piece
            return replace(piece, context=found.get(f"_hole{next(numbers)}_", AROUND))

        return tuple(TemplateLine(indentation, tuple(map(placed, pieces))) for indentation, pieces in self._lines)

    @cached_property
    def _sample(self) -> str:
        """The template as source, in which each hole is a name."""
        text, number = "", 0
        for line in self._lines:
            text += line.indentation
            for piece in line.pieces:
                text += piece if isinstance(piece, str) else piece.sample(number)
                number += isinstance(piece, Hole)
            text += "\n"
        return text.replace(LABEL, "0")


def _line(text: str) -> TemplateLine:
    content = text.lstrip(" ")
    return TemplateLine(text[: len(text) - len(content)], tuple(_pieces(content)))


def _pieces(text: str) -> Iterator[str | Hole]:
    end, literal = 0, ""
    for match in _PIECE.finditer(text):
        literal += text[end : match.start()]
        end = match.end()
        if match[0] in ("{{", "}}"):
            literal += match[0][0]
            continue
        if literal:
            yield literal
        literal = ""
        yield _hole(match[1]) if match[2] is None else Hole("choice", options=tuple(match[2].split("|")))
    if literal := literal + text[end:]:
        yield literal


def _hole(text: str) -> Hole:
    name = bound[1] if (bound := _BINDING.match(text)) else ""
    text = text[len(name) + 1 :] if name else text
    word, _, limit = text.partition(" ")
    if word == "new":
        return Hole("new", limit, name=name)
    if text.endswith("!"):
        return Hole("variable", text[:-1], name=name)
    role = "part" if word in PARTS else word if word in (*LINES, "arguments", "parameters", "simple") else "expression"
    return Hole("same" if len(word) == 1 else role, word, name=name, limit=limit)
