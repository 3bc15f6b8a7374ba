"""The recipe `elements` on drawn programs: they do the same, and a second rewrite changes nothing."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite import rewrite_source
from tests.rewrite.drawn import assert_same_or_broken
from tests.samples import example_counts

STRINGS = st.text(st.sampled_from("abAB -.xß\n"), max_size=7)
EXPRESSIONS = st.sampled_from(
    (
        "s.find(t)", "s.find(t, n)", "s.rfind(t, 1, n)", "s.index(t)", "s.rindex(t, n)", "s.count(t)", "s.count(t, n)",
        "t in s", "t not in s + 'x'", "s.startswith(t)", "s.endswith(t)", "s.endswith((t, 'b'))",
        "s.removeprefix(t)", "s.removesuffix(t)", "s.replace(t, 'yz')", "s.replace(t, s, n)", "s.split()",
        "s.split(t)", "s.split(t, n)", "s.rsplit(t, n)", "s.partition(t)", "s.rpartition(t)[0]", "s.strip()",
        "s.strip(t)", "s.lstrip(t)", "s.rstrip()", "s.zfill(n)", "s.ljust(n, '*')", "s.center(n)", "s[n:]", "s[:n]",
        "s[n:-1]", "s[-3:]", "s[::n]", "s[::-1]", "s[-1]",
        "len(s) + len(t)", "sorted(s)", "max(s, t)", "min(len(s), n)",
        "list(s)[n:]", "list(s)[:n][-1:]", "s.split()[1:n]", "list(t)[-1]", "str(n * 37) + s",
        "int(str(len(s)) + '07') + n", "int(str(n) + '1')", "int(s)", "int('4' + str(n * n)[1:])",
        "list(s).count(t)", "list(s).index(t)", "(s, t).count('a')", "sum([n, len(s)])", "sum(list(range(n)))",
        "sorted(set(s))", "sorted([n, 1, len(t)])", "any([n > 2, t])", "all(list(t))", "pow(len(s), 3)",
        "pow(n, len(t))", "s * n", "n * t", "[t] * n", "'-'.join(reversed(s))", "list(reversed(s.split()))",
        "[c + t for c in s.split('a')]", "s.replace('a', t).strip().split(t)",
    )
)  # fmt: skip
CONTEXTS = st.sampled_from(
    (
        "    return {}\n",
        "    r = {}\n    return r, s\n",
        "    if {}:\n        return 1\n    return s\n",
        "    k = 0\n    while {} and k < 2:\n        k += 1\n        s = s[1:]\n    return k, s\n",
        "    r = []\n    for i in range(len(s)):\n        if s[i] in t:\n"
        "            r.append((i, s[i], {}))\n    return r\n",
        "    r = []\n    for i in range(0, len(s)):\n        r += [s[i]] if i % 2 else [{}]\n    return r\n",
        "    return [x for x in ({}, t)]\n",
        "    r = list(s)\n    r.remove({})\n    return r\n",
    )
)


@pytest.mark.medium
@example_counts(30, 200)
def test_a_program_does_the_same(examples: int) -> None:
    @settings(max_examples=examples)
    @given(CONTEXTS, EXPRESSIONS, *[st.tuples(STRINGS, STRINGS, st.integers(-4, 9))] * 2)
    def same(context: str, expression: str, seen: object, unseen: object) -> None:
        source = "def f(s, t, n):\n" + context.format(expression)
        assert_same_or_broken(source, "elements", f"f{seen!r}", f"f{unseen!r}")

    same()


@pytest.mark.parametrize(
    "source",
    [
        "def f(s):\n    return s.find('an')\n",  # no call shows the type
        "def f(find, s):\n    return find(s, 'an')\n",
        "def f(s):\n    return s.encode()\n",
    ],
)
def test_what_nothing_shows_stays(source: str) -> None:
    assert rewrite_source(source, "elements").source == source


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("for i in range(len(s)):\n        i = 0\n        print(s[i])", "i = 0"),
        ("for i in range(len(s)):\n        s = s[i] * 9\n    return s", "s = s[i] * 9"),
        ("for i in range(1, len(s)):\n        print(s[i])", "print(s[i])"),
        ("for s in range(len(s)):\n        print(s)", "print(s)"),
        ("for i in range(len(s)):\n        del i\n    return s[i]", "del i"),
        ("for i in range(len(s)):\n        yield lambda: s[i]", "yield lambda: s[i]"),
        (
            "def g():\n        nonlocal s\n        s = ''\n    for i in range(len(s)):\n        g()\n        s[i]",
            "s[i]",
        ),
    ],
)
def test_a_loop_whose_variables_may_change_stays(body: str, lines: str) -> None:
    source = f"def f(s):\n    {body}\n"
    made = rewrite_source(source, "enumerated_loop", calls=["f('banana')"])
    assert made.source == source
    assert lines in made.source
