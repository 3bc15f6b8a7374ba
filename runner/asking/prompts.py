"""Prompt formats: turns a case into token ids.

bare     `<|begin_of_text|><|trace_context_start|>` + context + `<|frame_sep|>`; the answer starts with an event token
         and ends with `<|end_of_text|>`. Source: CWM's prompting guide, and the paper's Appendix C.2 (S_n).
oneshot  instructions, a worked example with its trace and `[ANSWER]` block, then the program. Source: "Debugging Code
         World Models" (Rahmani 2026, Appendix A and B.1), verbatim in `oneshot.txt`.
direct   a chat that asks for the result without a trace (`runner.asking.direct_prompts`), for chat models.

Only the format contributes special tokens: a program with the characters `<|frame_sep|>` is encoded as ordinary text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from corpora.errors import InputError

PromptFormat = Literal["bare", "oneshot", "direct"]
PROMPT_FORMATS: tuple[PromptFormat, ...] = ("bare", "oneshot", "direct")

FORMATS_KEY = "prompt_forms"
"""The key in a model's config.json for its prompt formats, if it was not trained on both of CWM's."""

BEGIN_OF_TEXT = "<|begin_of_text|>"
TRACE_CONTEXT_START = "<|trace_context_start|>"
TRACE_TOKENS = (*EVENT_SEP.values(), ACTION_SEP, ARG_SEP, FRAME_SEP, BEGIN_OF_TEXT, TRACE_CONTEXT_START)
"""The special tokens that a vocabulary needs for traces."""
_SPECIAL = re.compile(r"(<\|\w+\|>)")
_SLOT = re.compile(r"\{(code|call)\}")


Segment = tuple[str, bool]
"""A special token or the text between two, and whether it is a special token, as in `Frame.pieces`."""


@cache
def oneshot_template() -> str:
    """The published prompt with the placeholders `{code}` and `{call}`."""
    return files(__package__).joinpath("prompt_texts/oneshot.txt").read_text(encoding="utf-8")


def default_format(case: Case) -> PromptFormat:
    """The paper's prompt format for a case: bare for S_n, one-shot for all others."""
    return "bare" if case.grading == "state" else "oneshot"


def trained_formats(place: str) -> tuple[PromptFormat, ...]:
    """The trace prompt formats that a model was trained on: those in its config.json, else both.

    Args:
        place: folder of the model, or a Hugging Face id, for which config.json is not read.

    Raises:
        InputError: config.json cannot be read, or names unknown formats.
    """
    config = Path(place) / "config.json"
    try:
        known = json.loads(config.read_text(encoding="utf-8")) if config.is_file() else {}
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", where=str(config)) from None
    formats = known.get(FORMATS_KEY, ["oneshot", "bare"]) if isinstance(known, dict) else known
    if not (isinstance(formats, list) and formats and all(word in ("oneshot", "bare") for word in formats)):
        raise InputError(f"{FORMATS_KEY} must be a list of oneshot and bare, not {formats!r}", where=str(config))
    return tuple(formats)


def segments(case: Case, form: PromptFormat) -> tuple[Segment, ...]:
    """The prompt as a sequence of special tokens and non-empty ordinary text."""
    return tuple(_bare(case) if form == "bare" else _oneshot(case))


def prompt_text(case: Case, form: PromptFormat) -> str:
    """The prompt as a string, with special tokens as text."""
    return "".join(text for text, _ in segments(case, form))


def prompt_ids(case: Case, form: PromptFormat, tokenizer: Tokenizer) -> list[int]:
    """The prompt as token ids. Raises InputError if the vocabulary lacks a special token of the format."""
    ids: list[int] = []
    for text, special in segments(case, form):
        ids.extend([tokenizer.special_id(text)] if special else tokenizer.encode(text))
    return ids


def _bare(case: Case) -> Iterator[Segment]:
    yield from ((BEGIN_OF_TEXT, True), (TRACE_CONTEXT_START, True), (case.context, False), (FRAME_SEP, True))


def _oneshot(case: Case) -> Iterator[Segment]:
    yield BEGIN_OF_TEXT, True
    template = oneshot_template()
    if case.call.startswith("main_solution("):
        # The paper's composition prompt (Appendix B.1) differs in this character; HumanEval's with helpers does not.
        head, mark, tail = template.rpartition("Python function:\n")
        template = head + mark.replace("function:", "functions:") + tail
    filling = {"code": case.source.rstrip("\n"), "call": case.call}
    for index, part in enumerate(_SPECIAL.split(template)):
        if index % 2:
            yield part, True
        elif part:
            yield _SLOT.sub(lambda slot: filling[slot[1]], part), False
