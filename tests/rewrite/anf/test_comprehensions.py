"""A comprehension that stays: its first iterable is materialized, except a call whose items the loop shows."""

import pytest

from rewrite import check_equivalence, rewrite_source

SOURCE = "def f(n, m):\n    return [[0 for j in {}] for i in range(m)]\n"
RANGE = "range(n)"


@pytest.mark.parametrize("iterable", ["sorted(n)", "n[1:]", "n + n"])
def test_another_iterable_is_materialized(iterable: str) -> None:
    made = rewrite_source(SOURCE.format(iterable), "decompose").source
    assert f" = {iterable}\n" in made and f"in {iterable}]" not in made


@pytest.mark.parametrize("shadow", ["range = list", "def range(n):\n    return n"])
def test_a_call_that_may_be_another_function_is_materialized(shadow: str) -> None:
    assert f" = {RANGE}\n" in rewrite_source(f"{shadow}\n{SOURCE.format(RANGE)}", "decompose").source


def test_conditions_asks_for_every_value() -> None:
    assert f" = {RANGE}\n" in rewrite_source(SOURCE.format(RANGE), "decompose", conditions=True).source


@pytest.mark.parametrize("iterable", [RANGE, "range(1, n)", "enumerate([n])", "reversed((n, m))"])
def test_a_call_that_the_loop_shows_stays_in_its_head(iterable: str) -> None:
    source = SOURCE.format(iterable)
    made = rewrite_source(source, "decompose").source
    assert made != source and "range(m):\n" in made
    assert iterable.partition("(")[0] + "(" in made.partition("[0 for j in ")[2]
    assert check_equivalence(source, made, ["f(2, 3)"], examples=0).equivalent


def test_its_arguments_are_materialized() -> None:
    made = rewrite_source("def f(a):\n    return [0 for i in range(len(a) + 1)], 1\n", "decompose").source
    assert "_t1 = _t0 + 1\n" in made and "for i in range(_t1)]" in made
