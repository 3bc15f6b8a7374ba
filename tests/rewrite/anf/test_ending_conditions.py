"""Conditions that end the function: a `return` for each operand of an and/or, and a loop that returns or raises."""

import pytest

from rewrite import check_equivalence, plan_rewrite
from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once


def rewritten(*lines: str, call: str, recipe: str) -> list[str]:
    """The body of a function in a condensed rewrite, which was compared with the function."""
    source = "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])
    context = RewriteContext("assume", gather_evidence(source, [call]), condensed=True)
    made = rewrite_once(source, recipe, context, options={})
    assert check_equivalence(source, made.source, [call], examples=10, assumes=made.assumes).equivalent
    return [line[4:] for line in made.source.split("\n")[1:-1]]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("return a and len(b) > 3", "f([1], [2])"),  # no bool
        ("return a == 1 and b == 2 and len(b) > 3", "f(2, [2])"),  # was the second operand a bool?
        ("return (a, len(b) > 3 and a)", "f([1], [2])"),
    ],
)
def test_any_other_value_does_not_end_the_function(line: str, call: str) -> None:
    assert "return False" not in "\n".join(rewritten(line, call=call, recipe="expressions"))


@pytest.mark.medium
@pytest.mark.parametrize(
    ("lines", "after", "call", "recipe"),
    [
        (
            ["return len(a) == 1 and len(b) + 1 > 3"],
            ["_t0 = len(a)", "if _t0 != 1:", "    return False", "_t1 = len(b)", "_t2 = _t1 + 1", "return _t2 > 3"],
            "f([1], [2])",
            "expressions",
        ),
        (
            ["return a.isdigit() or b.isdigit() or b.upper() == b"],
            [
                *("if a.isdigit():", "    return True", "if b.isdigit():", "    return True"),
                *("_t0 = b.upper()", "return _t0 == b"),
            ],
            "f('a', 'b')",
            "expressions",
        ),
        (
            ["return all(c < 3 for c in a) and any(c < 3 for c in b)"],
            [
                *("for c in a:", "    if not c < 3:", "        return False"),
                *("for c in b:", "    if c < 3:", "        return True", "return False"),
            ],
            "f([1], [2])",
            "idioms",
        ),
        (
            ["return all(c == 3 for c in a) or b"],
            [
                *("_t0 = True", "for c in a:", "    if c != 3:", "        _t0 = False", "        break"),
                *("if _t0:", "    return True", "return b"),
            ],
            "f([1], 2)",
            "idioms",
        ),
    ],
)
def test_each_operand_of_a_returned_condition_may_end_the_function(
    lines: list[str], after: list[str], call: str, recipe: str
) -> None:
    assert rewritten(*lines, call=call, recipe=recipe) == after


@pytest.mark.medium
@pytest.mark.parametrize(
    "body",
    [
        ["    b += 1"],
        ["    for d in a:", "        return d"],
        ["    return 1", "else:", "    b += 1"],
    ],
)
def test_a_block_that_goes_on_runs_after_the_loop(body: list[str]) -> None:
    lines = rewritten("if any(c > 3 for c in a):", *body, "return b", call="f([1], 2)", recipe="idioms")
    assert "        break" in lines


@pytest.mark.medium
def test_a_block_that_continues_another_loop_runs_after_the_loop() -> None:
    body = ["for d in b:", "    if any(c > d for c in a):", "        continue", "        return 1", "return b"]
    assert "            break" in rewritten(*body, call="f([1], [2])", recipe="idioms")


WORK = [
    ["raise ValueError(len(a))"],
    ["return b + 1"],
    ["a.append(1)", "return a"],
    ["b = f'{b}'", "print(b)", "return b"],
]


@pytest.mark.medium
@pytest.mark.parametrize("body", WORK)
def test_a_block_that_does_more_runs_after_the_iterator_is_released_unless_that_runs_no_code(body: list[str]) -> None:
    inside = ["        " + line for line in body]
    lines = ["if any(c > 3 for c in a):", *(line[4:] for line in inside), "return b"]
    after = ["for c in a:", "    if c > 3:", *inside, "return b"]
    assert rewritten(*lines, call="f([1], 2)", recipe="idioms") == after
    lines[0] = "if any(c > 3 for c in iter(a)):"
    assert "        break" in rewritten(*lines, call="f([1], 2)", recipe="idioms")


@pytest.mark.medium
@pytest.mark.parametrize("end", ["return", "return b", "return 'x'", "raise ValueError('no')"])
def test_a_loop_ends_the_function_where_an_item_decides(end: str) -> None:
    loop = ["for c in a:  # why", "    if c > 3:", f"        {end}", "return b"]
    for test in ("any(c > 3 for c in a)", "not all(not c > 3 for c in a)"):
        after = [loop[0], "    if not not c > 3:" if "not c" in test else loop[1], *loop[2:]]
        made = rewritten(f"if {test}:  # why", f"    {end}", "return b", call="f([1], 2)", recipe="idioms")
        assert made == after
    assert rewritten(f"if any(c > 3 for c in a): {end}", "return b", call="f([1], 2)", recipe="idioms")[1:] == loop[1:]


@pytest.mark.medium
def test_the_block_has_the_names_of_the_function() -> None:
    lines = ["c = b", "if any(c > 3 for c in a):", "    return c", "return b"]
    after = ["c = b", "for _t0 in a:", "    if _t0 > 3:", "        return c", "return b"]
    assert rewritten(*lines, call="f([1], 2)", recipe="idioms") == after


@pytest.mark.medium
def test_the_condition_of_a_while_that_moves_into_the_loop_has_the_opposite_operator() -> None:
    lines = "while a[-1] == b:", "    a.pop()", "return a"
    assert rewritten(*lines, call="f(['a', 'n', 'n'], 'n')", recipe="expressions")[:3] == [
        "while True:",
        "    _t0 = a[-1]",
        "    if _t0 != b:",
    ]


@pytest.mark.medium
@pytest.mark.parametrize(
    ("condition", "call"),
    [
        ("not a or not all(c > 0 for c in a['b'])", "f({'b': [1]}, 0)"),
        ("len(a) > 9 or not any(c in b for c in a.strip())", "f(' ab', 'b')"),
        ("all(c.isdigit() for c in a.strip()) and not any(c in b for c in a.lower())", "f(' 12 ', 'x')"),
    ],
)
@pytest.mark.parametrize("failed", [False, True])
def test_a_generator_whose_iterable_became_a_step_stays_as_it_is(condition: str, call: str, failed: bool) -> None:
    source = f"def f(a, b):\n    if {condition}:\n        return 1\n    return len(a)\n"
    plan = plan_rewrite(source, [call], failed=failed)
    assert check_equivalence(source, plan.source, [call], examples=10, assumes=plan.assumes).equivalent
