"""An inner function that is not bound yet: the same exception, at the same moment, as before."""

from __future__ import annotations

import pytest

from rewrite import rewrite_source

INNER = ["def g(v): return v", "class g: pass"]
USES = [
    "r = [g(t(c)) + 1 for c in range(2)]",
    "r = {c: g(t(c) + 1) for c in [1]}",
    "r = g(t(1) + 1)",
    "r = t(g(t(1) + 1))",
]
PLACES = [
    "def f(k):\n    {1}\n    {0}\n    return r\n",
    "def f(k):\n    if k:\n        {0}\n    {1}\n    return r\n",
    "def f(k):\n    {0}\n    if not k: del g\n    {1}\n    return r\n",
    "def f(k):\n    for i in range(2):\n        if i or not k:\n            {1}\n        {0}\n    return r\n",
]


def outcome(source: str) -> tuple[str, object]:
    space: dict[str, object] = {}
    exec(f"LOG = []\ndef t(v):\n    LOG.append(v)\n    return v\n{source}", space)
    try:
        return repr(space["f"](0)), space["LOG"]  # type: ignore[operator]
    except Exception as error:  # noqa: BLE001 - whatever a program raises is its outcome
        return repr(error), space["LOG"]


@pytest.mark.parametrize("options", [{}, {"conditions": True}, {"release": True}], ids=str)
@pytest.mark.parametrize("place", PLACES)
def test_a_function_that_is_not_bound_yet(place: str, options: dict[str, object]) -> None:
    for inner in INNER:
        for use in USES:
            source = place.format(inner, use)
            made = rewrite_source(source, **options)  # type: ignore[arg-type]
            assert outcome(made.source) == outcome(source), made.source
            assert not rewrite_source(made.source, **options).changed  # type: ignore[arg-type]


def test_a_function_that_is_bound_keeps_no_comprehension() -> None:
    made = rewrite_source("def f():\n    def g(v): return v\n    return [g(x) + 1 for x in [1]]\n")
    assert "for x in [1]:" in made.source
    assert not made.left
