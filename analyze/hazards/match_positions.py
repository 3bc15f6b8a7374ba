"""The occurrences of a pattern that a string method sees.

    split, replace, count     from the left, without overlap
    rsplit, rfind             from the right
    find, index               the first one
    strip                     the stripped ends
    split without separator   runs of whitespace

The method itself is not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from analyze.operations.catalogue import methods, select
from analyze.operations.operation import Characters, Form, Kind, Occurrences, Operation

Span = tuple[int, int]
"""Character positions: the first, and one past the last."""

_WHITESPACE_RUN = re.compile(r"\s+")


def all_from_left(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns occurrences from the left, without overlap, as split, replace and count see them.

    At most `limit` of them, unless that is negative.
    """
    found: list[Span] = []
    size = len(pattern)
    start = text.find(pattern)
    while start >= 0 and len(found) != limit:
        found.append((start, start + size))
        start = text.find(pattern, start + size)
    return found


def all_from_right(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns occurrences from the right, without overlap, as rsplit sees them, in the order of the text."""
    found: list[Span] = []
    size = len(pattern)
    start = text.rfind(pattern)
    while start >= 0 and len(found) != limit:
        found.append((start, start + size))
        start = text.rfind(pattern, 0, start)
    return found[::-1]


def first(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the first occurrence, as find, index, in and partition see it."""
    at = text.find(pattern)
    return [(at, at + len(pattern))] if at >= 0 else []


def last(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the last occurrence, as rfind, rindex and rpartition see it."""
    at = text.rfind(pattern)
    return [(at, at + len(pattern))] if at >= 0 else []


def at_start(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the occurrence that startswith and removeprefix see."""
    return [(0, len(pattern))] if text.startswith(pattern) else []


def at_end(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the occurrence that endswith and removesuffix see."""
    return [(len(text) - len(pattern), len(text))] if text.endswith(pattern) else []


def stripped_left(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the run that lstrip removes; `pattern` is its set of characters."""
    kept = len(text.lstrip(pattern))
    return [(0, len(text) - kept)] if kept < len(text) else []


def stripped_right(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the run that rstrip removes; `pattern` is its set of characters."""
    kept = len(text.rstrip(pattern))
    return [(kept, len(text))] if kept < len(text) else []


def stripped(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """Returns the runs that strip removes; a single one if nothing is left between them."""
    found = stripped_left(pattern, text)
    return found if found and found[0][1] == len(text) else found + stripped_right(pattern, text)


_FINDERS: dict[Occurrences, Callable[..., list[Span]]] = {
    Occurrences.ALL: all_from_left,
    Occurrences.ALL_FROM_RIGHT: all_from_right,
    Occurrences.FIRST: first,
    Occurrences.LAST: last,
    Occurrences.AT_START: at_start,
    Occurrences.AT_END: at_end,
    Occurrences.RUNS_AT_ENDS: stripped,
    Occurrences.RUN_AT_START: stripped_left,
    Occurrences.RUN_AT_END: stripped_right,
}


def _is_edit(method: Operation) -> bool:
    return method.kind in (Kind.CASE, Kind.TRIM, Kind.PAD, Kind.REPLACE)


_SEARCHES = select(lambda one: one.receiver == "str" and one.form is Form.METHOD and one.finds is not None)
SEARCH_METHODS = {"in": first, **{one.name: _FINDERS[one.finds] for one in _SEARCHES if one.finds}}
"""Methods that take a pattern, and how each finds it. `in` is the operator; `join` looks for its separator in its
result.
"""
STRIP_METHODS = methods("str", lambda one: one.kind is Kind.TRIM)
WHITESPACE_METHODS = methods("str", lambda one: one.finds is not None and one.distinguishes is Characters.WHITESPACE)
"""Methods that look for whitespace if they get no pattern."""
CASE_METHODS = methods("str", lambda one: one.kind is Kind.CASE)
EDIT_METHODS = methods("str", _is_edit)
"""Methods that turn one string into another."""
AUDITED_METHODS = methods("str", lambda one: one.finds is not None or one.kind is Kind.SPLIT or _is_edit(one))
"""Methods whose calls an audit checks."""
BOUNDED_METHODS = methods("str", lambda one: one.position_of("start") is not None)
"""Methods that take start and end positions after the pattern."""
_LIMITS = ((one.name, one.position_of("maxsplit", "count")) for one in _SEARCHES)
LIMIT_ARGUMENT = {name: place for name, place in _LIMITS if place is not None}
"""The index of the argument that limits the number of occurrences, for methods that have one."""


def occurrences(pattern: str, text: str, method: str, limit: int = -1) -> list[Span]:
    """Returns the spans, in characters and in the order of the text, at which `method` finds `pattern` in `text`.

    An empty pattern occurs between characters, where no tokens can differ, so it has no spans here.

    Raises:
        KeyError: If the method takes no pattern.

    Example:
        >>> occurrences("aa", "aaa", "count"), occurrences("aa", "aaa", "rsplit")
        ([(0, 2)], [(1, 3)])
    """
    return SEARCH_METHODS[method](pattern, text, limit) if pattern else []


def whitespace_runs(text: str, method: str = "split", limit: int = -1) -> list[Span]:
    """Returns the runs of whitespace that split and rsplit without separator, and strip without characters, see."""
    if method in STRIP_METHODS:
        blank = "".join({char for char in text if char.isspace()})
        return SEARCH_METHODS[method](blank, text) if blank else []
    runs = [match.span() for match in _WHITESPACE_RUN.finditer(text)]
    if limit < 0:
        return runs
    return runs[:limit] if method == "split" else runs[-limit:] if limit else []
