"""Backends: the ways to ask a code world model. `load_model` turns what stands behind `--model` into one.

A backend continues prompts, greedily, and says why it stopped. It knows nothing of programs, traces or grading.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.prompts import Form

Stopped = Literal["end", "answer", "limit", "long", "unrecorded"]

END_OF_ANSWER = "[/ANSWER]"
# "end of message" and the two ends of text: CWM's own stop tokens (shared trace format, "Special tokens").
STOP_TOKENS = ("<|end_of_text|>", "<|eot_id|>", "<|end_of_message|>", "<|eom_id|>")


@dataclass(frozen=True)
class Prompt:
    """One question: the prompt's token ids, and the case and program that it is about (a replay needs them)."""

    case_id: str
    attempt: str
    ids: tuple[int, ...]
    source: str = ""
    call: str = ""


@dataclass(frozen=True)
class Generation:
    """One continuation. ids: without prompt and stop token; empty where a recorded output has only text.

    stopped: "end" at a stop token, "answer" after `[/ANSWER]`, "limit" when the tokens ran out, "long" where a run
    waited no longer (`Settings.stop_after`), "unrecorded" where a replay knows no output for the prompt (text and ids
    are empty then).
    """

    ids: tuple[int, ...]
    text: str
    stopped: Stopped


class Backend(Protocol):
    """What an experiment needs of a model.

    name: what it is called in records; weights: what tells its parameters from others under the same name ("" where
    there are none); forms: what it was taught.
    """

    name: str
    weights: str
    tokenizer: Tokenizer
    forms: tuple[Form, ...]

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Greedy continuations, one a prompt, in order. `on_token(n)`: n sequences are still being written."""
        ...


def load_model(spec: str, *, device: str | None = None) -> Backend:
    """The backend for `pocket`, a local folder, a Hugging Face id or `replay:FILE`.

    Raises InputError, in one line, for a spec that is none of these, for weights that cannot be had, and where
    the `model` extra is not installed.
    """
    if spec.startswith("replay:"):
        replay: Backend = importlib.import_module("runner.backends.replay").Replay(Path(spec.removeprefix("replay:")))
        return replay
    _check(spec)
    try:
        module = importlib.import_module("runner.backends.transformers")
    except ModuleNotFoundError as error:
        raise InputError(f"needs {error.name}: pip install 'spellout[model]'", where=f"--model {spec}") from error
    backend: Backend = module.load(spec, device)
    return backend


def _check(spec: str) -> None:
    looks_like_an_id = spec.count("/") == 1 and all(spec.split("/")) and ":" not in spec and not spec.startswith(".")
    if spec == "pocket" or (spec and Path(spec).is_dir()) or looks_like_an_id:
        return
    raise InputError(
        "unknown model; known are pocket, a folder with weights, a Hugging Face id (facebook/cwm), replay:FILE",
        where=f"--model {spec}",
    )
