"""Whether a rewrite does what the program does under the calls it depends on, and which change is the culprit if not.

The traces of both programs exist already, so a rewrite that agrees costs no further run. For one that does not, the
culprits are found by delta debugging: the rewrite is repeated without any change, then with half of the changes, and so
on, until only those are left out that make the difference. A program may notice that it is traced. So the rewrite that
is returned is compared once more in ordinary runs (`confirm_unobserved`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from corpora.deadline import OutOfTimeError
from corpora.execute import SECONDS
from corpora.nondeterminism import find_dependences
from rewrite.anf.rewrite_result import NOT_CHECKED, REFUSED, Rewritten, SkippedExpression
from rewrite.cost.trace_tokens import TracedCall
from rewrite.equivalence.compared_names import NameFilter
from rewrite.equivalence.judgement import find_unobserved_difference
from rewrite.equivalence.observation import difference
from rewrite.evidence.context import InterventionSite

MAX_REWRITES = 40
"""Rewrites that are made at most to find the culprits. If they do not suffice, more than the culprits is left out."""


def find_disagreement(before: Sequence[TracedCall], after: Sequence[TracedCall], source: str, text: str) -> str:
    """Why a rewrite does not do the same: the first call that differs or was not compared; "" if there is none.

    A run that was ended by the time limit shows no difference: the machine may be busy.

    Args:
        before: The calls, traced in `source`.
        after: The same calls, traced in `text`.
        source: The program.
        text: Its rewrite. Names that only the rewrite has are not compared.
    """
    if source == text:
        return ""
    visible = NameFilter(source, text)
    for one, other in zip(before, after, strict=True):
        aspect = difference(*visible.filtered(one.outcome, other.outcome, loaded=False))
        if aspect and "timeout" in (one.outcome.status, other.outcome.status):
            which = "the program" if one.outcome.status == "timeout" else "its rewrite"
            return f"{one.call} was not compared, because {which} exceeded the time limit"
        if aspect:
            return f"it does something else under {one.call} ({aspect})"
    return ""


def check_calls(made: Rewritten, unchanged: Rewritten, calls: Sequence[str]) -> Rewritten:
    """The rewrite if it does what the program does under the calls, else the unchanged program with the reason.

    Args:
        made: A rewrite without assumptions.
        unchanged: The unchanged program.
        calls: Calls to compare. Nondeterministic ones are reported in `unobserved` instead.
    """
    if not made.changed:
        return made
    if not calls:
        return replace(made, left=(*made.left, SkippedExpression(1, NOT_CHECKED)))
    depends = find_dependences(unchanged.source, calls)
    reason = "not compared, nondeterministic: depends on"
    none = tuple((call, f"{reason} {' and '.join(names)}") for call, names in depends.items())
    return confirm_unobserved(replace(made, unobserved=none), unchanged, calls)


def confirm_unobserved(made: Rewritten, unchanged: Rewritten, calls: Sequence[str]) -> Rewritten:
    """The rewrite if ordinary runs of both programs agree under the calls, else the unchanged program with the reason.

    Args:
        made: The rewrite. Calls in its `unobserved` are not compared.
        unchanged: The unchanged program.
        calls: Calls to compare.
    """
    ignored = {call for call, _ in made.unobserved}
    left = [call for call in calls if call not in ignored]
    if not left or not made.changed:
        return made
    try:
        wrong = find_unobserved_difference(unchanged.source, made.source, left, seconds=SECONDS)
    except OutOfTimeError as error:
        wrong = f"{error.message}, and it was not compared in an ordinary run"
    if not wrong:
        return made
    skipped = SkippedExpression(1, f"{REFUSED}: {wrong}")
    return replace(unchanged, left=(skipped,), unobserved=made.unobserved, raised=made.raised)


def find_culprits(
    spots: Sequence[InterventionSite], agrees: Callable[[Sequence[InterventionSite]], bool]
) -> list[InterventionSite]:
    """The changes that must be left out: no half of them can be restored.

    Args:
        spots: All changes. Without them the rewrite does what the program does.
        agrees: Whether the rewrite without some of them does what the program does.

    >>> sites = [InterventionSite(n, n + 1) for n in range(8)]
    >>> find_culprits(sites, lambda left: sites[5] in left)
    [InterventionSite(start=5, end=6, intervention='')]
    """
    left, size, tried = list(spots), len(spots) // 2, 0
    while size and tried < MAX_REWRITES:
        for start in reversed(range(0, len(left), size)):
            fewer = left[:start] + left[start + size :]
            tried += 1
            if tried < MAX_REWRITES and agrees(fewer):
                left = fewer
        size //= 2
    return left
