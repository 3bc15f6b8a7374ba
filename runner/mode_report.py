"""What a mode adds to the report of a run: hallucinated actions, and single predictions.

Free decoding: how many answers take a step that is not the true one, and the first such step beside the true one (the
paper's Figure 4). Forced: the share of right predictions by kind. Only samples as they came are counted, those that
were asked. Every figure comes from the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from runner.intervals import bounds, wilson_percent
from runner.layout import on_one_line
from runner.markdown import fenced, plain
from runner.samples import ORIGINAL, Action, Mode, Sample

NAMES: dict[Mode, str] = {"free": "free decoding", "forced-actions": "forced actions", "forced": "forced"}
INJECTED = "The true actions were injected; the states and returned values are the model's."
ALONE = "Actions and states were injected; each prediction is judged alone, given the truth before it."
_KINDS = {"event": "events", "state": "states", "action": "actions", "value": "returned values"}


@dataclass(frozen=True)
class Actions:
    """Of answers in free decoding, how many have a hallucinated action; all are counts of answers.

    unprompted: with no wrong state or value before it; foreign: that is no line of the program.
    """

    answers: int
    hallucinated: int
    unprompted: int
    foreign: int


@dataclass(frozen=True)
class Share:
    """Single predictions of one kind: how many were right, and how many were judged."""

    kind: str
    right: int
    judged: int


def actions(samples: Iterable[Sample]) -> Actions | None:
    """None where nothing was decoded freely."""
    free = [sample for sample in _asked(samples) if sample.mode == "free" and sample.diagnosis]
    found = [sample.action for sample in free if sample.action]
    if not free:
        return None
    unprompted = sum(not action.after_wrong_state for action in found)
    return Actions(len(free), len(found), unprompted, sum(not action.in_program for action in found))


def predictions(samples: Iterable[Sample]) -> tuple[Share, ...]:
    """By kind, over all traces; empty where none was judged so."""
    found = [sample.predictions for sample in _asked(samples) if sample.predictions]
    if not found:
        return ()
    pairs = {kind: [getattr(one, kind) for one in found] for kind in _KINDS}
    return tuple(Share(kind, sum(a for a, _ in each), sum(b for _, b in each)) for kind, each in pairs.items())


def mode_of(samples: Sequence[Sample]) -> Mode:
    """The mode of a run, which is that of each of its records."""
    return samples[0].mode if samples else "free"


def mode_remarks(samples: Sequence[Sample]) -> Iterator[str]:
    """Sentences for the terminal and the page."""
    mode = mode_of(samples)
    if mode == "forced-actions":
        yield INJECTED
    shares = predictions(samples)
    if mode == "forced":
        yield ALONE
        told = [_told(share) for share in shares if share.judged]
        if told:
            yield f"Right alone (95 %, Wilson): {'; '.join(told)}."
    counted = actions(samples)
    if counted is not None and counted.hallucinated:
        yield (
            f"{counted.hallucinated} of {counted.answers} answers have a hallucinated action, {counted.unprompted} "
            f"with every state before it right; {counted.foreign} of them are no line of the program."
        )
        example = first_action(samples)
        if example is not None:
            sample, action = example
            yield f"The first in {sample.id} (frame {action.frame}): {action.predicted} (true: {action.true})."


def first_action(samples: Sequence[Sample]) -> tuple[Sample, Action] | None:
    """An answer with a hallucinated action to show: one behind right states, if there is any, and early."""
    found = [(sample, sample.action) for sample in _asked(samples) if sample.action]
    return min(found, key=lambda pair: (pair[1].after_wrong_state, pair[1].frame), default=None)


def action_section(samples: Sequence[Sample]) -> Iterator[str]:
    """The first hallucinated action beside the true one, as in the paper's Figure 4."""
    example = first_action(samples)
    if example is None:
        return
    sample, action = example
    before = "a wrong state stands before it" if action.after_wrong_state else "every state before it is right"
    where = "a line of the program" if action.in_program else "no line of the program"
    yield f"\n## First hallucinated action: {plain(sample.benchmark)}, {plain(sample.id)}, frame {action.frame}\n"
    yield f"It is {where}, and {before}.\n"
    yield fenced(f"true          {on_one_line(action.true)}\nhallucinated  {on_one_line(action.predicted)}")


def _told(share: Share) -> str:
    interval = bounds(wilson_percent(share.right, share.judged))
    return f"{_KINDS[share.kind]} {100 * share.right / share.judged:.1f}% of {share.judged:,}{interval}"


def _asked(samples: Iterable[Sample]) -> Iterator[Sample]:
    return (sample for sample in samples if sample.attempt == ORIGINAL and sample.asked)
