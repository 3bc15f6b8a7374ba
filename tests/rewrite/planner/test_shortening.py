"""Which of the passes that suffice is applied: none that misleads a reader, if there is another one."""

import pytest

from rewrite.planner.shortening import shorten

SOURCE = """\
def f(numbers_of_the_row):
    largest_number = max(numbers_of_the_row)
    smallest_number = largest_number - 1
    return smallest_number
"""
REUSED, RENAMED = "reuse largest_number, which is dead, for smallest_number", "rename largest_number to a"


@pytest.mark.parametrize(
    ("reused", "renamed", "what"),
    [
        (95, 90, RENAMED),  # a name that says something else removes less, but misleads
        (90, 95, RENAMED),
        (95, 110, REUSED),
        (120, 110, RENAMED),  # neither suffices: the shorter one
    ],
)
def test_a_variable_is_reused_only_if_no_other_pass_suffices(reused: int, renamed: int, what: str) -> None:
    def count(source: str) -> int:
        return (
            500
            if source.count("largest_number") + source.count("a = max") == 0
            else (reused if "smallest_number" not in source and "largest_number" in source else renamed)
        )

    states, _ = shorten(SOURCE, ["f([1])"], count, 500, 100)
    assert states[1].applied[0][2].startswith(what)
