"""Hallucinated actions against lost states (the paper's section 4.2 and Figure 1): the same programs in three modes.

- Free decoding: the model writes everything.
- Forced actions: the source lines are injected, and the model writes the states.
- Forced: the states are injected, too, and each prediction is judged alone.

The gap between free decoding and forced actions is the cost of hallucinated actions. The gap between forced actions
and forced is the cost of carrying states over several lines. Programs are S_5 as in the paper, or `--data`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runner.experiments import AskModel, ExperimentOptions, permutations
from runner.experiments.accuracy_results import AccuracyResults, ReferenceCurve, accuracy_point
from runner.experiments.permutations import of_length
from runner.experiments.published import FORCED_ACTIONS, FORCING_NOTE, PERMUTATIONS
from runner.inputs.benchmarks import token_limit
from runner.records.samples import MODES, Mode, Sample, originals
from runner.reports.mode_report import NAMES, mode_remarks
from runner.reports.recipe_table import difference
from runner.statistics.paired import AnswerPair, compare_pairs

SUMMARY = "free decoding against forced actions and forced states (paper, section 4.2 and Figure 1)"
NEEDS = "nothing: the programs are drawn; --data for others (a benchmark's name or a file)"
TAKES = ("size", "length", "data")
FORMS = ("bare", "oneshot")
"""Allowed prompt formats: a direct answer has no trace to inject into."""
GREEDY = True
"""Forced modes are greedy, so free decoding is greedy here, too."""
ByMode = Mapping[Mode, Sequence[Sample]]


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """Three points per length or benchmark, the gap between the first two, and single predictions by kind."""
    cases = permutations.cases(options, permutations.LENGTHS)
    limit = token_limit(options.data or "permutations")
    found = {mode: originals(ask(mode, cases, limit, mode=mode)) for mode in MODES}
    places = {place: _at(found, place) for place in _places(options)}
    points = [accuracy_point(NAMES[mode], place, own[mode]) for mode in MODES for place, own in places.items()]
    gaps = {place: gap for place, own in places.items() if (gap := _gap(own)) is not None}
    curve = ReferenceCurve("gap: forced actions less free decoding, in points", tuple(gaps.items()))
    name = f"Forcing: {options.data}" if options.data else "Forcing: S5 permutation tracking"
    told = tuple(_sentences(found, gaps, papers=not options.data))
    published = () if options.data else (*PERMUTATIONS.at(places), *FORCED_ACTIONS.at(places))
    x = "" if options.data else "steps"
    return AccuracyResults(name, x, tuple(points), published, sentences=told, differences=(curve,))


def _places(options: ExperimentOptions) -> list[str | int]:
    return [options.data] if options.data else list(options.lengths or permutations.LENGTHS)


def _at(found: ByMode, place: str | int) -> ByMode:
    if isinstance(place, str):
        return found
    return {mode: of_length(samples, place) for mode, samples in found.items()}


def _pairs(found: ByMode) -> Iterator[AnswerPair]:
    """Free decoding and forced actions, on the samples with an answer in both."""
    forced = {sample.pairing_key: sample for sample in found["forced-actions"] if sample.asked}
    for sample in found["free"]:
        other = forced.get(sample.pairing_key)
        if sample.asked and other is not None:
            yield AnswerPair(sample.is_correct, other.is_correct, sample.program)


def _gap(found: ByMode) -> float | None:
    pairs = list(_pairs(found))
    return 100 * compare_pairs(pairs).difference if pairs else None


def _sentences(found: ByMode, gaps: Mapping[str | int, float], *, papers: bool) -> Iterator[str]:
    if any(_pairs(found)):
        yield f"Forced actions against free decoding: {difference(compare_pairs(_pairs(found)))}."
    if len(gaps) > 1:
        yield f"By steps, in points: {'; '.join(f'{place}: {gap:+.1f}' for place, gap in gaps.items())}."
    for mode in ("free", "forced"):
        yield from (f"{NAMES[mode]}: {line}" for line in mode_remarks(found[mode]))
    if papers:
        yield FORCING_NOTE
