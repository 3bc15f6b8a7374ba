"""Assumptions about a changed text, stated about the original: where that cannot be done first."""

from __future__ import annotations

import pytest

from rewrite.evidence.assumptions import Assumption
from rewrite.passes.candidate import Edit, apply_edits
from rewrite.planner.source_origins import SourceOrigins

SOURCE = "def f(values):\n    total = 0\n    for value in values:\n        total += value\n    return total\n"


def changed(source: str, *edits: Edit) -> SourceOrigins:
    return SourceOrigins.of(source).edited(edits, apply_edits(source, edits).source)


def replacing(source: str, old: str, new: str, origins: tuple[int, ...] = ()) -> Edit:
    start = source.index(old)
    return Edit(start, start + len(old), new, origins)


def renaming(source: str, old: str, new: str) -> list[Edit]:
    starts = [at for at in range(len(source)) if source.startswith(old, at) and not source[at + len(old)].isalnum()]
    return [Edit(at, at + len(old), new) for at in starts]


@pytest.mark.parametrize(
    ("edit", "assumption", "why"),
    [
        (replacing(SOURCE, "value\n", "value + 1\n"), Assumption(4, 18, "value + 1", "is exactly int"), "written"),
        (replacing(SOURCE, "total = 0", "total = other"), Assumption(2, 13, "other", "is exactly int"), "new name"),
        (replacing(SOURCE, "values:", "sorted(values):"), Assumption(3, 25, "values", "is exactly str"), "inside it"),
        (replacing(SOURCE, "0", "1"), Assumption(9, 1, "total", "is exactly int"), "not there"),
    ],
)
def test_what_a_pass_wrote_cannot_be_stated(edit: Edit, assumption: Assumption, why: str) -> None:
    assert changed(SOURCE, edit).assumption(assumption) is None


def test_what_is_untouched_keeps_its_expression_and_gets_its_old_place() -> None:
    made = changed(SOURCE, replacing(SOURCE, "    total = 0\n", ""))
    assert made.assumption(Assumption(3, 18, "value", "is exactly int")) == Assumption(4, 18, "value", "is exactly int")


def test_what_is_renamed_gets_its_old_name_also_when_renamed_twice() -> None:
    once = changed(SOURCE, *renaming(SOURCE, "value", "v"))
    assert "total += v\n" in once.text
    again = once.edited(edits := renaming(once.text, "v", "w"), apply_edits(once.text, tuple(edits)).source)
    for made, name in ((once, "v"), (again, "w")):
        assert made.assumption(Assumption(4, 18, name, "is exactly int")) == Assumption(
            4, 18, "value", "is exactly int"
        )


def test_what_is_moved_with_its_line_gets_its_old_place() -> None:
    edits = (
        Edit(
            0,
            0,
            "def g(total, values):\n    for value in values:\n        total += value\n    return total\n",
            (1, 3, 4, 5),
        ),
        replacing(SOURCE, "    for value in values:\n        total += value\n", "    total = g(total, values)\n"),
    )
    made = changed(SOURCE, *edits)
    assert made.assumption(Assumption(3, 18, "value", "is exactly int")) == Assumption(4, 18, "value", "is exactly int")
    assert made.assumption(Assumption(7, 15, "total", "is exactly int")) is None  # of the new call's line


def test_an_expression_over_several_lines_is_shown_on_one() -> None:
    source = "def f(a):\n    name = 1\n    return (a +\n        name)\n"
    made = changed(source, *renaming(source, "name", "n"))
    assert made.assumption(Assumption(3, 13, "a + n", "is exactly int")) == Assumption(
        3, 13, "a + name", "is exactly int"
    )
