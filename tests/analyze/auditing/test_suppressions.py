"""Comments that suppress findings: what they cover, and which of them suppress nothing."""

from __future__ import annotations

import ast

import pytest

from analyze.auditing.suppressions import SuppressionUse, UnusedSuppression, find_suppressions


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        pytest.param("a = 1  # spellout: ignore\nb = 2\n", (1, 1), id="its line"),
        pytest.param("# spellout: ignore\na = 1\nb = 2\n", (2, 2), id="the next statement"),
        pytest.param("# spellout: ignore\n\n# other\na = 1\n", (4, 4), id="the next statement, not the next line"),
        pytest.param("a = (\n    1,\n    2,  # spellout: ignore\n)\n", (1, 4), id="the whole statement"),
        pytest.param("if a:  # spellout: ignore\n    b = 1\n", (1, 1), id="the header of a block"),
        pytest.param("for a in (\n    1,  # spellout: ignore\n):\n    b = 1\n", (1, 3), id="a header of several lines"),
        pytest.param("def f():  # spellout: ignore\n    b = 1\n    return b\n", (1, 3), id="a function, all of it"),
        pytest.param("# spellout: ignore\n@d\ndef f():\n    return 1\n", (2, 4), id="a function with its decorators"),
        pytest.param("if a:\n    # spellout: ignore\n    b = 1\nc = 2\n", (3, 3), id="a statement in a block"),
        pytest.param("match a:  # spellout: ignore\n    case 1:\n        b = 1\n", (1, 1), id="the subject of a match"),
        pytest.param("a = 1\n# spellout: ignore\n", (2, 2), id="nothing, at the end of the file"),
    ],
)
def test_what_a_comment_covers(source: str, lines: tuple[int, int]) -> None:
    (found,) = find_suppressions(source, ast.parse(source))
    assert (found.first, found.last) == lines


@pytest.mark.parametrize(
    ("comment", "codes", "checked"),
    [
        ("# spellout: ignore", None, True),
        ("#spellout:ignore[CASE]", ("CASE",), True),
        ("# spellout: ignore [CASE, EDGE]", ("CASE", "EDGE"), True),
        ("# spellout: ignore[]", (), True),
        ("# spellout: leave", None, False),
    ],
)
def test_the_forms_of_a_comment(comment: str, codes: tuple[str, ...] | None, checked: bool) -> None:
    source = f"a = 1  {comment}\n"
    (found,) = find_suppressions(source, ast.parse(source))
    assert (found.codes, found.checked) == (codes, checked)


@pytest.mark.parametrize("source", ["a = '# spellout: ignore'\n", "a = 1  # spellout: ignored\n", "a = 1  # noqa\n"])
def test_what_is_no_such_comment(source: str) -> None:
    assert find_suppressions(source, ast.parse(source)) == ()


def unused(source: str, *hits: tuple[int, str], unchecked: frozenset[str] = frozenset()) -> list[UnusedSuppression]:
    use = SuppressionUse(find_suppressions(source, ast.parse(source)))
    for line, code in hits:
        use.suppresses(line, code)
    return list(use.unused("a.py", unchecked))


def test_what_suppresses_nothing_is_told() -> None:
    blanket, named = "a = 1  # spellout: ignore\n", "a = 1  # spellout: ignore[CASE, EDGE, NONE]\n"
    assert [one.codes for one in unused(blanket)] == [()]
    assert unused(blanket, (1, "CASE")) == []
    assert [one.codes for one in unused(named, (1, "CASE"))] == [("EDGE", "NONE")]
    assert unused("a = 1  # spellout: leave\n") == []


def test_of_classes_that_were_not_checked_nothing_is_known() -> None:
    unchecked = frozenset({"EDGE"})
    assert unused("a = 1  # spellout: ignore\n", unchecked=unchecked) == []
    assert unused("a = 1  # spellout: ignore[EDGE]\n", unchecked=unchecked) == []
    assert [one.codes for one in unused("a = 1  # spellout: ignore[CASE]\n", unchecked=unchecked)] == [("CASE",)]
