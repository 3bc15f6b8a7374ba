"""An operand of an operation on items keeps its value, whatever the comparisons, keys and items of it rebind."""

import pytest

from rewrite import rewrite_source
from tests.rewrite.drawn import call_outcome

CLASS = """\
class E:
    def __init__(self, v): self.v = v
    def __eq__(self, other): {0}; return self.v == other
    def __lt__(self, other): {0}; return self.v < other.v
    def __gt__(self, other): {0}; return self.v > other.v
"""
COMPARED = f"{CLASS.format('global D; D = E(9)')}def f(n):\n    global D\n    D = E(n)\n    return {{}}.v\n"
COUNTED = f"{CLASS.format('global D; D += 1')}def f(n):\n    global D\n    D = n\n    return {{}}\n"
RUN = "def g(x=0):\n    global D\n    D += 1\n    return x\ndef f(n):\n    global D\n    D = -n\n    return {}\n"
DEFAULTS = ("min(range(g()), default=D)", "max(range(g()), default=D, key=abs)")
WRONG = (
    *((COMPARED.format(one), "f(5)", ["f(0)"]) for one in ("max(E(1), D)", "min(E(9), D)")),
    (COMPARED.format("max([D, E(1)], key=lambda x: D)"), "f(5)", ["f(0)"]),
    *((COUNTED.format(one), "f(7)", ["f(6)"]) for one in ("[E(5), E(7)].count(D)", "[E(5), E(6), E(7)].index(D)")),
    *((RUN.format(one), "f(1)", []) for one in DEFAULTS),
    (RUN.format("max((x for x in range(3) if g(x) > n), default=D)"), "f(1)", ["f(5)"]),
    (RUN.format("sorted(range(n), key=lambda x: g(x), reverse=D)"), "f(1)", ["f(3)"]),
)


@pytest.mark.parametrize(("source", "seen", "unseen"), WRONG, ids=[source.splitlines()[-1] for source, *_ in WRONG])
@pytest.mark.parametrize("recipe", ["elements", "consumed_generator"])
def test_what_an_operation_rebinds_is_read_before(source: str, seen: str, unseen: list[str], recipe: str) -> None:
    for calls in ([], [seen]):
        made = rewrite_source(source, recipe, calls=calls, cost=None)
        assert not any("something else" in one.reason for one in made.left)
        for call in (seen, *unseen):
            assert call_outcome(made.source, call) == call_outcome(source, call)


def test_a_default_without_a_value_fails_after_the_items() -> None:
    source = "def f(n):\n    if n:\n        d = 1\n    return max(print(n), default=d)\n"
    assert not rewrite_source(source, "compared_values").changed
