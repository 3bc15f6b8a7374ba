from random import Random

import pytest

from analyze.gold_trace.trace import trace_in_process
from runner.pocket.data import WEIGHTS, draw
from runner.pocket.forms import other_form, with_characters_shown

KINDS = [kind for kind in WEIGHTS if kind[0] != "permutations"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind[1])
def test_another_form_gives_the_same_result(kind: tuple[str, str]) -> None:
    changed = 0
    for seed in range(12):
        case = draw(Random(f"{kind} {seed}"), *kind)
        other = other_form(case, Random(seed))
        changed += other.source != case.source
        assert trace_in_process(other.context)[-1].value == trace_in_process(case.context)[-1].value
    # A branch holds one operation a line: there is nothing to rewrite.
    assert bool(changed) == (kind[1] != "branch")


def test_characters_are_shown_in_the_function_that_is_called_alone() -> None:
    source = "def g(c):\n    return c + 'a'\n\ndef f(s):\n    return g(s)"
    shown = with_characters_shown(source)
    assert shown == "def g(c):\n    return c + 'a'\n\ndef f(s):\n    s_chars = list(s)\n    return g(s)"


def test_the_form_is_a_function_of_the_chance() -> None:
    case = draw(Random(3), "functions", "string method")
    assert other_form(case, Random(5)) == other_form(case, Random(5))
    assert len({other_form(case, Random(seed)).source for seed in range(30)}) > 2
