"""What fails, fails at the same moment: names without a value, missing attributes, operations that raise."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rewrite.drawn import EVERY_OPTION, assert_same

PROGRAM = """\
def g(value=0):
    LOG.append(value)
    return value
class Manager:
    def __init__(self, n): self.n = n
    def __enter__(self): LOG.append('enter'); return self.n
    def __exit__(self, kind, error, traceback):
        LOG.append(('exit', kind.__name__ if kind else None))
        return kind is NameError
def f(k):
    r = 0
    try:
        if k & 1: u = 2
        for w in range(k & 2): pass
        if k & 4:
            global LATE
            LATE = 3
        with Manager(k) as m:
            n = k // (k & 8)
        o = type('O', (), {{'a': 1}})()
{0}
    except (NameError, ZeroDivisionError, AttributeError, TypeError, IndexError, KeyError) as e:
        LOG.append((type(e).__name__, str(e)))
    finally:
        LOG.append(r)
    return r
"""
LEAVES = [
    *"uwnkm",
    "LATE",
    "MISSING",
    "g(1)",
    "g(u)",
    "g(n)",
    "o.a",
    "o.b",
    "1 // (k & 1)",
    "[1][k & 1]",
    "(u := g(5))",
]
INNER = [
    *(
        "g({0}) + {1}",
        "({0} + g({1}))",
        "[{0}, g({1}), {2}]",
        "{{{0}: {1}, 'z': {2}}}",
        "({0} and {1})",
        "({0} or {1})",
    ),
    *(
        "({0} if {1} else {2})",
        "({0} < {1} < {2})",
        "g(*[{0}, {1}][:1])",
        "f'{{{0}}}{{{1}}}'",
        "[{0} + i for i in [{1}]]",
    ),
    *("(o.a + {0} * {1})", "max({0}, g({1}))", "sum(i + {0} for i in [{1}, {2}])", "(lambda z={0}: z + u)()", "-{0}"),
]
EXPRESSIONS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.tuples(st.sampled_from(INNER), inner, inner, inner).map(lambda t: t[0].format(*t[1:])),
    max_leaves=5,
)
PLACES = [
    *(
        "r = {0}",
        "r = {0}, u, {1}",
        "r += g({0}) + {1}",
        "r = [{0}][{1}:]",
        "o.c = {0}; r = o.c, {1}",
        "r = u = g({0}) + n",
        "return {0} + g(r)",
    ),
    *(
        "del u\nr = {0}, {1}",
        "if {0}: r = {1}\nelse: r = u",
        "while {0}:\n    r = {1}\n    break\nelse: r = n",
        "for u in [{0}, {1}]: r = u, w",
    ),
    *(
        "for i in range(2):\n    r = {0}\n    if i < 1: del u\n    else: u = {1}",
        "with Manager({0}): r = {1}\nr = r, n",
        "assert {0}, {1}",
    ),
    *(
        "try: r = {0}\nexcept NameError as u: r = 1\nr = {1}, u",
        "try:\n    r = {0}\nfinally:\n    LOG.append(g({1}) + 1)",
        "raise TypeError({0}, u) from {1}",
    ),
    *(
        "match {0}:\n    case int(u) if {1}: r = u\n    case _: r = w",
        "del o.a, [{0}][{1}]\nr = o.a",
        "u, r = {0}, {1}\nr = r, u",
        "r: int = {0}; r -= {1}",
    ),
]


def outcomes(source: str) -> list[str]:
    found = []
    for k in range(16):
        names: dict[str, object] = {"LOG": []}
        exec(source, names)
        try:
            value = repr(names["f"](k))  # type: ignore[operator]
        except Exception as error:  # noqa: BLE001 - whatever a program raises is its outcome
            value = f"{type(error).__name__}: {error}"
        found.append(plain(f"{value} {names['LOG']}"))
    return found


def plain(text: str) -> str:
    """Up to 3.11 a comprehension is a function of its own, and says otherwise that a variable has no value."""
    text = re.sub(r"UnboundLocalError|NameError", "NameError", text)
    return re.sub(
        r"cannot access \w+ variable ('\w+') where it is not associated with a value( in enclosing scope)?",
        r"no value: \1",
        text,
    )


@pytest.mark.slow
@pytest.mark.parametrize("options", EVERY_OPTION)
@settings(max_examples=50)
@given(st.sampled_from(PLACES), EXPRESSIONS, EXPRESSIONS)
def test_what_fails_fails_at_the_same_moment(
    options: Mapping[str, object], place: str, first: str, second: str
) -> None:
    body = place.format(first, second)
    source = PROGRAM.format("\n".join(f"        {line}" for line in body.split("\n")))
    assert_same(source, options, outcomes)
