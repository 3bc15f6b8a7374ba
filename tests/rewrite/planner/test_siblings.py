"""Which operations are siblings, and that they get another form together."""

import re

import pytest

from rewrite import plan_rewrite
from rewrite.evidence.context import InterventionSite
from rewrite.planner.siblings import find_siblings, partial_results


def siblings(*lines: str) -> list[frozenset[str]]:
    """The calls of `g` that are siblings of others, by their argument."""
    source = "\n".join(lines) + "\n"
    spans = {InterventionSite(*found.span(), "temporaries"): found[1] for found in re.finditer(r"g\((\w)\)", source)}
    found = find_siblings(source, spans).values()
    return sorted({frozenset(spans[one] for one in group) for group in found if len(group) > 1}, key=sorted)


@pytest.mark.parametrize(
    "lines",
    [
        ["x = g(a) + h(g(b))"],
        ["x = g(a) + k * g(b)"],
        ["x = h(g(a)), k(g(b))"],
        ["x = g(a)", "y = 1", "z = g(b)"],
        ["x = g(a)", "y = 1 + g(b)"],
        ["if t:", "    x = g(a)", "x = g(b)"],
        ["if t:", "    x = g(a)", "if t:", "    x = 1 + g(b)"],
        ["if t:", "    x = g(a)", "else:", "    return g(b)"],
        ["if t:", "    x = g(a) + 1", "else:", "    x = 1 + g(b)"],
        ["if t:", "    x = 1", "    x = g(a)", "else:", "    x = g(b)"],
        ["if g(a):", "    x = 1", "elif g(b):", "    x = 2"],
        ["if t:", "    if u:", "        x = g(a)", "else:", "    if u:", "        x = g(b)"],
        ["for a in g(a):", "    x = 1", "else:", "    x = g(b)"],
    ],
)
def test_operations_at_different_places_are_no_siblings(lines: list[str]) -> None:
    assert siblings(*lines) == []


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["if t:", "    x = g(a)", "else:", "    x = g(b)"], [{"a", "b"}]),
        (["if t:", "    x = 'ä', g(a)", "else:", "    x = 'a', g(b)"], [{"a", "b"}]),
        (["if t:", "    x = h(g(a))", "elif u:", "    y = h(g(b))", "else:", "    z = h(g(c))"], [{"a", "b", "c"}]),
        (["if t:", "    x = g(a)", "    g(b)", "else:", "    x = g(c)", "    g(d)"], [{"a", "c"}, {"b", "d"}]),
    ],
)
def test_operations_at_the_same_place_of_two_branches_are_siblings(lines: list[str], found: list[set[str]]) -> None:
    assert siblings(*lines) == found


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (["x = g(a) + g(b)"], [{"a", "b"}]),
        (["x = g(a) * 2 + g(b) * 3"], [{"a", "b"}]),
        (["x = g(a) + g(b) + 1 - g(c)"], [{"a", "b", "c"}]),
        (["x = u * g(a) / g(b) + g(c)"], [{"a", "b"}]),
        (["x = g(a) < g(b)", "y = [g(c), 'ä', g(d)]"], [{"a", "b"}, {"c", "d"}]),
        (["x = h(1, g(a), g(b)) if g(c) and u and g(d) else 2"], [{"a", "b"}, {"c", "d"}]),
        (["x = 1 if g(a) else u", "y = u if g(b) else 'z'"], [{"a", "b"}]),
        (["for i in u:", "    h(g(a) + 1, i)", "    h(g(b) + 2, i)", "    g(c)"], [{"a", "b"}]),
        (["if t:", "    x = g(a), g(b)", "else:", "    x = g(c), g(d)"], [{"a", "b", "c", "d"}]),
    ],
)
def test_like_operands_and_like_statements_in_a_row_are_siblings(lines: list[str], found: list[set[str]]) -> None:
    assert siblings(*lines) == found


def test_a_part_of_a_like_operand_comes_with_the_whole_which_is_saved_before_it() -> None:
    source = "x = h(g(a)) + h(g(b)) + k(c)\n"
    whole, part = (
        [InterventionSite(*found.span(), "temporaries") for found in re.finditer(text, source)]
        for text in (r"h\(g\(\w\)\)", r"g\(\w\)")
    )
    found = find_siblings(source, [*whole, *part])
    assert found[whole[0]] == {*whole}
    assert found[part[1]] == {*whole, *part}


@pytest.mark.parametrize(
    ("line", "partial"),
    [
        ("x = g(a) * g(b)", []),
        ("x = g(a) * g(b) + g(c)", []),
        ("x = g(a) + (g(b) + g(c))", []),
        ("x = g(a) - g(b) + g(c) - 1", ["g(a) - g(b)", "g(a) - g(b) + g(c)"]),
        ("x = u(g(a) * 3 / g(b))", ["g(a) * 3"]),
        ("x = g(a) < 3 or g(b) > 3", []),
        ("x = g(a) < 3 or y or g(b) < 4", ["3", "a", "g", "g(a)", "g(a) < 3"]),
    ],
)
def test_a_partial_result_is_the_beginning_of_a_chain_of_operators(line: str, partial: list[str]) -> None:
    spans = [(start, end) for start in range(len(line)) for end in range(start, len(line) + 1)]
    found = partial_results(line, [InterventionSite(*span, "temporaries") for span in spans])
    assert sorted(line[one.start : one.end] for one in found) == partial


@pytest.mark.medium
def test_an_operation_has_one_form_in_all_branches() -> None:
    lines = ["def f(a):", "    if a > 5:", "        return ('x', a / (a * 7))", "    return ('y', a / (a * 7))", ""]
    source = "\n".join([*lines[:3], "    else:", "        return ('z', a / (a * 9))", ""])
    plan = plan_rewrite(source, ["f(3.14159)", "f(7.25)"])
    assert plan.source.count("quotient") == 4
    assert len(plan.choices) == 1  # counted once


@pytest.mark.medium
def test_a_branch_that_no_call_runs_is_left_alone() -> None:
    lines = ["def f(a):", "    if a > 5:", "        return ('x', a / (a * 7))", "    return ('z', a / (a * 9))", ""]
    made = plan_rewrite("\n".join(lines), ["f(3.14159)"]).source
    assert lines[2] in made
    assert lines[3] not in made
