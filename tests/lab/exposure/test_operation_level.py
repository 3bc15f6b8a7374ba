"""Levels of exposure: which rewrites change the operation that failed, and which only something beside it."""

from __future__ import annotations

import pytest

from analyze import trace_call
from lab.exposure.operation_level import diagnose_operation, exposure_levels

TWICE = "def f(s):\n    if s.find('b') > 0:\n        return s.find('b')\n    return 0"
SUM = "def f(a, b):\n    return a * 10 + b"


def level(original: str, call: str, wrong: tuple[str, str], rewritten: str) -> int | None:
    """The level for the failure that replaces a value of the trace."""
    failing = diagnose_operation(original, call, trace_call(original, call).text.replace(*wrong))
    assert failing is not None
    found = exposure_levels(failing, original, rewritten, call)
    return None if found is None else found.lowest


@pytest.mark.parametrize(
    ("rewritten", "expected"),
    [
        (SUM, 0),  # no state shows a * 10
        (SUM.replace("return a * 10", "t = a * 10\n    return t"), 2),
    ],
)
def test_a_number_that_the_same_step_computes_is_not_shown(rewritten: str, expected: int) -> None:
    assert level(SUM, "f(3, 4)", ('"34"', '"35"'), rewritten) == expected


def test_an_operation_on_shown_numbers_that_failed_by_itself_is_only_shown() -> None:
    source = "def f(a, b):\n    c = a * b\n    return c"
    assert level(source, "f(3, 4)", ('"12"', '"13"'), source.replace("c = a * b", "d = a\n    c = d * b")) == 1


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (7, 2),  # a state shows the elements of a list of numbers
        ("'ab'", 1),
    ],
)
def test_of_several_suspects_one_on_a_list_is_split_by_a_state_that_shows_its_elements(
    item: int | str, expected: int
) -> None:
    source = "def f(a, i):\n    a.append(a.pop(i))\n    return a"
    split = "def f(a, i):\n    t = a.pop(i)\n    a.append(t)\n    return a"
    assert level(source, f"f([{item}, 1], 0)", (f'"[1, {item}]"', '"[1]"'), split) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("f('21x', 21)", 0),  # the string of several digits has elements, which no state shows
        ("f('21x', 2)", 2),
    ],
)
def test_of_several_suspects_one_on_single_characters_is_split_by_a_state_that_shows_them(
    call: str, expected: int
) -> None:
    source = "def f(s, n):\n    t = s.lstrip(str(n))\n    return t"
    rewritten = (
        "def f(s, n):\n    d = str(n)\n    c = list(s)\n    while c and c[0] in d:\n        c.pop(0)\n"
        "    t = ''.join(c)\n    return t"
    )
    result = repr(eval(call, {"f": lambda s, n: s.lstrip(str(n))}))
    assert level(source, call, (f'"t": "{result}"', '"t": "\'y\'"'), rewritten) == expected


@pytest.mark.parametrize(
    ("rewritten", "expected"),
    [
        (TWICE, 0),
        (TWICE.replace("return s.find('b')", "return list(s).index('b')"), 2),
        ("def f(s):\n    if list(s).index('b') > 0:\n        return s.find('b')\n    return 0", 0),
    ],
)
def test_the_same_operation_in_a_step_that_was_right_does_not_count(rewritten: str, expected: int) -> None:
    assert level(TWICE, "f('ab')", ('"1"', '"0"'), rewritten) == expected
