"""The parts of a report that depend on the mode: hallucinated actions, and accuracy of single predictions.

Mode free: the number of answers with a hallucinated action, and the first such action (the paper's Figure 4). Mode
forced: the accuracy per kind of prediction. Only original programs that were asked count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runner.records.samples import Mode, Sample
from runner.statistics.intervals import format_interval
from runner.statistics.mode_counts import (
    PREDICTION_KINDS,
    PredictionAccuracy,
    count_hallucinated_actions,
    find_first_action,
    prediction_accuracies,
    run_mode,
)
from runner.terminal.markdown import fenced, plain
from runner.terminal.tables import on_one_line

NAMES: dict[Mode, str] = {"free": "free decoding", "forced-actions": "forced actions", "forced": "forced"}
INJECTED = "The reference actions were injected; the model wrote the states and returned values."
ALONE = "The reference trace was injected; each token was predicted from the reference trace before it."


def mode_remarks(samples: Sequence[Sample]) -> Iterator[str]:
    """Sentences for the terminal and the report."""
    mode = run_mode(samples)
    if mode == "forced-actions":
        yield INJECTED
    shares = prediction_accuracies(samples)
    if mode == "forced":
        yield ALONE
        described = [_describe(share) for share in shares if share.judged]
        if described:
            yield f"Accuracy of single predictions (95 % intervals, clustered by program): {'; '.join(described)}."
    counted = count_hallucinated_actions(samples)
    if counted is not None and counted.hallucinated:
        yield (
            f"{counted.hallucinated} of {counted.answers} answers have a hallucinated action, {counted.unprompted} "
            f"after only correct states; {counted.foreign} of these actions are not a line of the program."
        )
        example = find_first_action(samples)
        if example is not None:
            sample, action = example
            yield f"First in {sample.id} (frame {action.frame}): {action.predicted} (reference: {action.reference})."


def action_section(samples: Sequence[Sample]) -> Iterator[str]:
    """The first hallucinated action with its reference, as in the paper's Figure 4."""
    example = find_first_action(samples)
    if example is None:
        return
    sample, action = example
    before = "a wrong state precedes it" if action.after_wrong_state else "all states before it are correct"
    where = "a line of the program" if action.in_program else "not a line of the program"
    yield f"\n## First hallucinated action: {plain(sample.benchmark)}, {plain(sample.id)}, frame {action.frame}\n"
    yield f"It is {where}, and {before}.\n"
    yield fenced(f"reference     {on_one_line(action.reference)}\nhallucinated  {on_one_line(action.predicted)}")


def _describe(share: PredictionAccuracy) -> str:
    accuracy = f"{100 * share.right / share.judged:.1f}% of {share.judged:,}"
    return f"{PREDICTION_KINDS[share.kind]} {accuracy}{format_interval(share.interval)}"
