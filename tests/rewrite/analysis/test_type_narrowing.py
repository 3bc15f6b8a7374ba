"""Type tests of variables that are bound again from themselves or each other: no circle, and no fact from elsewhere."""

from __future__ import annotations

from textwrap import indent

import pytest

from rewrite import rewrite_source

BRANCHES = "    if type({0}) is str:\n        {1}\n    else:\n        {2}\n"
ITSELF = BRANCHES.format("x", "x = x.upper()", "x = 'a'")
PROGRAMS = {
    "itself": ITSELF,
    "twice": ITSELF * 2,
    "in a loop": f"    for n in range(2):\n{indent(ITSELF, '    ')}",
    "in a while": "    while type(x) is not str or len(x) < 4:\n        if type(x) is str:\n            x = x + x\n"
    "        else:\n            x = 'ab'\n",
    "in a try": "    try:\n        if type(x) is str:\n            x = x.strip()\n        else:\n            x = x[0]\n"
    "    except TypeError:\n        x = 'a'\n    finally:\n        y = y.upper()\n",
    "each other": BRANCHES.format("x", "x = y.upper()", "x = 'a'") + BRANCHES.format("y", "y = x.upper()", "y = 'b'"),
    "three of them": BRANCHES.format("x", "x = y.upper()", "x = 'a'")
    + BRANCHES.format("y", "y = x.upper()", "y = 'b'")
    + BRANCHES.format("x", "x = x.lower() + y.lower()", "x = y.title()"),
    "augmented": BRANCHES.format("x", "x += x.upper()", "x = 'a'"),
    "walrus": BRANCHES.format("x", "x = (y := x.upper())", "x = (y := 'a')"),
    "chained": BRANCHES.format("x", "x = y = x.upper()", "x = y = 'a'"),
    "match": "    match x:\n        case str():\n            x = x.upper()\n        case _:\n            x = 'a'\n"
    + ITSELF,
    "not": "    if type(x) is not str:\n        x = str(5)\n    else:\n        x = x.upper()\n",
    "elif": "    if type(x) is str:\n        x = x.upper()\n    elif type(y) is str:\n        x = y.lower()\n"
    "    else:\n        x = 'a'\n",
    # `y` is a text behind the second test, and was none when `x` became what its method gives.
    "shown too late": BRANCHES.format("x", "x = y.upper()", "x = 'a'")
    + "    if type(y) is not str:\n        y = 'b'\n",
}
PRELUDE = """\
class Y:
    def upper(self): return [5, 'A']
    def lower(self): return 'low'
"""
CALLS = ["f('ba', 'y')", "f('ba', Y())", "f(5, 'y')", "f(['ba'], 'y')", "f((7,), Y())"]


def outcomes(source: str) -> list[object]:
    space: dict[str, object] = {"__name__": "program"}
    exec(compile(source, "<program>", "exec"), space)
    found: list[object] = []
    for call in CALLS:
        try:
            found.append(eval(call, space))
        except Exception as error:  # noqa: BLE001 - whatever a program raises is its outcome
            found.append((type(error), str(error)))
    return [repr(one) if not isinstance(one, tuple) else one for one in found]


@pytest.mark.parametrize("recipe", ["decompose", "methods"])
@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_a_variable_bound_from_itself_under_a_type_test(body: str, recipe: str) -> None:
    source = f"{PRELUDE}def f(x, y):\n{body}    return x.find('A'), type(x).__name__\n"
    result = rewrite_source(source, recipe)
    assert outcomes(result.source) == outcomes(source)
    assert rewrite_source(result.source, recipe).source == result.source


@pytest.mark.medium
def test_facts_that_rest_on_each_other_take_no_time() -> None:
    pair = BRANCHES.format("x", "x = y.upper() + z", "x = 'a'") + BRANCHES.format("y", "y = x.upper() + z", "y = 'b'")
    assert rewrite_source(f"def f(x, y, z):\n{pair * 30}    return x.find('a')\n").changed
