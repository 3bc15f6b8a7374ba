"""Robustness of output prediction: the same programs on other inputs and in other forms.

A published study (arXiv 2604.16320) reports a model with 99 % on CruxEval that lost 20 to 24 points on perturbed
inputs. Each program is asked about as it stands, on inputs generated around its own (as by `spellout verify`; raising
inputs are reported by exception), with its local variables renamed at equal token count, and printed by `ast.unparse`.
References come from execution. A changed program is asked about only if execution gives the same result.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from corpora import Case, Outcome, dependences, run_call
from corpora.errors import InputError
from corpora.program import program_text
from rewrite import rewrite_source
from rewrite.baselines import PLACEBO
from rewrite.equivalence.call_inputs import call_strategy as around
from rewrite.equivalence.call_inputs import draw_distinct as draw
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.accuracy_results import AccuracyPoint, AccuracyResults, accuracy_point
from runner.records.samples import Sample, originals
from runner.reports.recipe_table import difference
from runner.runs.cases import load_cases
from runner.statistics.groups import grouped
from runner.statistics.paired import AnswerPair, compare_pairs
from runner.terminal.console import progress_bar

SUMMARY = "the same programs on other inputs and in other forms"
NEEDS = "programs with calls: --data FILE or a benchmark's name (humaneval)"
TAKES = ("size", "data")
SIZE = 100
RETURNING, RAISING = 3, 1
"""The most other inputs per program that return and that raise."""
DRAWN = 12
TOKENS = 8192

UNCHANGED = "as it stands"
RETURNS, RAISES = "other inputs that return", "other inputs that raise"
RENAMED, REPRINTED = "variables renamed", "printed anew"
_UNCHANGEABLE = (InputError, SyntaxError, ValueError, RecursionError)
"""What is raised for a program or call that cannot be varied."""


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per variant, and how each differs from the unchanged programs."""
    size = SIZE if options.size is None else options.size
    found = load_cases(options.data or "humaneval", list(options.mapping), None)
    with progress_bar() as progress:
        chosen = list(_one_each(found.cases, size))
        label = "generating inputs, running the programs"
        cases = [made for case in progress.track(chosen, description=label) for made in _variants(case, options.seed)]
    if not cases:
        raise InputError("none of its programs runs and is deterministic", where=options.data or "humaneval")
    by_way = grouped(originals(ask("robustness", cases, TOKENS)), lambda sample: sample.kind.partition(":")[0])
    groups = {way: by_way.get(way, []) for way in (UNCHANGED, *_OTHERS)}
    points = tuple(accuracy_point("accuracy", way, group) for way, group in groups.items() if group)
    raising = tuple(_by_exception(groups[RAISES]))
    title = f"Robustness: {len(groups[UNCHANGED])} programs of {options.data or 'humaneval'}"
    said = (*_program_counts(len(chosen), groups), *_differences(groups))
    return AccuracyResults(title, "", points, sentences=said, table_points=raising)


_OTHERS = (RETURNS, RAISES, RENAMED, REPRINTED)


def _one_each(cases: Sequence[Case], size: int) -> Iterator[Case]:
    """The first call of each of the first `size` deterministic programs."""
    first = {program_text(case.source): case for case in reversed(cases)}
    ordered = sorted(first.values(), key=cases.index)
    return islice((case for case in ordered if not dependences(case.source, case.call)), size)


def _variants(case: Case, seed: int = 0) -> Iterator[Case]:
    """All variants of one program; `kind` names the variant and the exception."""
    truth = run_call(case.source, case.call)
    if not truth.has_ended:
        return
    yield _variant_case(case, UNCHANGED, 0, truth)
    for number, (call, outcome) in enumerate(_select_inputs(list(_other_inputs(case, seed))), 1):
        yield _variant_case(replace(case, call=call), RETURNS if outcome.status == "ok" else RAISES, number, outcome)
    for way, changed in _other_forms(case):
        if changed != case.source and run_call(changed, case.call) == truth:
            yield _variant_case(replace(case, source=changed), way, 0, truth)


def _variant_case(case: Case, way: str, number: int, outcome: Outcome) -> Case:
    kind = f"{way}: {outcome.exception[0]}" if way == RAISES and outcome.exception else way
    name = f"{case.id}, {way}{f' {number}' if number else ''}"
    return replace(case, id=name, kind=kind, expected=outcome.value)


def _other_inputs(case: Case, seed: int) -> Iterator[tuple[str, Outcome]]:
    """Calls with other values that end, with their outcomes."""
    try:
        calls = draw(around(ast.parse(case.source), [case.call]), DRAWN, seed)
    except _UNCHANGEABLE:
        return  # a call without a literal to vary
    seen = {case.call}
    for call in calls:
        if call not in seen and not dependences(case.source, call):
            seen.add(call)
            outcome = run_call(case.source, call)
            if outcome.has_ended:
                yield call, outcome


def _select_inputs(found: Sequence[tuple[str, Outcome]]) -> list[tuple[str, Outcome]]:
    """At most `RETURNING` calls that return and `RAISING` that raise: most generated inputs raise."""
    returning = [one for one in found if one[1].status == "ok"]
    return returning[:RETURNING] + [one for one in found if one[1].status == "raised"][:RAISING]


def _other_forms(case: Case) -> Iterator[tuple[str, str]]:
    """The program with its variables renamed and its text printed again, as far as possible."""
    with suppress(*_UNCHANGEABLE):
        yield RENAMED, rewrite_source(case.source, PLACEBO, calls=[case.call]).source
    with suppress(*_UNCHANGEABLE):
        yield REPRINTED, ast.unparse(ast.parse(case.source)) + "\n"


def _by_exception(samples: Sequence[Sample]) -> Iterator[AccuracyPoint]:
    for kind, own in sorted(grouped(samples, lambda sample: sample.kind).items()):
        yield accuracy_point("of those that raise", kind.partition(": ")[2] or "an exception", own)


def _program_counts(chosen: int, groups: dict[str, list[Sample]]) -> Iterator[str]:
    """The number of programs with each variant: not every program has all."""
    programs = {way: len({_program(sample) for sample in group}) for way, group in groups.items()}
    told = "; ".join(f"{way}: {programs[way]}" for way in _OTHERS)
    yield f"Programs with each variant, of {programs[UNCHANGED]}: {told}."
    if chosen > programs[UNCHANGED]:
        yield f"{chosen - programs[UNCHANGED]} more programs were left out, since execution gives no result."


def _differences(groups: dict[str, list[Sample]]) -> Iterator[str]:
    """How each variant differs: each of its samples against the unchanged program."""
    first = {(_program(sample), sample.answer_index): sample for sample in groups[UNCHANGED] if sample.asked}
    for way in _OTHERS:
        answered = [
            (first.get((_program(sample), sample.answer_index)), sample) for sample in groups[way] if sample.asked
        ]
        pairs = [
            AnswerPair(one.is_correct, other.is_correct, one.program) for one, other in answered if one is not None
        ]
        if pairs:
            yield f"{way}: {difference(compare_pairs(pairs))}."
        elif groups[way]:
            yield f"{way}: no sample was answered in both forms."


def _program(asked: Sample) -> str:
    """The program that a sample is a variant of."""
    return asked.id.rpartition(", ")[0]
