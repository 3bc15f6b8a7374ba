"""Mutation of programs: the result compiles, differs, and depends on the seed only."""

import random

import pytest

from rewrite.testing.mutation import mutated

SOURCES = {
    "an f-string": "def f(x):\n    assert x > 1, f'only {x} of 2'\n    return x\n",
    "a loop": "def f(xs):\n    n = 0\n    for x in xs:\n        if x and n < 3:\n            n += x\n    return n\n",
    "nothing to change": "pass\n",
}


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_made_compiles(name: str) -> None:
    source = SOURCES[name]
    made = [mutated(source, random.Random(seed), 2) for seed in range(200)]
    for text in set(made):
        compile(text, "mutated", "exec")
    assert made == [mutated(source, random.Random(seed), 2) for seed in range(200)]
    assert len(set(made)) > 20 or name == "nothing to change"
