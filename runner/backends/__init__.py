"""Backends: the ways to ask a code world model. `load_model` turns what stands behind `--model` into one.

A backend is a module or package of this folder, found by being here: it has `SPEC` (what people write behind
`--model`), `claims(spec)` (whether it is meant) and `load(spec, device)`. What it loads answers to two methods:
`generate` continues token ids, greedily or as each prompt's `Draw` has it; `score` says what the model would have
written greedily in place of given ids. A backend that cannot score says so (`scores`), and is asked by `generate`
alone. None knows programs, traces or grading.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, Protocol

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.prompts import Form

Stopped = Literal["end", "answer", "limit", "long", "context", "divergence", "unrecorded", "failed"]

END_OF_ANSWER = "[/ANSWER]"
# "end of message" and the two ends of text: CWM's own stop tokens (shared trace format, "Special tokens").
STOP_TOKENS = ("<|end_of_text|>", "<|eot_id|>", "<|end_of_message|>", "<|eom_id|>")


@dataclass(frozen=True)
class Draw:
    """How an answer is sampled. temperature: above 0; number: which of a question's answers it is, from 0.

    seed: of all its chance, below 2 to the 31, so that every server takes it. Two answers with one seed are one answer.
    """

    temperature: float
    number: int
    seed: int


@dataclass(frozen=True)
class Prompt:
    """One question: the prompt's token ids, and the case and program that it is about (a replay needs them).

    draw: None where it is answered greedily; messages: of a chat, roles and texts, where it is one; the ids are then
    those of the chat, as far as they are known.
    """

    case_id: str
    attempt: str
    ids: tuple[int, ...]
    source: str = ""
    call: str = ""
    draw: Draw | None = None
    messages: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> int | None:
        """Which of the answers to it is asked for; None for the greedy one."""
        return None if self.draw is None else self.draw.number


@dataclass(frozen=True)
class Generation:
    """One continuation. ids: without prompt and stop token; empty where a recorded output has only text.

    stopped: "end" at a stop token, "answer" after `[/ANSWER]`, "limit" when the tokens ran out, "context" when the
    model's context was full, "long" where a run waited no longer (`Settings.stop_after`), "divergence" where nothing
    that could follow would have made the answer right (`Settings.stop_at_divergence`), "unrecorded" where a replay
    knows no output for the prompt, "failed" where a server gave none; then text and ids are empty, and `why` says what
    happened. gap: the least by which a token of the answer was ahead of the next best, in nats, as far as it is known;
    gaps: that of each of the ids, and of the stop token behind them where there was one, from a backend that says it.
    """

    ids: tuple[int, ...]
    text: str
    stopped: Stopped
    gap: float | None = None
    why: str = ""
    gaps: tuple[float, ...] = ()


def generation(
    written: Sequence[int], gaps: Sequence[float], tokenizer: Tokenizer, *, stopped: bool, draw: Draw | None
) -> Generation:
    """What vLLM wrote, its stop token cut off. stopped: by that or by `[/ANSWER]`, not by the limit.

    Of a sampled answer (`draw`) the gaps say nothing of how near another one was, so they are left out.
    """
    ended = bool(written) and written[-1] in stop_ids(tokenizer)
    ids = tuple(written[:-1] if ended else written)
    text = tokenizer.decode(ids)
    why: Stopped = "limit"
    if stopped:
        why = "end" if ended or END_OF_ANSWER not in text else "answer"
    known = tuple(gaps) if draw is None else ()
    return Generation(ids, text, why, gap=min(known, default=None), gaps=known)


@dataclass(frozen=True)
class Scores:
    """What a model would have written, greedily, in place of each of the ids that it was shown, and after the last.

    best: one token more than the ids scored; gaps: by how much each is ahead of the next best, in nats; why: what
    happened where a server did not say; then both are empty.
    """

    best: tuple[int, ...]
    gaps: tuple[float, ...]
    why: str = ""


class Backend(Protocol):
    """What an experiment needs of a model.

    name: what it is called in records; weights: what tells its parameters from others under the same name ("" where
    there are none); forms: what it was taught; scores: whether it has `score`; gives_ids: whether answers come as
    token ids, not as text alone; context: the most tokens of prompt and answer together, None where it is not known;
    tie: a gap up to which another batch or machine may choose otherwise.
    """

    name: str
    weights: str
    tokenizer: Tokenizer
    forms: tuple[Form, ...]
    scores: bool
    gives_ids: bool
    context: int | None
    tie: float

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations, one a prompt, in order. `on_token(n)`: n sequences are still being written."""
        ...

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """For each (ids, start): the greedy choice in place of ids[start], ids[start + 1], … and after the last."""
        ...


def load_model(spec: str, *, device: str | None = None) -> Backend:
    """The backend for `pocket`, a local folder, a Hugging Face id, `replay:FILE`, or what another module here claims.

    Raises InputError, in one line, for a spec that is none of these, for weights that cannot be had, and where
    the packages that it needs are not installed.
    """
    module = next((module for module in backends().values() if module.claims(spec)), None)
    if module is None:
        known = ", ".join(module.SPEC for module in backends().values())
        raise InputError(f"unknown model; known are {known}", where=f"--model {spec}")
    try:
        backend: Backend = module.load(spec, device)
    except ModuleNotFoundError as error:
        extra = getattr(module, "EXTRA", "model")
        raise InputError(f"needs {error.name}: pip install 'spellout[{extra}]'", where=f"--model {spec}") from error
    return backend


def backends() -> dict[str, Any]:
    """The modules of this folder by name. Any: a module has no type that says what is in it."""
    return {name: _module(name) for name in sorted(_names())}


def _names() -> Iterator[str]:
    for found in pkgutil.iter_modules(__path__):
        yield found.name


@cache
def _module(name: str) -> Any:
    return importlib.import_module(f"{__name__}.{name}")


def out_of_memory(error: BaseException) -> bool:
    """Whether a backend failed since its device's memory is full: torch's error, told without importing torch."""
    kinds = {(kind.__module__.partition(".")[0], kind.__name__) for kind in type(error).__mro__}
    return ("torch", "OutOfMemoryError") in kinds


def stop_ids(tokenizer: Tokenizer) -> frozenset[int]:
    """The ids of CWM's stop tokens that a vocabulary has."""
    return frozenset(token for name, token in tokenizer.special_tokens.items() if name in STOP_TOKENS)
