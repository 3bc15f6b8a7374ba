"""What counts as worse, as expected and as unstable, when a suite ran before and after."""

from __future__ import annotations

from tests.differences import compare, lines

EXPECTED = {"a.Layout.*": "looks at layout", "b.Lines.test_x": "compares source lines"}


def sets(*names: str) -> frozenset[str]:
    return frozenset(names)


def test_a_test_that_is_lost_without_a_reason_is_worse() -> None:
    found = compare(sets("a.T.test"), sets(), sets(), EXPECTED)
    assert found.worse == ("a.T.test",)
    assert "WORSE: a.T.test" in lines(found, 0)


def test_a_test_that_only_failed_before_is_not_asked_for() -> None:
    assert compare(sets(), sets("a.T.test"), sets(), EXPECTED).worse == ()


def test_a_test_that_passes_when_run_again_is_named_as_unstable() -> None:
    found = compare(sets("a.T.test"), sets(), sets("a.T.test"), {})
    assert (found.unstable, found.worse) == (("a.T.test",), ())


def test_an_expected_difference_comes_with_its_reason() -> None:
    found = compare(sets("a.Layout.test_1", "a.T.test"), sets("a.T.test"), sets(), EXPECTED)
    assert found.expected == (("a.Layout.test_1", "looks at layout"),)
    assert found.same == ("a.T.test",)


def test_an_expectation_that_does_not_come_true_is_stale_unless_the_test_was_not_run() -> None:
    assert compare(sets("b.Lines.test_x"), sets("b.Lines.test_x"), sets(), EXPECTED).stale == ("b.Lines.test_x",)
    assert compare(sets("a.T.test"), sets("a.T.test"), sets(), EXPECTED).stale == ()
