"""The verdict on two programs from the runs that were compared: the only place that calls programs equivalent.

Agreement is evidence only if something was compared that could have differed. A comparison is undecided, with a reason,
if a given call could not be compared, if nothing could, if every input raised, or if no input executed the code in
which the programs differ.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from corpora.execute import SECONDS, run_call
from corpora.program import Outcome
from rewrite.equivalence.changed_code import ChangedStatement, is_any_completed
from rewrite.equivalence.observation import (
    LOAD_ONLY,
    difference,
    exceeds_recursion_limit,
    has_only_raised,
    is_unread,
    raised_while_loading,
)
from rewrite.equivalence.program_pair import TOO_DEEP, ProgramPair

MAX_LINES = 5
"""Line numbers that a reason lists."""


class Judgement(NamedTuple):
    """A verdict and its reason.

    Attributes:
        equivalent: True if the runs are evidence that the programs behave the same, False if they differ, None if
            neither is shown.
        why: The reason, in words.
    """

    equivalent: bool | None
    why: str


def judge(pair: ProgramPair, given: Sequence[str] = ()) -> Judgement:
    """The verdict on two programs after their runs. Nondeterministic calls are discarded first.

    Args:
        pair: The programs and their compared runs.
        given: The calls that the user named: the verdict is undecided if one of them could not be compared.
    """
    found = next((call for call in pair.compared if call in pair.confirmed), None)
    if found is not None:
        return Judgement(False, f"they differ in {pair.aspect(found)}")
    pair.drop_nondeterministic()
    if len(pair.compared) > 1 or given:
        pair.compared.pop(LOAD_ONLY, None)
    why = _not_compared(pair, given) or _all_raised(pair)
    if why:
        return Judgement(None, why)
    missed, notes = _changed_code(pair, given)
    if missed:
        return Judgement(None, missed)
    return Judgement(True, "; ".join([f"the same on {_inputs(len(pair.compared))}", *_exclusions(pair), *notes]))


def find_unobserved_difference(before: str, after: str, calls: Sequence[str], *, seconds: float = SECONDS) -> str:
    """Run calls in two programs without an observer, and return what differs, or ""; also why one was not compared.

    An observer can be noticed: by a trace function, a clock, the stack. So what it saw is evidence only if an ordinary
    run agrees.

    Args:
        before: The original.
        after: The rewritten program.
        calls: Calls that are deterministic.
        seconds: Time limit of each run.
    """
    pair = ProgramPair(before, after, seconds)
    found = pair.first_difference(calls)
    if found is not None:
        return f"it does something else under {found} ({pair.aspect(found)})"
    return next((f"{call} could not be compared ({why})" for call, why in pair.undecided.items()), "")


def find_observer_effect(source: str, observed: Outcome) -> str:
    """The aspect in which an observed run of `main()` differs from an ordinary run, or "".

    Args:
        source: The program with its `main`.
        observed: The outcome of `main()` under an observer.
    """
    ordinary = run_call(source, "main()")
    if not observed.has_ended or (exceeds_recursion_limit(observed) and exceeds_recursion_limit(ordinary)):
        return ""
    return difference(ordinary, observed)


def _not_compared(pair: ProgramPair, given: Sequence[str]) -> str:
    """Why a given call, or every call, was not compared; "" otherwise."""
    for call in given:
        if call in pair.undecided:
            return f"{call}: {pair.undecided[call]}"
        if call in pair.outside:
            return f"{call} {describe_exclusion(pair.outside[call])}"
    if pair.compared:
        return ""
    outside = next(iter(pair.outside.values()), "")
    excluded = f"every input {describe_exclusion(outside)}" if outside else "no input was tried"
    reasons = (*pair.undecided.values(), *pair.work.cut.values(), excluded)
    return f"no input could be compared: {reasons[0]}"


def describe_exclusion(reason: str) -> str:
    """The predicate of a sentence that says why an input was excluded."""
    return "recurses too deeply to be compared" if reason == TOO_DEEP else f"breaks an assumption: {reason}"


def _all_raised(pair: ProgramPair) -> str:
    """Why the outcomes are no evidence if every compared call raised; "" if one did not."""
    outcomes = [before for before, _ in pair.compared.values()]
    if not all(map(has_only_raised, outcomes)):
        return ""
    (kind, while_loading), _ = Counter(map(_exception_kind, outcomes)).most_common(1)[0]
    where = " while the module was loading" if while_loading else ""
    return f"every input raised ({_inputs(len(outcomes))}, most often {kind}{where}), so that no result was compared"


def _exception_kind(outcome: Outcome) -> tuple[str, bool]:
    kind = outcome.exception[0] if outcome.exception else "an exception in each call of a sequence"
    return kind, raised_while_loading(outcome)


def _changed_code(pair: ProgramPair, given: Sequence[str]) -> tuple[str, list[str]]:
    """Why no compared call is evidence on the code that differs, or ""; and notes on what none reached."""
    changes = pair.changes
    if not changes:
        return "", []
    paths = pair.paths()
    entered = [change for change in changes if any(change.is_entered(path) for path in paths.values())]
    missed = [change for change in changes if change not in entered]
    if not paths:
        return "which code the inputs reached could not be measured", []
    if not entered:
        return f"no input reached the code that differs ({_lines(changes)} of the original)", []
    notes = [f"no input reached the changed {_lines(missed)}"] if missed else []
    if is_any_completed(changes, [*paths.values()]):
        return "", notes
    raised = f"every input that reached the code that differs ({_lines(entered)} of the original) raised there"
    # A given call that raises shows what the user wants to know about this path.
    if any(change.is_entered(paths[call]) for change in entered for call in given if call in paths):
        return "", [raised, *notes]
    return raised, []


def _lines(changes: Sequence[ChangedStatement]) -> str:
    """Line numbers of statements, such as "line 3" or "lines 3, 5"."""
    found = sorted({change.first for change in changes})
    more = ", …" if len(found) > MAX_LINES else ""
    return f"line{'s' if len(found) > 1 else ''} {', '.join(map(str, found[:MAX_LINES]))}{more}"


def _exclusions(pair: ProgramPair) -> list[str]:
    """Notes on inputs that were not compared, or only in part."""
    too_deep = sum(reason == TOO_DEEP for reason in pair.outside.values())
    counts = {
        "break an assumption": len(pair.outside) - too_deep,
        "recurse too deeply to be compared": too_deep,
        "could not be compared": len(pair.undecided),
        "were not tried after others had timed out": pair.not_tried,
    }
    notes = [f"{count} {what}" for what, count in counts.items() if count]
    unread = sum(is_unread(before) for before, _ in pair.compared.values())
    if unread:
        notes.append(f"on {unread} of them, iterators were read or observed only in part")
    return [*notes, *filter(None, [pair.work.note()])]


def _inputs(count: int) -> str:
    return "1 input" if count == 1 else f"{count} inputs"
