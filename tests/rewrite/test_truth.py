"""Each value is asked for its truth exactly as often as in the original, in every place where a condition may stand."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Mapping
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.rewriting import rewrite_source
from tests.rewrite.drawn import EVERY_OPTION, assert_same

HEAD = """\
class Asked:
    def __init__(self, name, truth): self.name, self.truth = name, truth
    def __bool__(self):
        LOG.append(self.name)
        return self.truth
    def __lt__(self, other): return Asked(f'{self.name}<{other.name}', self.truth is not other.truth)
    def __repr__(self): return self.name
def g(value):
    LOG.append('g')
    return value
"""
PLACES = {
    "if": "    if {0}: return 1\n    else: return 2\n",
    "if without else": "    r = 0\n    if {0}: r = 1\n    return r\n",
    "elif": "    if g(c) and g(x): return 0\n    elif {0}: return 1\n    return 2\n",
    "while": "    n = 0\n    while {0}:\n        n += 1\n        if n > 1: break\n    else: n = -n\n    return n\n",
    "assert": "    try:\n        assert {0}, g(a)\n    except AssertionError as e: return str(e)\n",
    "value": "    return {0}\n",
    "negated value": "    v = not ({0})\n    return v\n",
    "test of a conditional": "    return g(1 if {0} else g(2))\n",
    "operand": "    return [{0}, g(a), 1]\n",
    "filter": "    return [i for i in (1, 2) if {0}]\n",
    "guard": "    match g(1):\n        case 1 if {0}: return 1\n        case _: return 2\n",
}
# From 3.12 on CPython asks the value of `a and b` again in `(a and b) or c`, where that is not a condition. It did not
# do so before, nor does what is rewritten.
VALUES = ("value", "negated value", "operand")
CONDITIONS = st.recursive(
    st.sampled_from([*"xabc", *"abc", "g(a)", "g(g(b))", "True"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner, inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]} {t[1]} {t[3]})"
        ),
        inner.map(lambda operand: f"(not {operand})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else {t[2]})"),
        st.tuples(st.sampled_from("xab"), st.sampled_from(["c", "g(c)"]), st.sampled_from("ab")).map(
            lambda t: f"({t[0]} < {t[1]} < {t[2]})"
        ),
    ),
    max_leaves=6,
)


def asked(source: str, *, once: bool = False) -> list[tuple[str, list[str]]]:
    """What `f` gives and which values it asks, for all truths of its arguments; `once`: none twice in a row."""
    names: dict[str, object] = {"LOG": []}
    exec(source, names)
    f, kind, log = names["f"], names["Asked"], names["LOG"]
    assert isinstance(f, Callable) and isinstance(kind, type) and isinstance(log, list)  # type: ignore[arg-type]
    found = []
    for truths in itertools.product((False, True), repeat=4):
        log.clear()
        value = repr(f(*(kind(name, truth) for name, truth in zip("xabc", truths, strict=True))))  # type: ignore[operator]
        found.append((value, [name for name, _ in itertools.groupby(log)] if once else list(log)))
    return found


@pytest.mark.medium
@pytest.mark.parametrize("options", EVERY_OPTION)
@settings(max_examples=60)
@given(condition=CONDITIONS, place=st.sampled_from(sorted(PLACES)))
def test_a_condition_asks_the_same_values_in_the_same_order(
    options: Mapping[str, object], condition: str, place: str
) -> None:
    source = HEAD + "def f(x, a, b, c):\n" + PLACES[place].format(condition)
    once = place in VALUES and sys.version_info >= (3, 12)
    assert_same(source, options, partial(asked, once=once))


MINIMAL = {
    "the last operand is an `and` that is not opened": ("if", "g(g(x)) or (a and b)"),
    "the last operand is a negated `and`": ("if", "g(g(x)) or (g(c) and not (a and b))"),
    "a negated `or` in an `or`": ("while", "g(g(x)) and not (a or not (b and c))"),
    "a chosen `and`": ("if", "(a and b) if g(g(c)) else x"),
    "the first operand is a chained comparison": ("assert", "(x < c < a) and x"),
    "the first operand is a negated `and` with a call": ("assert", "(not (x and g(a))) and x"),
}


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize(("place", "condition"), MINIMAL.values(), ids=MINIMAL.keys())
def test_an_operand_that_was_once_asked_twice(options: Mapping[str, object], place: str, condition: str) -> None:
    source = HEAD + "def f(x, a, b, c):\n" + PLACES[place].format(condition)
    assert asked(rewrite_source(source, **options).source) == asked(source)  # type: ignore[arg-type]
