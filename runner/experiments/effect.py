"""What a rewrite does to a model's answers: a fixed protocol that one person with one GPU runs in a day.

Every program is asked in each condition: as it stands, the same again, with renamed variables (the control), and after
each recipe. Right answers are asked again too, so that losses count. Programs come in a fixed random order and in
batches; a batch is asked in all conditions before the next begins, so the pairs are complete whenever the experiment
stops. `--hours` limits its time; the same command goes on where it stopped.

After each hour, the experiment says which effects are decided. It looks several times and asks several questions, so a
p-value counts times the number of questions and hours (Bonferroni). A program that a recipe leaves unchanged, or whose
result it would change, is in no pair of that recipe.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from corpora import Case, run_call
from corpora.errors import InputError
from corpora.program import program_text
from rewrite import rewrite_source
from rewrite.baselines import PLACEBO
from runner.experiments import AskModel, ExperimentOptions
from runner.experiments.accuracy_results import AccuracyResults, accuracy_point
from runner.records.samples import Sample, originals
from runner.runs.cases import load_cases
from runner.statistics.groups import grouped
from runner.statistics.intervals import format_interval, interval_in_percent
from runner.statistics.paired import AnswerPair, PairedComparison, compare_pairs, format_p
from runner.terminal.console import note, progress_bar

SUMMARY = "what the control and each recipe do to the answers to all programs, in a given time"
NEEDS = "programs with calls: --data FILE or a benchmark's name (humaneval)"
TAKES = ("size", "data", "hours")
RECIPES = ("decompose", "planned")
BATCH = 20
"""Programs that are asked in all conditions before the next ones."""
TOKENS = 8192
HOUR = 3600.0
ORIGINAL, AGAIN, CONTROL = "as it stands", "asked again", "variables renamed"
QUESTIONS = tuple((name, ORIGINAL) for name in (AGAIN, CONTROL, *RECIPES)) + tuple((name, CONTROL) for name in RECIPES)
"""Each condition, and what it is compared with."""
LEVEL = 0.05
_UNCHANGEABLE = (InputError, SyntaxError, ValueError, RecursionError)


@dataclass(frozen=True)
class ConditionEffect:
    """A condition against another on the same programs.

    Attributes:
        name: In words.
        comparison: The pairs.
        p: Its p-value, times the number of looks and questions; at most 1.
    """

    name: str
    comparison: PairedComparison
    p: float

    def __str__(self) -> str:
        """The effect, and whether it is decided."""
        found = self.comparison
        points = 100 * (found.after - found.before) / found.samples
        counts = f"{found.samples} samples of {found.programs} programs, {found.gained} gained, {found.lost} lost"
        interval = format_interval(interval_in_percent(found.interval))
        decided = "undecided" if self.p >= LEVEL else "decided: it helps" if points > 0 else "decided: it harms"
        return f"{self.name}: {points:+.1f} points{interval}, {counts}; {format_p(self.p)} corrected, {decided}."


def conduct(ask: AskModel, options: ExperimentOptions, clock: Callable[[], float] = time.monotonic) -> AccuracyResults:
    """A point per condition, and what is decided.

    Args:
        ask: Asks the model.
        options: `hours` limits the time (default: until all programs are asked).
        clock: Seconds since some moment.
    """
    started, hours = clock(), options.hours
    looks = max(1, math.ceil(hours or 1))
    batches = _batches(options)
    samples: list[Sample] = []
    done = hour = 0
    for number, batch in enumerate(batches):
        if number and hours is not None and clock() - started >= hours * HOUR:
            break
        samples += originals(ask(f"batch-{number:03}", _with_conditions(batch), TOKENS))
        done = number + 1
        if (clock() - started) // HOUR > hour and done < len(batches):
            hour = int((clock() - started) // HOUR)
            note(f"after {hour} h, {done} of {len(batches)} batches:", *map(str, effects(samples, looks)))
    groups = grouped(samples, lambda sample: sample.kind)
    points = tuple(accuracy_point("accuracy", name, group) for name, group in groups.items())
    found = effects(samples, looks)
    sentences = [f"{done} of {len(batches)} batches of {BATCH} programs; the same command goes on."] * (
        done < len(batches)
    )
    sentences += [f"p-values are corrected (Bonferroni); questions: {len(QUESTIONS)}, looks: {looks}."]
    title = f"Effect of rewrites: {options.data or 'humaneval'}"
    return AccuracyResults(title, "", points, sentences=(*map(str, found), *sentences))


def _batches(options: ExperimentOptions) -> list[list[Case]]:
    """The samples by program, in a random order that the seed determines."""
    found = load_cases(options.data or "humaneval", list(options.mapping), None)
    programs = list(grouped(found.cases, lambda case: program_text(case.source)).values())
    random.Random(options.seed).shuffle(programs)
    chosen = programs[: options.size]
    if not chosen:
        raise InputError("has no programs", where=options.data or "humaneval")
    return [[case for program in chosen[at : at + BATCH] for case in program] for at in range(0, len(chosen), BATCH)]


def _with_conditions(cases: Sequence[Case]) -> list[Case]:
    with progress_bar() as progress:
        tracked = progress.track(cases, description="rewriting the programs")
        return [made for case in tracked for made in _conditions(case)]


def _conditions(case: Case) -> Iterator[Case]:
    """The case in each condition; its `kind` names the condition."""
    for name in (ORIGINAL, AGAIN):
        yield replace(case, id=f"{case.id}, {name}", kind=name)
    truth = run_call(case.source, case.call)
    for name, recipe in ((CONTROL, PLACEBO), *((recipe, recipe) for recipe in RECIPES)):
        with suppress(*_UNCHANGEABLE):
            changed = rewrite_source(case.source, recipe, calls=[case.call]).source
            if changed != case.source and run_call(changed, case.call) == truth:
                yield replace(case, id=f"{case.id}, {name}", kind=name, source=changed)


def effects(samples: Sequence[Sample], looks: int) -> list[ConditionEffect]:
    """Each condition against the original, and each recipe against the control.

    Args:
        samples: Answers; `kind` names the condition.
        looks: How often the experiment looks at the effects.
    """
    firsts = {_name(one): one for one in samples if one.kind == ORIGINAL and one.asked}
    by_condition = {name: {_name(one): one for one in group if one.asked} for name, group in _by_kind(samples).items()}
    found = []
    for name, against in QUESTIONS:
        pairs = [
            AnswerPair(before.is_correct, after.is_correct, firsts[key].program)
            for key, after in by_condition.get(name, {}).items()
            if key in firsts and (before := by_condition.get(against, {}).get(key)) is not None
        ]
        if pairs:
            compared = compare_pairs(pairs)
            p = 1.0 if compared.p is None else min(1.0, compared.p * looks * len(QUESTIONS))
            found.append(ConditionEffect(f"{name}, less {against}", compared, p))
    return found


def _by_kind(samples: Sequence[Sample]) -> dict[str, list[Sample]]:
    return grouped(samples, lambda sample: sample.kind)


def _name(sample: Sample) -> tuple[str, int | None]:
    return sample.id.rpartition(", ")[0], sample.answer_index
