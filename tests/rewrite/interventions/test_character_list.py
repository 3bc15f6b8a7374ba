"""Variables that hold a list instead of a string: uses that need the string keep it; slices are cut from a list."""

import pytest

from rewrite import check_equivalence, rewrite_source


def rewritten(value: str, result: str, call: str = "f('banana', 1)", recipe: str = "idioms") -> str:
    source = f"def f(text, n):\n    part = {value}\n    if not part:\n        return None\n    return {result}\n"
    made = rewrite_source(source, recipe, calls=[call])
    assert check_equivalence(source, made.source, [call], examples=20, assumes=made.assumes, inputs="any").equivalent
    return made.source


@pytest.mark.parametrize(
    "result",
    [
        "part.index('an')",  # not one character
        "part.index('a')",  # the error of a list has another message
        "part.count('a', 2)",
        "part[0]",  # so does this one
        "part.find('a')",
        "part == text",
    ],
)
def test_a_use_that_needs_the_string_keeps_it(result: str) -> None:
    assert "part = text[n:]\n" in rewritten("text[n:]", result, recipe="character_list")


def test_a_character_that_no_call_finds_keeps_the_string() -> None:
    source = "def f(text):\n    part = text[1:]\n    return part.index('x')\n"
    assert not rewrite_source(source, "character_list", calls=["f('banana')"]).changed


@pytest.mark.medium
def test_a_part_of_a_string_is_a_part_of_its_list() -> None:
    made = rewritten("text[n:]", "part.count(min(part)) + part.count('n')")
    assert "    _t0 = list(text)\n    part = _t0[n:]\n    if not part:\n" in made and "''.join" not in made


@pytest.mark.medium
@pytest.mark.parametrize(
    ("value", "steps"),
    [
        ("text[::-1]", ["part = list(text)", "part.reverse()"]),
        ("text[1:n]", ["_t0 = list(text)", "part = _t0[1:n]"]),
        ("text.upper()", ["part = list(text.upper())"]),
    ],
)
def test_other_values_are_listed(value: str, steps: list[str]) -> None:
    made = rewritten(value, "len(part)", "f('banana', 4)")
    assert "".join(f"    {line}\n" for line in steps) in made
