"""Robustness of output prediction: the same programs on other inputs, and written otherwise.

A published study (arXiv 2604.16320) reports a model at 99 % on CruxEval that lost 20 to 24 points on perturbed inputs.
Here every program is asked about as it stands; on inputs drawn around its own (as `spellout verify` draws them; those
that raise are told by the kind of exception); with its local variables renamed; and printed anew by `ast.unparse`. All
truths are from our own execution, and a changed program is asked about only where running it gave the same.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from corpora import Case, Outcome, dependences, run_call
from corpora.errors import InputError
from rewrite import rewrite_source
from rewrite.baselines.placebo import PLACEBO
from rewrite.equivalence.call_inputs import call_strategy as around
from rewrite.equivalence.call_inputs import draw_distinct as draw
from runner.experiments import Ask, Options
from runner.experiments.findings import Findings, Point, point
from runner.records.samples import ORIGINAL, Sample
from runner.reports.recipe_table import difference
from runner.runs.cases import load_cases
from runner.statistics.paired import Pair, compare_pairs
from runner.terminal.console import progress_bar

SUMMARY = "the same programs on inputs around their own, and written otherwise"
NEEDS = "programs with calls: --data FILE or a benchmark's name (humaneval)"
TAKES = ("size", "data")
SIZE = 100
RETURNING, RAISING = 3, 1
"""Other inputs a program, at most: that return, that raise."""
DRAWN = 12
TOKENS = 8192

AS_IT_STANDS = "as it stands"
RETURNS, RAISES = "other inputs that return", "other inputs that raise"
RENAMED, REPRINTED = "variables renamed", "printed anew"


def conduct(ask: Ask, options: Options) -> Findings:
    """A point a way of asking, and how each differs from the programs as they stand."""
    size = SIZE if options.size is None else options.size
    found = load_cases(options.data or "humaneval", list(options.mapping), None)
    with progress_bar() as progress:
        chosen = list(_one_each(found.cases, size))
        label = "drawing inputs, running the programs"
        cases = [made for case in progress.track(chosen, description=label) for made in _ways(case, options.seed)]
    if not cases:
        raise InputError("none of its programs runs, and is determined by itself", where=options.data or "humaneval")
    samples = [sample for sample in ask("robustness", cases, TOKENS) if sample.attempt == ORIGINAL]
    groups = {way: [sample for sample in samples if _way(sample) == way] for way in (AS_IT_STANDS, *_OTHERS)}
    points = tuple(point("accuracy", way, group) for way, group in groups.items() if group)
    raising = tuple(_by_exception(groups[RAISES]))
    title = f"Robustness: {len(groups[AS_IT_STANDS])} programs of {options.data or 'humaneval'}"
    said = (*_covered(len(chosen), groups), *_told(groups))
    return Findings(title, "", points, sentences=said, beside=raising)


_OTHERS = (RETURNS, RAISES, RENAMED, REPRINTED)


def _one_each(cases: Sequence[Case], size: int) -> Iterator[Case]:
    """The first call of each program, of the first `size` programs that are determined by themselves."""
    first = {case.source: case for case in reversed(cases)}
    ordered = sorted(first.values(), key=cases.index)
    return islice((case for case in ordered if not dependences(case.source, case.call)), size)


def _ways(case: Case, seed: int = 0) -> Iterator[Case]:
    """All that is asked about one program: the way stands in the kind, the exception behind it."""
    truth = run_call(case.source, case.call)
    if truth.status not in ("ok", "raised"):
        return
    yield _named(case, AS_IT_STANDS, 0, truth)
    for number, (call, outcome) in enumerate(_chosen(list(_other_inputs(case, seed))), 1):
        yield _named(replace(case, call=call), RETURNS if outcome.status == "ok" else RAISES, number, outcome)
    for way, changed in ((RENAMED, _renamed(case)), (REPRINTED, _reprinted(case))):
        if changed not in (None, case.source) and run_call(str(changed), case.call) == truth:
            yield _named(replace(case, source=str(changed)), way, 0, truth)


def _named(case: Case, way: str, number: int, outcome: Outcome) -> Case:
    kind = f"{way}: {outcome.exception[0]}" if way == RAISES and outcome.exception else way
    name = f"{case.id}, {way}{f' {number}' if number else ''}"
    return replace(case, id=name, kind=kind, expected=outcome.value)


def _way(sample: Sample) -> str:
    return sample.kind.partition(":")[0]


def _other_inputs(case: Case, seed: int) -> Iterator[tuple[str, Outcome]]:
    """Calls of the case's own form with other values, that end, with what they give."""
    try:
        tree = ast.parse(case.source)
        calls = draw(around(tree, [case.call]), DRAWN, seed)
    except (InputError, SyntaxError, ValueError, RecursionError):
        return  # a call without a literal to vary
    seen = {case.call}
    for call in calls:
        if call not in seen and not dependences(case.source, call):
            seen.add(call)
            outcome = run_call(case.source, call)
            if outcome.status in ("ok", "raised"):
                yield call, outcome


def _chosen(found: Sequence[tuple[str, Outcome]]) -> list[tuple[str, Outcome]]:
    """Few that raise: among drawn inputs most do, and after all they are not what a program is for."""
    returning = [one for one in found if one[1].status == "ok"]
    return returning[:RETURNING] + [one for one in found if one[1].status == "raised"][:RAISING]


def _renamed(case: Case) -> str | None:
    return _or_none(lambda: rewrite_source(case.source, PLACEBO, calls=[case.call]).source)


def _reprinted(case: Case) -> str | None:
    return _or_none(lambda: ast.unparse(ast.parse(case.source)) + "\n")


def _or_none(change: Callable[[], str]) -> str | None:
    try:
        return change()
    except (InputError, SyntaxError, ValueError, RecursionError):
        return None


def _by_exception(samples: Sequence[Sample]) -> Iterator[Point]:
    for kind in sorted({sample.kind for sample in samples}):
        own = [sample for sample in samples if sample.kind == kind]
        yield point("of those that raise", kind.partition(": ")[2] or "an exception", own)


def _covered(chosen: int, groups: dict[str, list[Sample]]) -> Iterator[str]:
    """Of how many programs each way is: not every one has other inputs, or another form."""
    programs = {way: len({_program(sample) for sample in group}) for way, group in groups.items()}
    told = "; ".join(f"{way}: {programs[way]}" for way in _OTHERS)
    yield f"Of the {programs[AS_IT_STANDS]} programs there are {told}."
    if chosen > programs[AS_IT_STANDS]:
        yield f"{chosen - programs[AS_IT_STANDS]} more were left out, since running them gives no result."


def _told(groups: dict[str, list[Sample]]) -> Iterator[str]:
    """How each way differs: each of its samples against the program as it stands."""
    first = {(_program(sample), sample.answer_index): sample for sample in groups[AS_IT_STANDS] if sample.asked}
    for way in _OTHERS:
        answered = [
            (first.get((_program(sample), sample.answer_index)), sample) for sample in groups[way] if sample.asked
        ]
        pairs = [Pair(_right(one), _right(other), one.source) for one, other in answered if one is not None]
        if pairs:
            yield f"{way}: {difference(compare_pairs(pairs))}."
        elif groups[way]:
            yield f"{way}: no sample was answered in both ways."


def _right(sample: Sample) -> bool:
    return sample.verdict == "correct"


def _program(asked: Sample) -> str:
    """Which program a sample belongs to, however it was asked about."""
    return asked.id.rpartition(", ")[0]
