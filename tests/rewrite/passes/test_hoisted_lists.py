"""Lists that each round of a loop would make again are made before it, if the loop runs and only reads them."""

import pytest

from rewrite.passes.cleanup.hoisted_lists import hoist_lists


def body(*lines: str) -> str:
    return "\n".join(["def f(a, b):", *(f"    {line}" for line in lines), ""])


@pytest.mark.parametrize(
    "lines",
    [
        ["for c in b:", "    _t0 = list(a)", "    print(_t0[0])"],
        ["for c in range(b):", "    _t0 = list(a)", "    print(_t0[0])"],
        [
            "for c in range(len(a)):",
            "    _t0 = list(a)",
            "    print(_t0[0])",
        ],  # of a number, `len` raises another error
        ["for c in range(2, 2):", "    _t0 = list(a)", "    print(_t0[0])"],
        ["for c in range(2):", "    _t0 = list(a)"],
        ["for c in range(2):", "    print(c)", "    _t0 = list(a)"],
        ["for c in range(2):", "    _t0 = list(a)", "    a = _t0.index(b)"],
        ["for a in range(2):", "    _t0 = list(a)", "    print(_t0[0])"],
        ["for c in range(2):", "    _t0 = list(a)", "    _t0.reverse()"],
        ["for c in range(2):", "    _t0 = list(a)", "    _t0[0] = c"],
        ["for c in range(2):", "    _t0 = list(a)", "    b(_t0)"],
        ["for c in range(2):", "    _t0 = list(a)", "    _t0 = _t0[1:]", "    print(_t0[0])"],
        ["for c in range(2):", "    _t0 = list(a)", "    print(_t0[0])", "return lambda: a"],
        ["for c in range(2):", "    _t0 = list(a)  # all", "    print(_t0[0])"],
        ["for c in range(2):", "    x = list(a)", "    print(x[0])"],
        ["for c in range(2):", "    _t0 = list(a)", "    import a", "    print(_t0[0])"],
        ["while b:", "    _t0 = list(a)", "    print(_t0[0])"],
        ["range = b", "for c in range(2):", "    _t0 = list(a)", "    print(_t0[0])"],  # it may have no rounds
        ["if b: s = a", "for c in range(2):", "    _t0 = list(s)", "    print(_t0[0])"],  # an error comes after `c = 0`
    ],
)
def test_a_list_stays_in_its_loop(lines: list[str]) -> None:
    assert hoist_lists(body(*lines))[0] == body(*lines)


@pytest.mark.parametrize("head", ["for c in range(10, 30):", "for c in a:", "for i, c in enumerate(a):"])
def test_a_list_is_made_before_its_loop_and_lines_keep_their_places(head: str) -> None:
    rest = ["    if b in _t0 and len(_t0) > 1:", "        print(_t0.count(b))"]
    text, lines = hoist_lists(body("b = b[:1]", head, "    _t0 = list(a)", *rest))
    assert text == body("b = b[:1]", "_t0 = list(a)", head, *rest)
    assert lines == [0, 1, 3, 2, 4, 5, 6]


def test_a_list_that_the_program_computes_stays_in_its_loop() -> None:
    original = body("for c in range(2):", "    b += len(list(a))", "    a.append(c)")
    text = body("for c in range(2):", "    _t0 = list(a)", "    b += len(_t0)", "    a.append(c)")
    assert hoist_lists(text, original)[0] == text
    assert hoist_lists(text)[0] != text
