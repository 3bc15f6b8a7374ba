"""Compares what single tests did before and after, as the suites of `tests.stdlib` and `tests.packages` do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class Differences:
    """The tests that passed before, sorted, by what became of them; `stale`: patterns of expectations not needed."""

    same: tuple[str, ...]
    expected: tuple[tuple[str, str], ...]
    unstable: tuple[str, ...]
    worse: tuple[str, ...]
    stale: tuple[str, ...]


def compare(
    before: frozenset[str], after: frozenset[str], again: frozenset[str], expected: Mapping[str, str]
) -> Differences:
    """Sort the tests that passed `before` by whether they passed `after`, or when the lost ones were run `again`.

    expected: a pattern of test ids (`fnmatch`) and the reason why such a test may fail after rewriting.
    """
    lost = sorted(before - after)
    reasons = {test: reason for test in lost if (reason := reason_for(test, expected))}
    rest = [test for test in lost if test not in reasons]
    asked = [pattern for pattern in expected if any(fnmatchcase(test, pattern) for test in before)]
    return Differences(
        same=tuple(sorted(before & after)),
        expected=tuple(reasons.items()),
        unstable=tuple(test for test in rest if test in again),
        worse=tuple(test for test in rest if test not in again),
        stale=tuple(pattern for pattern in asked if not any(fnmatchcase(test, pattern) for test in lost)),
    )


def reason_for(test: str, expected: Mapping[str, str]) -> str | None:
    """Why the test may differ, if it may."""
    return next((reason for pattern, reason in expected.items() if fnmatchcase(test, pattern)), None)


def lines(differences: Differences, passed: int) -> Iterable[str]:
    """A report. passed: how many tests pass after, those included that did not before."""
    yield f"after: {passed:,} tests pass, among them {len(differences.same):,} of those that passed before"
    yield f"expected to differ: {len(differences.expected)}"
    for test, reason in differences.expected:
        yield f"  {test}: {reason}"
    for title in ("unstable", "worse", "stale"):
        for test in getattr(differences, title):
            yield f"{title.upper()}: {test}"
