"""The events of CWM, with its special tokens: the prompt format `bare` and the trace up to <|end_of_text|>.

In `prompt` and `trace` the special tokens are spelled out, and a program may contain the same characters as ordinary
text. The token ids tell them apart, so train on those.
"""

from __future__ import annotations

from analyze.gold_trace.frames import frames_to_ids
from analyze.gold_trace.trace import Trace
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from runner.asking.prompts import prompt_ids, prompt_text
from runner.traces.rendered_trace import RenderedTrace

SUMMARY = "CWM's events with its special tokens, as text and token ids"
END_OF_TEXT = "<|end_of_text|>"


def render(case: Case, trace: Trace, tokenizer: Tokenizer) -> RenderedTrace:
    """The prompt and the trace of CWM. Raises InputError if the vocabulary lacks a special token."""
    return RenderedTrace(
        prompt_text(case, "bare"),
        trace.text + END_OF_TEXT,
        tuple(prompt_ids(case, "bare", tokenizer)),
        (*frames_to_ids(trace.frames, tokenizer), tokenizer.special_id(END_OF_TEXT)),
    )
