"""Direct answers (the chat baseline of the paper's Figure 1): a chat prompt that asks for the result, without a trace.

S_5 has the paper's prompt (Appendix C.1), 8 to 128 steps and 16,384 new tokens. Other programs (`--data`) have a prompt
of our own, which every report names. Models must chat: `openai:NAME@URL`, or weights whose tokenizer has a chat
template.
"""

from __future__ import annotations

from runner.asking.direct_prompts import MAX_TOKENS, PAPER_WORDING, wording_of
from runner.experiments import AskModel, ExperimentOptions, permutations
from runner.experiments.findings import Findings, accuracy_point
from runner.experiments.published import DIRECT_NOTE
from runner.records.samples import ORIGINAL

SUMMARY = "direct answers by chat, without a trace (paper, Figure 1's baseline and Appendix C.1)"
NEEDS = "a model that chats; --data for other programs than S_5 (their prompt is ours)"
TAKES = ("size", "length", "data")
FORMS = ("direct",)
"""The prompt formats that it allows."""
LENGTHS = (8, 16, 32, 64, 128)


def conduct(ask: AskModel, options: ExperimentOptions) -> Findings:
    """A point per length, or one for the data."""
    cases = permutations.cases(options, LENGTHS)
    samples = [s for s in ask("direct", cases, MAX_TOKENS, prompt="direct") if s.attempt == ORIGINAL]
    if options.data:
        whose = {wording_of(case) for case in cases}
        said = tuple(f"Prompt: {one}." for one in sorted(whose))
        point = accuracy_point("direct answers", options.data, samples)
        return Findings(f"Direct answers: {options.data}", "", (point,), sentences=said)
    lengths = options.lengths or LENGTHS
    points = [
        accuracy_point("direct answers", n, [s for s in samples if s.kind.endswith(f"length {n}")]) for n in lengths
    ]
    return Findings(
        "S5 permutation tracking, direct answers",
        "steps",
        tuple(points),
        sentences=(f"Prompt: {PAPER_WORDING}.", DIRECT_NOTE),
    )
