"""Prompts: a Case to token ids, in the two forms that CWM is asked in; a third asks for no trace.

bare     `<|begin_of_text|><|trace_context_start|>` + context + `<|frame_sep|>`; the answer starts with an event token
         and ends with `<|end_of_text|>`. CWM's own prompting guide; the paper's Appendix C.2 (S_n).
oneshot  instructions, a worked example with its trace and `[ANSWER]` block, then the program: the wording of
         "Debugging Code World Models" (Rahmani 2026, Appendix A and B.1), byte for byte in `oneshot.txt`.
direct   a chat prompt that asks for the result alone (`runner.asking.direct_prompts`), for models that chat.

Special tokens come from the form alone: a program that contains the characters `<|frame_sep|>` is encoded as ordinary
text. Nothing here asks a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

from analyze.gold_trace.frames import ACTION_SEP, ARG_SEP, EVENT_SEP, FRAME_SEP
from analyze.tokens.tokenizer import Tokenizer
from corpora import Case
from corpora.errors import InputError

Form = Literal["bare", "oneshot", "direct"]
FORMS: tuple[Form, ...] = ("bare", "oneshot", "direct")

TAUGHT = "prompt_forms"
"""The key in a model's config.json for the forms that it was taught, where these are not both of CWM's."""

BEGIN_OF_TEXT = "<|begin_of_text|>"
TRACE_CONTEXT_START = "<|trace_context_start|>"
TRACE_TOKENS = (*EVENT_SEP.values(), ACTION_SEP, ARG_SEP, FRAME_SEP, BEGIN_OF_TEXT, TRACE_CONTEXT_START)
"""What a vocabulary must have for a model to be asked for traces."""
_SPECIAL = re.compile(r"(<\|\w+\|>)")
_SLOT = re.compile(r"\{(code|call)\}")


@dataclass(frozen=True)
class Segment:
    """A special token (its name) or a stretch of ordinary text between two of them."""

    text: str
    special: bool = False


@cache
def oneshot_template() -> str:
    """The published prompt with `{code}` and `{call}` for what varies."""
    return files(__package__).joinpath("prompt_texts/oneshot.txt").read_text(encoding="utf-8")


def form_for(case: Case) -> Form:
    """The form that the paper used for a case of this kind: bare for S_n, one-shot for all others."""
    return "bare" if case.grading == "state" else "oneshot"


def taught(place: str) -> tuple[Form, ...]:
    """The forms of a trace's prompt that a model was taught: what the config.json of its folder says, else both.

    place: a folder, or a name of the hub, of which nothing is read. Raises InputError for other words, and for a
    config.json that cannot be read.
    """
    config = Path(place) / "config.json"
    try:
        known = json.loads(config.read_text(encoding="utf-8")) if config.is_file() else {}
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read ({error})", where=str(config)) from None
    told = known.get(TAUGHT, ["oneshot", "bare"]) if isinstance(known, dict) else known
    if not (isinstance(told, list) and told and all(word in ("oneshot", "bare") for word in told)):
        raise InputError(f"{TAUGHT} must be a list of oneshot and bare, not {told!r}", where=str(config))
    return tuple(told)


def segments(case: Case, form: Form) -> tuple[Segment, ...]:
    """The prompt as special tokens and ordinary text, in order, no segment empty."""
    return tuple(_bare(case) if form == "bare" else _oneshot(case))


def prompt_text(case: Case, form: Form) -> str:
    """The prompt as people read it, special tokens spelled out."""
    return "".join(segment.text for segment in segments(case, form))


def prompt_ids(case: Case, form: Form, tokenizer: Tokenizer) -> list[int]:
    """The prompt as token ids. Raises InputError if the vocabulary lacks one of the form's special tokens."""
    ids: list[int] = []
    for segment in segments(case, form):
        ids.extend([tokenizer.special_id(segment.text)] if segment.special else tokenizer.encode(segment.text))
    return ids


def _bare(case: Case) -> Iterator[Segment]:
    yield Segment(BEGIN_OF_TEXT, special=True)
    yield Segment(TRACE_CONTEXT_START, special=True)
    yield Segment(case.context)
    yield Segment(FRAME_SEP, special=True)


def _oneshot(case: Case) -> Iterator[Segment]:
    yield Segment(BEGIN_OF_TEXT, special=True)
    template = oneshot_template()
    if case.call.startswith("main_solution("):
        # The paper's composition prompt (Appendix B.1) differs in this one letter; HumanEval's with helpers does not.
        head, mark, tail = template.rpartition("Python function:\n")
        template = head + mark.replace("function:", "functions:") + tail
    filling = {"code": case.source.rstrip("\n"), "call": case.call}
    for index, part in enumerate(_SPECIAL.split(template)):
        if index % 2:
            yield Segment(part, special=True)
        elif part:
            yield Segment(_SLOT.sub(lambda slot: filling[slot[1]], part))
