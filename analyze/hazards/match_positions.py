"""The occurrences of a pattern that a string method sees: by its own notion, not by a search of our own.

From the left without overlap for split, replace and count, the first for find and index, from the right for rsplit and
rfind; the stripped ends for strip; runs of whitespace for a split without separator. What it does not do: look at
tokens (`analyze.tokens.token_spans`) or run the method.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

Span = tuple[int, int]
"""Character positions: first, and one past the last."""

_WHITESPACE_RUN = re.compile(r"\s+")


def all_from_left(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """From the left, without overlap, as split, replace and count see it; at most `limit` unless that is negative."""
    found: list[Span] = []
    size = len(pattern)
    start = text.find(pattern)
    while start >= 0 and len(found) != limit:
        found.append((start, start + size))
        start = text.find(pattern, start + size)
    return found


def all_from_right(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """From the right, without overlap, as rsplit sees it; given in the order of the text."""
    found: list[Span] = []
    size = len(pattern)
    start = text.rfind(pattern)
    while start >= 0 and len(found) != limit:
        found.append((start, start + size))
        start = text.rfind(pattern, 0, start)
    return found[::-1]


def first(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The first occurrence, as find, index, in and partition see it."""
    start = text.find(pattern)
    return [(start, start + len(pattern))] if start >= 0 else []


def last(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The last occurrence, as rfind, rindex and rpartition see it."""
    start = text.rfind(pattern)
    return [(start, start + len(pattern))] if start >= 0 else []


def at_start(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The occurrence that startswith and removeprefix see."""
    return [(0, len(pattern))] if text.startswith(pattern) else []


def at_end(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The occurrence that endswith and removesuffix see."""
    return [(len(text) - len(pattern), len(text))] if text.endswith(pattern) else []


def stripped_left(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The run that lstrip takes off, `pattern` being its set of characters."""
    kept = len(text.lstrip(pattern))
    return [(0, len(text) - kept)] if kept < len(text) else []


def stripped_right(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The run that rstrip takes off, `pattern` being its set of characters."""
    kept = len(text.rstrip(pattern))
    return [(kept, len(text))] if kept < len(text) else []


def stripped(pattern: str, text: str, limit: int = -1) -> list[Span]:
    """The runs that strip takes off; one where nothing is left between them."""
    found = stripped_left(pattern, text)
    return found if found and found[0][1] == len(text) else found + stripped_right(pattern, text)


SEARCH_METHODS: dict[str, Callable[..., list[Span]]] = {
    "split": all_from_left,
    "replace": all_from_left,
    "count": all_from_left,
    "join": all_from_left,
    "rsplit": all_from_right,
    "find": first,
    "index": first,
    "in": first,
    "partition": first,
    "rfind": last,
    "rindex": last,
    "rpartition": last,
    "startswith": at_start,
    "removeprefix": at_start,
    "endswith": at_end,
    "removesuffix": at_end,
    "strip": stripped,
    "lstrip": stripped_left,
    "rstrip": stripped_right,
}
"""Methods with a pattern, and what each sees. `in` is the operator; `join` stands with its separator and its result."""
STRIP_METHODS = frozenset({"strip", "lstrip", "rstrip"})
WHITESPACE_METHODS = STRIP_METHODS | {"split", "rsplit"}
"""Methods that look for whitespace where they are given no pattern."""
CASE_METHODS = frozenset({"upper", "lower", "title", "swapcase", "capitalize", "casefold"})
EDIT_METHODS = CASE_METHODS | {
    "replace", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center",
    "expandtabs", "translate",
}  # fmt: skip
"""Methods that turn one string into another."""
AUDITED_METHODS = frozenset(SEARCH_METHODS) - {"in"} | EDIT_METHODS | {"splitlines"}
"""Methods whose calls an audit looks at."""
BOUNDED_METHODS = frozenset({"find", "rfind", "index", "rindex", "count", "startswith", "endswith"})
"""Methods that take, behind the pattern, where to begin and to end."""
LIMIT_ARGUMENT = {"split": 1, "rsplit": 1, "replace": 2}
"""The place of the greatest number of occurrences among the arguments of those methods that take one."""


def occurrences(pattern: str, text: str, method: str, limit: int = -1) -> list[Span]:
    """The spans, in characters and in the order of the text, at which `method` finds `pattern` in `text`.

    An empty pattern occurs between characters, where no tokens can differ: it has no spans here. Raises KeyError for a
    method without a pattern.

    >>> occurrences("aa", "aaa", "count"), occurrences("aa", "aaa", "rsplit")
    ([(0, 2)], [(1, 3)])
    """
    return SEARCH_METHODS[method](pattern, text, limit) if pattern else []


def whitespace_runs(text: str, method: str = "split", limit: int = -1) -> list[Span]:
    """What split and rsplit without a separator, and strip without characters, see: runs of whitespace."""
    if method in STRIP_METHODS:
        blank = "".join({char for char in text if char.isspace()})
        return SEARCH_METHODS[method](blank, text) if blank else []
    runs = (match.span() for match in _WHITESPACE_RUN.finditer(text))
    if limit < 0:
        return list(runs)
    return list(islice(runs, limit)) if method == "split" else list(runs)[-limit:] if limit else []
