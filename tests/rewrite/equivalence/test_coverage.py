"""Lines and branches that calls reach, counted in the sandbox."""

from rewrite.equivalence.coverage import measure_coverage

BRANCHES = """\
def f(x):
    '''Docstring.'''
    total = 0
    if x > 10:
        total = 1
    for i in range(x):
        total += i
    while total > 100:
        total -= 1
    else:
        total += 0
    return total
"""


def test_what_no_call_reaches_is_named() -> None:
    found = measure_coverage(BRANCHES, ["f(0)"])
    assert found.missed_lines == (5, 7, 9)
    assert found.missed_branches == ((4, "never true"), (6, "never true"), (8, "never true"))
    assert found.lines == (3, 4, 6, 8, 11, 12)


def test_all_is_reached_by_enough_calls() -> None:
    found = measure_coverage(BRANCHES, ["f(0)", "f(50)"])
    assert (found.missed_lines, found.missed_branches) == ((), ())


def test_a_test_that_was_never_false_is_named() -> None:
    assert measure_coverage("def f(x):\n    if x:\n        x = 2\n    return x\n", ["f(1)"]).missed_branches == (
        (2, "never false"),
    )


def test_a_call_that_raises_leaves_the_rest_unreached_and_takes_no_branch() -> None:
    found = measure_coverage("def f(x):\n    if x[0]:\n        return 1\n    return 2\n", ["f([])"])
    assert found.missed_lines == (3, 4)
    assert found.missed_branches == ((2, "never false"), (2, "never true"))


def test_a_program_that_does_not_end_is_counted_as_far_as_it_came() -> None:
    found = measure_coverage("def f():\n    while True:\n        x = 1\n    return x\n", ["f()"])
    assert 3 in found.lines
    assert found.missed_lines == (4,)
    assert found.note


DECLARATIONS = """\
def f():
    global n
    try:
        n = 1
    finally:
        n = 2
    def g():
        return 1
    return g()
"""


def test_declarations_make_no_step_and_are_not_missed() -> None:
    assert measure_coverage(DECLARATIONS, ["f()"]).missed_lines == ()
