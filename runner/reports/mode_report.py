"""What a mode adds to the report of a run: hallucinated actions, and single predictions.

Free decoding: how many answers take a step that is not the true one, and the first such step beside the true one (the
paper's Figure 4). Forced: the share of right predictions by kind. Only samples as they came are counted, those that
were asked. Every figure comes from the records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.records.samples import Mode, Sample
from runner.statistics.intervals import bounds
from runner.statistics.mode_counts import (
    PREDICTION_KINDS,
    PredictionAccuracy,
    actions,
    first_action,
    mode_of,
    predictions,
)
from runner.terminal.markdown import fenced, plain
from runner.terminal.tables import on_one_line

NAMES: dict[Mode, str] = {"free": "free decoding", "forced-actions": "forced actions", "forced": "forced"}
INJECTED = "The true actions were injected; the states and returned values are the model's."
ALONE = "Actions and states were injected; each prediction is judged alone, given the truth before it."


def mode_remarks(samples: Sequence[Sample]) -> Iterator[str]:
    """Sentences for the terminal and the page."""
    mode = mode_of(samples)
    if mode == "forced-actions":
        yield INJECTED
    shares = predictions(samples)
    if mode == "forced":
        yield ALONE
        described = [_describe(share) for share in shares if share.judged]
        if described:
            yield f"Right alone (95 %, clustered by program): {'; '.join(described)}."
    counted = actions(samples)
    if counted is not None and counted.hallucinated:
        yield (
            f"{counted.hallucinated} of {counted.answers} answers have a hallucinated action, {counted.unprompted} "
            f"with every state before it right; {counted.foreign} of them are no line of the program."
        )
        example = first_action(samples)
        if example is not None:
            sample, action = example
            yield f"The first in {sample.id} (frame {action.frame}): {action.predicted} (true: {action.reference})."


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
    yield fenced(f"true          {on_one_line(action.reference)}\nhallucinated  {on_one_line(action.predicted)}")


def _describe(share: PredictionAccuracy) -> str:
    accuracy = f"{100 * share.right / share.judged:.1f}% of {share.judged:,}"
    return f"{PREDICTION_KINDS[share.kind]} {accuracy}{bounds(share.interval)}"
