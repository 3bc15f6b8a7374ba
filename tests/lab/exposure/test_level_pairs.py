"""Levels of rewrites as a person gives them: pairs of an original with a rewrite of one of its operations."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from analyze import trace_call
from analyze.diagnosis.failing_operation import FailingOperation, OperationDiagnosis
from analyze.diagnosis.operation_values import record_values
from lab.exposure.operation_level import exposure_levels


class Pair(NamedTuple):
    """A program with the operation that failed, and a rewrite of it.

    Attributes:
        call: The arguments of the call.
        original: The statements of `f(s, t, n, a)`.
        operation: The name of the operation that failed; "" for an item or a slice.
        rewritten: The statements of the rewrite.
        level: The level that a person gives.
    """

    call: str
    original: str
    operation: str
    rewritten: str
    level: int


STRINGS, LIST = "'banana', 'an', 2, []", "'', '', 1, [3, 1, 2]"
PAIRS = [
    # Unchanged, or changed beside the operation.
    Pair(STRINGS, "return s.upper()", "upper", "return s.upper()", 0),
    Pair(STRINGS, "return s.upper()", "upper", "u = s.upper()\nreturn u", 0),
    Pair(STRINGS, "return s.find(t) + n", "find", "i = s.find(t)\nreturn i + n", 0),
    Pair(STRINGS, "return len(s.strip(t))", "strip", "p = s.strip(t)\nreturn len(p)", 0),
    Pair(STRINGS, "return s.replace(t, 'x')", "replace", "u = s\nreturn u.replace(t, 'x')", 0),
    # Synonyms: another operation that is read as badly, on the same string.
    Pair(STRINGS, "return s.upper()", "upper", "return s.lower().swapcase()", 0),
    Pair(STRINGS, "return s.find(t)", "find", "return s.index(t)", 0),
    Pair(STRINGS, "return s.find(t)", "find", "return len(s.partition(t)[0])", 0),
    Pair(STRINGS, "return s.replace(t, 'x')", "replace", "p = s.split(t)\nreturn 'x'.join(p)", 0),
    Pair(STRINGS, "return s.startswith(t)", "startswith", "return s[:2] == t", 0),
    Pair(STRINGS, "return s.count(t)", "count", "return len(s.split(t)) - 1", 0),
    Pair(STRINGS, "return s[::-1]", "", "return ''.join(reversed(s))", 0),
    Pair(STRINGS, "return s.title()", "title", "return s.capitalize()", 0),
    Pair(STRINGS, "return t in s", "In", "return s.find(t) >= 0", 0),
    Pair(STRINGS, "return s.upper()", "upper", "return ''.join(map(str.upper, s))", 0),
    Pair(LIST, "return sorted(a)", "sorted", "import heapq\nreturn heapq.nsmallest(3, a)", 1),
    # The characters are shown, and the operation stays.
    Pair(STRINGS, "return s.upper()", "upper", "c = list(s)\nreturn s.upper()", 1),
    Pair(STRINGS, "return s.find(t)", "find", "c = list(s)\nd = list(t)\nreturn s.find(t)", 1),
    Pair(STRINGS, "return s.find(t)", "find", "c = list(s)\nreturn s.find(t)", 0),
    Pair(STRINGS, "return s.replace('anana', 'x')", "replace", "c = list(s)\nreturn s.replace('anana', 'x')", 1),
    Pair(STRINGS, "return s.upper()", "upper", "c = list(t)\nreturn s.swapcase()", 0),
    Pair(STRINGS, "return s.upper()", "upper", "c = list(s)\nreturn s.swapcase()", 1),
    Pair(STRINGS, "return s[::-1]", "", "c = list(s)\nreturn s[::-1]", 1),
    Pair(STRINGS, "return s.split('a')", "split", "c = list(s)\nreturn s.split('a')", 1),
    Pair(STRINGS, "return s.split('banan')", "split", "c = list(s)\nreturn s.split('banan')", 1),
    Pair(LIST, "return a[-1]", "", "i = -1\nreturn a[i]", 1),
    # The work is done on characters or items that states show.
    Pair(STRINGS, "return s.upper()", "upper", "u = ''\nfor c in s:\n    u += c.upper()\nreturn u", 2),
    Pair(STRINGS, "return s.upper()", "upper", "u = []\nfor c in s:\n    u.append(c.upper())\nreturn ''.join(u)", 2),
    Pair(STRINGS, "return s[::-1]", "", "c = list(s)\nc.reverse()\nreturn ''.join(c)", 2),
    Pair(STRINGS, "return s[::-1]", "", "u = ''\nfor c in s:\n    u = c + u\nreturn u", 2),
    Pair(STRINGS, "return s[-1]", "", "c = list(s)\nreturn c[5]", 2),
    Pair(STRINGS, "return s[-1]", "", "c = list(s)\ni = len(c) - 1\nreturn c[i]", 2),
    Pair(STRINGS, "return s.count('a')", "count", "k = 0\nfor c in s:\n    if c == 'a':\n        k += 1\nreturn k", 2),
    Pair(STRINGS, "return 'n' in s", "In", "c = list(s)\nreturn 'n' in c", 2),
    Pair(STRINGS, "return len(s)", "len", "c = list(s)\nreturn len(c)", 2),
    Pair(STRINGS, "return len(s)", "len", "k = 0\nfor c in s:\n    k += 1\nreturn k", 2),
    Pair(
        STRINGS,
        "return s.find('n')",
        "find",
        "for i, c in enumerate(s):\n    if c == 'n':\n        return i\nreturn -1",
        2,
    ),
    Pair(
        STRINGS,
        "return s.find('n')",
        "find",
        "for i in range(len(s)):\n    if s[i] == 'n':\n        return i\nreturn -1",
        0,
    ),
    Pair(
        STRINGS,
        "return s.find('n')",
        "find",
        "for i in range(6):\n    c = s[i]\n    if c == 'n':\n        return i\nreturn -1",
        2,
    ),
    Pair(
        STRINGS,
        "return s.replace('anan', 'x')",
        "replace",
        "c = list(s)\ni = 0\nu = ''\nwhile i < len(c):\n    if c[i:i + 4] == ['a', 'n', 'a', 'n']:\n        u += 'x'\n"
        "        i += 4\n    else:\n        u += c[i]\n        i += 1\nreturn u",
        2,
    ),
    Pair(
        STRINGS,
        "return s.replace('a', 'x')",
        "replace",
        "u = ''\nfor c in s:\n    u += 'x' if c == 'a' else c\nreturn u",
        2,
    ),
    Pair(
        STRINGS,
        "return s.split('a')",
        "split",
        "p = []\nw = ''\nfor c in s:\n    if c == 'a':\n        p.append(w)\n        w = ''\n    else:\n"
        "        w += c\np.append(w)\nreturn p",
        2,
    ),
    Pair(LIST, "return sum(a)", "sum", "k = 0\nfor x in a:\n    k += x\nreturn k", 2),
    Pair(LIST, "return max(a)", "max", "k = a[0]\nfor x in a:\n    if x > k:\n        k = x\nreturn k", 2),
    Pair(LIST, "return a[-1]", "", "i = len(a) - 1\nreturn a[i]", 2),
    Pair("'', '', 12, []", "return n * 12", "Mult", "p = n * 10\nq = n * 2\nreturn p + q", 2),
]


def diagnosed(pair: Pair) -> OperationDiagnosis:
    """The diagnosis that the operation of a pair failed."""
    trace = trace_call(program(pair.original), f"f({pair.call})")
    [found] = [one for one in record_values(trace) or () if one.name == pair.operation]
    return OperationDiagnosis((FailingOperation(2, 1, pair.operation, found.result, "", found),))


def program(statements: str) -> str:
    return "def f(s, t, n, a):\n    " + statements.replace("\n", "\n    ") + "\n"


@pytest.mark.parametrize("pair", PAIRS, ids=[f"{one.original} / {one.rewritten.splitlines()[0]}" for one in PAIRS])
def test_the_level_is_the_one_that_a_person_gives(pair: Pair) -> None:
    found = exposure_levels(diagnosed(pair), program(pair.original), program(pair.rewritten), f"f({pair.call})")
    assert found is not None
    assert found.lowest == found.best == found.outermost == pair.level


def test_there_are_enough_pairs_of_each_level() -> None:
    assert len(PAIRS) >= 40
    assert all(sum(one.level == level for one in PAIRS) >= 9 for level in (0, 1, 2))
