"""Translation tables that are read stay, as do those of the program; others give their name to the pairs."""

import pytest

from rewrite.passes.cleanup.unused_tables import drop_tables


@pytest.mark.parametrize(
    "body",
    [
        "    _t0 = dict(zip(a, b))\n    c = str.maketrans(_t0)\n    return a.translate(c)\n",
        "    pairs = dict(zip(a, b))\n    c = str.maketrans(pairs)\n    return pairs\n",  # not a temporary
        "    global c\n    _t0 = dict(zip(a, b))\n    c = str.maketrans(_t0)\n    return _t0\n",
        "    _t0 = dict(zip(a, b))\n    c = str.maketrans(_t0)\n    return lambda: _t0\n",
        "    _t0 = dict(zip(a, b))\n    c = str.maketrans(_t0); print(a)\n    return _t0\n",
    ],
)
def test_other_tables_stay(body: str) -> None:
    source = "def f(a, b):\n" + body
    assert drop_tables(source)[0] == source


def test_an_unused_table_gives_its_name_to_the_pairs() -> None:
    before = (
        "def f(a, b):\n    _t0 = dict(zip(a, b))\n    c = str.maketrans(_t0)\n    for d in _t0:\n        print(d)\n"
    )
    after = "def f(a, b):\n    c = dict(zip(a, b))\n    for d in c:\n        print(d)\n"
    assert drop_tables(before) == (after, [0, 1, 3, 4, 5])
