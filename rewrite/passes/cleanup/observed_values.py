"""What the calls showed of a rewrite's variables: their values, and the types of temporaries."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analyze.gold_trace.trace import Trace
from corpora.literals import parse_literal
from rewrite.anf.names import TEMPORARY
from rewrite.passes.cleanup.name_mentions import AnyFunction

Kinds = Mapping[tuple[int, str], type]
"""By line of the `def` (0: the module) and name of a temporary, the exact type of all its values. One of several types,
or of an unknown one, is missing."""
Observed = Mapping[tuple[int, str], Sequence[object]]
"""By line of the `def` (0: the module) and name of a variable, its values in traces; of a variable of the program, only
the last one. Where the repr is no literal, a value is a `ClassInstance` or missing."""


NUMBERS = (int, float, complex)


@dataclass(frozen=True)
class ClassInstance:
    """A value whose repr is no literal but a call of its class, which gives the word for it."""

    word: str


def observed_variables(traces: Iterable[Trace]) -> Observed:
    """The values of variables that the states of traces show."""
    shown: dict[tuple[int, str], dict[str, None]] = {}
    for place, text in _shown_values(traces):
        known = shown.setdefault(place, {})
        if not TEMPORARY.fullmatch(place[1]):
            known.clear()
        known[text] = None
    return {place: list(_values(texts)) for place, texts in shown.items()}


def _values(texts: Iterable[str]) -> Iterator[object]:
    for text in texts:
        try:
            yield parse_literal(text)
        except ValueError:
            yield from map(ClassInstance, filter(None, [class_word(text)]))


def observed_kinds(traces: Iterable[Trace]) -> Kinds:
    """The types of the values of temporaries that the states of traces show."""
    shown: dict[tuple[int, str], dict[str, None]] = {}
    for place, text in _shown_values(traces):
        if TEMPORARY.fullmatch(place[1]):
            shown.setdefault(place, {})[text] = None
    kinds = {place: set(map(_literal_type, texts)) for place, texts in shown.items()}
    return {place: kind for place, (kind, *others) in kinds.items() if kind is not None and not others}


def _literal_type(text: str) -> type | None:
    """The type of a value by its repr; None if that is no literal."""
    try:
        return type(parse_literal(text))
    except ValueError:
        return None


def _shown_values(traces: Iterable[Trace]) -> Iterator[tuple[tuple[int, str], str]]:
    """The values of variables that states show, each with the line of the `def` and the name."""
    for trace in traces:
        functions = _functions_by_line(trace.context)
        for line, frame in zip(trace.lines, trace.frames, strict=True):
            place = line if frame.event == "call" and line else functions.get(line, 0)
            yield from (((place, name), text) for name, text in frame.shown)


def _functions_by_line(source: str) -> dict[int, int]:
    """The line of the innermost `def` around each line of a source; lines outside functions are missing.

    The line of the `def` itself is one of the scope around it, which executes it. The call of a function shows it too,
    when there are no temporaries yet.
    """
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, AnyFunction)]
    outer_first = sorted(functions, key=lambda node: node.lineno)
    return {
        line: node.lineno for node in outer_first for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)
    }


def value_kind(value: object) -> type:
    """The type of a value; all numbers but bools have one kind."""
    return int if isinstance(value, NUMBERS) and not isinstance(value, bool) else type(value)


def list_nesting(value: object) -> int:
    """0 for a value that is no list, 1 for a list, 2 for one of lists."""
    return 1 + max(map(list_nesting, value), default=0) if isinstance(value, list) else 0


def class_word(text: str) -> str:
    """The last word of the class in a repr such as `PosixPath('a')` or `dict_keys(['a'])`; "" for any other repr.

    >>> class_word("PosixPath('a')"), class_word("<map object>")
    ('path', '')
    """
    called = _CALLED.match(text)
    return _CAMEL.findall(called[1])[-1].lower() if called else ""


_CALLED = re.compile(r"(?:\w+\.)*(\w*[a-z]\w*)\(")
_CAMEL = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
