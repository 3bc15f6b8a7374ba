"""Question and answer: the program with its call, and the value of the call or the class of its exception.

The question is the chat prompt of `spellout run --prompt direct`.
"""

from __future__ import annotations

from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.asking.direct_prompts import messages
from runner.traces.rendered_trace import RenderedTrace

SUMMARY = "a question about the result, and its answer"


def render(case: Case, trace: Trace, tokenizer: Tokenizer) -> RenderedTrace:
    """The question as one text, and `Answer: VALUE`."""
    question = "\n\n".join(text for _, text in messages(case))
    outcome = trace.outcome
    answer = outcome.exception[0] if outcome.exception else outcome.value
    return RenderedTrace(question, f"Answer: {answer}")
