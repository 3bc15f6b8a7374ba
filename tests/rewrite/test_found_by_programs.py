"""Rewrites that drawn programs showed to be wrong, each made small: they compile and do the same."""

import pytest

from rewrite import check_equivalence, rewrite_source

FOUND = {
    "a yield in an arm of a returned conditional": (
        "def f(b):\n    return (yield b + 1) if t(b) else t(b + 8)\ndef t(x): return x\n",
        ["f(1)", "f(0)"],
    ),
    "a variable that a generator expression binds when it is read": (
        "def f(n):\n    x = -1\n    lazy = (x for i in range(n) if (x := i) % 2 == 0)\n    return x, list(lazy), x\n",
        ["f(2)"],
    ),
    "an index that the value of an augmented assignment rebinds": (
        "def f(x, i):\n    x[i] += (i := t(t(i) + 1))\n    return x, i\ndef t(n): return n\n",
        ["f([1, 2, 3], 0)"],
    ),
    "an object that the value of an augmented assignment rebinds": (
        "class C:\n    a = 1\ndef f(b):\n    x = y = C()\n    x.a += (x := t(t(b)))\n    return x, y.a\n"
        "def t(n): return n\n",
        ["f(1)"],
    ),
    "a comma after the last of the managers in parentheses": (
        "from contextlib import nullcontext as c\ndef f(b):\n    with (c(b) as a, c(b + 1),):\n        return a\n",
        ["f(1)"],
    ),
}


@pytest.mark.parametrize("recipe", ["decompose", "methods"])
@pytest.mark.parametrize("case", FOUND.values(), ids=FOUND)
def test_what_was_wrong_is_right(case: tuple[str, list[str]], recipe: str) -> None:
    source, calls = case
    verdict = check_equivalence(source, rewrite_source(source, recipe).source, calls, examples=10, inputs="any")
    assert verdict.equivalent, verdict.counterexample or verdict.why
