"""Direct answers (the chat baseline of the paper's Figure 1): a chat prompt that asks for the result, without a trace.

S_5 has the paper's prompt (Appendix C.1), 8 to 128 steps and 16,384 new tokens. Other programs (`--data`) have a prompt
of our own, which every report names. Models must chat: `openai:NAME@URL`, or weights whose tokenizer has a chat
template.
"""

from __future__ import annotations

from runner.asking.direct_prompts import MAX_TOKENS, PAPER_WORDING, wording_of
from runner.experiments import AskModel, ExperimentOptions, permutations
from runner.experiments.accuracy_results import AccuracyResults, accuracy_point
from runner.experiments.permutations import of_length
from runner.experiments.published import DIRECT_NOTE
from runner.records.samples import originals

SUMMARY = "direct answers by chat, without a trace (paper, Figure 1's baseline and Appendix C.1)"
NEEDS = "a model that chats; --data for other programs than S_5 (their prompt is ours)"
TAKES = ("size", "length", "data")
FORMS = ("direct",)
"""The prompt formats that it allows."""


def conduct(ask: AskModel, options: ExperimentOptions) -> AccuracyResults:
    """A point per length, or one for the data."""
    cases = permutations.cases(options, permutations.LENGTHS)
    samples = originals(ask("direct", cases, MAX_TOKENS, prompt="direct"))
    if options.data:
        said = tuple(f"Prompt: {one}." for one in sorted({wording_of(case) for case in cases}))
        point = accuracy_point("direct answers", options.data, samples)
        return AccuracyResults(f"Direct answers: {options.data}", "", (point,), sentences=said)
    lengths = options.lengths or permutations.LENGTHS
    points = tuple(accuracy_point("direct answers", length, of_length(samples, length)) for length in lengths)
    said = (f"Prompt: {PAPER_WORDING}.", DIRECT_NOTE)
    return AccuracyResults("S5 permutation tracking, direct answers", "steps", points, sentences=said)
