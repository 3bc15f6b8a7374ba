"""A second rewrite changes nothing: a minimal program for each form that once was changed again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from rewrite import rewrite_source
from tests.samples import sampled

WITHOUT_CALLS = {
    "a count that is a variable": ("decompose", {}, "def f(s, n):\n    return s.replace('a', 'b', n)\n"),
    "the same, with conditions": ("decompose", {"conditions": True}, "def f(s, t):\n    return s.replace(t, 'b', 3)\n"),
    "comprehension over a text": ("decompose", {}, "def f():\n    return ['xyx'.count(c) for c in 'xy']\n"),
    "comprehension in another": (
        "decompose",
        {},
        "def f():\n    return [['xyx'.count(c) for c in 'xy'] for d in 'a']\n",
    ),
    "loop over a joined text": (
        "decompose",
        {},
        "def f(xs):\n    n = 0\n    for c in ''.join(xs):\n        if c in 'abc':\n            n += 1\n    return n\n",
    ),
    "module, letters": ("letters", {}, "s = input()\nx = s.upper()\n"),
    "class, letters": ("letters", {}, "class A:\n    s = input()\n    x = s.upper()\n"),
    "generator, letters": ("letters", {}, "def f():\n    return sum(1 for c in 'ab' if not c.isdigit())\n"),
    "generator, methods": ("methods", {}, "def f():\n    return sum(1 for c in 'ab' if not c.isdigit())\n"),
    "generator with two": (
        "methods",
        {},
        "def f(s, xs):\n    return any(s.find(c) > 0 and c.isdigit() for c in 'ab' for s in xs)\n",
    ),
    "generator, text in itself": ("methods", {}, "def f(s, xs):\n    return any(x > s.count(s) for x in xs)\n"),
    "module that may set its own variables": (
        "decompose",
        {"depth": 1},
        "class V:\n    def m(self, x): super().__setattr__('a', x)\nx = input()\nx += ('-' in {input(), x})\n",
    ),
    "class whose temporary is a bool": ("decompose", {}, "class K:\n    x = f('-' in (y not in z))\n"),
    "class whose temporary has a readable name": (
        "decompose",
        {"names": "readable", "conditions": True},
        "class K:\n    x = f('-' in (y in z))\n",
    ),
    "fields of adjacent strings, depth 2": (
        "decompose",
        {"depth": 2},
        "def f(p, q):\n    return p(f'{p().a.b} ' f'to {q().a.b}').c\n",
    ),
    "lambda, text in itself": ("methods", {}, "def f(s):\n    return (lambda x: x > s.count(s))(1)\n"),
}
WITH_CALLS = {
    "negation": (
        "expressions",
        {"conditions": True},
        "def f(s):\n    for c in s:\n        if not c.isalpha():\n            return False\n    return True\n",
        "f('ab1')",
    ),
    "function set apart": (
        "decompose",
        {"conditions": True},
        "def f(s, xs):\n    a = 0\n    b = 1\n    n = 2\n    return s.find('b'), len(xs), a, b, n\n",
        "f('abcdefghb', [1])",
    ),
    "variable whose only use is the list of its characters": (
        "idioms",
        {},
        "def f(ws):\n    text = 'banana'\n    r = [text.find(text) for text in ws]\n    return r, text.find('a')\n",
        "f(['a'])",
    ),
    "letters before a loop": (
        "letters",
        {},
        "def f(s, c):\n    n = s.find(c)\n    for x in c:\n        n += 1\n    return s.index(c), n\n",
        "f('banana', 'an')",
    ),
    "characters of a part": (
        "idioms",
        {},
        "def f(s, c):\n    return s.rindex(c, 0, 2), s.index(c, 1)\n",
        "f('banana', 'a')",
    ),
    "strings of a translation table": (
        "idioms",
        {},
        "def f(s, a, b):\n    table = str.maketrans(a.lower(), b.lower())\n    return s.translate(table)\n",
        "f('banana', 'an', 'xy')",
    ),
    "characters to strip that are computed": (
        "idioms",
        {},
        "def f(text):\n    for i in range(10, 0, -1):\n        text = text.lstrip(str(i))\n    return text\n",
        "f('25000   $')",
    ),
    "digits of a number": ("idioms", {}, "def f(n):\n    return bin(n)[2:], bin(n).count('1')\n", "f(5)"),
    "characters to strip": ("idioms", {}, "def f(s, chars):\n    return s.strip(chars)\n", "f('banana', 'xy')"),
    "dict": ("decompose", {}, "def f(text):\n    return {c: text.count(c) for c in text}\n", "f('aab')"),
    "next to a counted place": (
        "decompose",
        {},
        "def f(s):\n    i = 1\n    n = 0\n    while i < len(s):\n        n += s[i - 1] != s[i]\n        i += 1\n"
        "    return n\n",
        "f('aabc')",
    ),
    "places next to each other": (
        "decompose",
        {},
        "def f(s):\n    i = 0\n    for x in s:\n        j = i + 1\n        i = j - 1\n        if s[j - 1] != s[i]:\n"
        "            i += 1\n"
        "    return i\n",
        "f('aabc')",
    ),
}
OPERATIONS = [
    *(
        "s.replace('a', t, n)",
        "''.join(xs)",
        "s.count(t)",
        "s.find('a', n)",
        "s.split(t, n)",
        "s.strip(t)",
        "s.upper()",
    ),
    *("not s.isdigit()", "t in s", "s[::-1]", "s.center(n, t)", "s.lower().count('a')", "s[n - 1] + s[n + 1]"),
]
SCOPES = [
    "def f(s, t, n, xs):\n    if {0}:\n        return [{0} for s in xs if {0}]\n    return {0} and {0}\n",
    "def f(s, t, n, xs):\n    t = 'a'\n    return [{0} for t in s], [{0} for t in xs], any({0} for t in 'ab' if {0})\n",
    "def f(s, t, n, xs):\n    for c in {0}:\n        for n in range(len(s)):\n            print(n, {0})\n"
    "    return lambda t: {0}\n",
    "s = t = ''\nn, xs = 1, []\nclass A:\n    x = {0}\ny = {0}\n",
]
OPTIONS = {"decompose": {}, "methods": {}, "letters": {}, "decompose conditions": {"conditions": True}}


@pytest.mark.parametrize(("recipe", "options", "source"), WITHOUT_CALLS.values(), ids=WITHOUT_CALLS)
def test_a_second_rewrite_changes_nothing(recipe: str, options: Mapping[str, object], source: str) -> None:
    once = rewrite_source(source, recipe, **options).source  # type: ignore[arg-type]
    assert rewrite_source(once, recipe, **options).source == once  # type: ignore[arg-type]


@pytest.mark.parametrize(("recipe", "options", "source", "call"), WITH_CALLS.values(), ids=WITH_CALLS)
def test_a_second_rewrite_with_the_same_calls_changes_nothing(
    recipe: str, options: Mapping[str, object], source: str, call: str
) -> None:
    once = rewrite_source(source, recipe, calls=[call], cost=None, **options).source  # type: ignore[arg-type]
    assert rewrite_source(once, recipe, calls=[call], cost=None, **options).source == once  # type: ignore[arg-type]


EACH = list(product(SCOPES, OPTIONS))


@pytest.mark.medium
@pytest.mark.parametrize(("scope", "setting"), sampled(EACH, map("-".join, EACH), every=3))
def test_operations_in_every_scope_are_stable(scope: str, setting: str) -> None:
    for operation in OPERATIONS:
        source = scope.format(operation)
        test_a_second_rewrite_changes_nothing(setting.partition(" ")[0], OPTIONS[setting], source)


def test_a_variable_of_a_comprehension_is_not_that_of_the_function() -> None:
    source = "def f(xs):\n    x = 'a'\n    return [['aba'.count(y) for y in x] for x in xs], x\n"
    space: dict[str, object] = {}
    exec(rewrite_source(source).source, space)
    assert eval("f(['ab', 'b', ['ba']])", space) == ([[2, 1], [1], [1]], "a")
