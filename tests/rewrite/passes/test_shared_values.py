"""Shared values: which expressions are computed again, and which read the temporary that holds their value."""

import pytest

from rewrite.anf.result import Rewritten
from rewrite.evidence.gather import gather_evidence
from rewrite.passes.cleanup.shared_values import share_values

USE = "print(_t0, s[-1])"


def shared(value: str, *lines: str, call: str = "f('ab', 1)", before: str = "") -> Rewritten:
    """The rewrite that has a temporary for the value before the lines."""
    original = "\n".join(["def f(s, n):", *(f"    {line}" for line in lines), ""]).replace("_t0", value)
    text = "\n".join(["def f(s, n):", *(f"    {line}" for line in (before or f"_t0 = {value}", *lines)), ""])
    return share_values(Rewritten(text, True), original, gather_evidence(original, [call]))


@pytest.mark.parametrize(
    ("value", "lines", "call"),
    [
        ("s[-1]", [USE], "f(['a'], 1)"),  # a list may change
        ("s[-1]", [USE], "len(())"),  # no call shows the type
        ("s[-1]", [USE], "f(type('S', (str,), {})('a'), 1)"),
        ("s[-1]", ["s = 'c'", USE], "f('ab', 1)"),
        ("s[-1]", ["print(_t0, s[1])"], "f('ab', 1)"),
        ("s[-1]", ["print(_t0, (lambda: s[-1])())"], "f('ab', 1)"),
        ("s[-1]", ["_t0 = n", USE], "f('ab', 1)"),
        ("s[-1]", [USE, "del s"], "f('ab', 1)"),
        ("s.upper()", ["print(_t0, s.upper())"], "f('ab', 1)"),
        ("len(s)", ["print(_t0, len(s))", "len = 1"], "f('ab', 1)"),
        ("s[-1]", [USE, "return locals()"], "f('ab', 1)"),
    ],
)
def test_a_value_is_computed_again(value: str, lines: list[str], call: str) -> None:
    made = shared(value, *lines, call=call)
    assert made.source.split("\n", 2)[2] == "\n".join([*(f"    {line}" for line in lines), ""])
    assert made.assumes == ()


@pytest.mark.parametrize(
    "head", ["def len(s):\n    return print(s) or 1\n", "from operator import length_hint as len\n"]
)
def test_a_len_of_the_program_is_called_again(head: str) -> None:
    original = f"{head}def f(s):\n    return len(s), len(s)\n"
    made = Rewritten(f"{head}def f(s):\n    _t0 = len(s)\n    return _t0, len(s)\n", True)
    assert share_values(made, original, gather_evidence(original, ["f('ab')"])) is made


def test_a_temporary_in_a_branch_does_not_hold_the_value_after_it() -> None:
    lines = ["if n:", "    print(s[-1])", "print(s[-1])"]
    text = "def f(s, n):\n    if n:\n        _t0 = s[-1]\n        print(_t0)\n    print(s[-1])\n"
    original = "\n".join(["def f(s, n):", *(f"    {line}" for line in lines), ""])
    made = Rewritten(text, True)
    assert share_values(made, original, gather_evidence(original, ["f('ab', 1)"])) is made


@pytest.mark.parametrize(
    ("value", "assumed"),
    [
        ("s[-1]", {"s": "str"}),
        ("len(s) - 1", {"s": "str"}),
        ("s[n:]", {"s": "str", "n": "int"}),
        ("s[n:len(s) - 2]", {"s": "str", "n": "int"}),
        ("s * n", {"s": "str", "n": "int"}),
    ],
)
def test_the_temporary_is_read_and_the_types_are_assumed(value: str, assumed: dict[str, str]) -> None:
    made = shared(value, f"print(_t0 or {value})", f"for c in [{value}]:", f"    print({value}, c)")
    body = "\n".join(["    print(_t0 or _t0)", "    for c in [_t0]:", "        print(_t0, c)", ""])
    assert made.source == f"def f(s, n):\n    _t0 = {value}\n{body}"
    assert {one.expression: one.what for one in made.assumes} == {
        name: f"is exactly {kind}" for name, kind in assumed.items()
    }
    assert {one.line for one in made.assumes} == {2}


def test_columns_are_counted_in_characters() -> None:
    original = "def f(s):\n    return 'é' + s[-1] + s[-1]\n"
    text = "def f(s):\n    _t0 = s[-1]\n    return 'é' + _t0 + s[-1]\n"
    made = share_values(Rewritten(text, True), original, gather_evidence(original, ["f('ab')"]))
    assert made.source == text.replace("+ s[-1]", "+ _t0")
    assert [(one.line, one.column) for one in made.assumes] == [(2, 18)]
