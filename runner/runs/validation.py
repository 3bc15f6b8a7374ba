"""What can be asked: settings that mean something together, and backends that can be asked so.

All is refused in one line that names the option, before anything is asked. Nothing is asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpora.errors import InputError, did_you_mean
from rewrite import recipe_names
from rewrite.baselines.placebo import PLACEBO
from runner.asking.ask import DECODES
from runner.asking.backend import Backend
from runner.asking.prompts import FORMS, TRACE_TOKENS, Form
from runner.records.samples import MODES, Mode
from runner.runs.experiment import Settings


def settled(settings: Settings, prompt: Form | None) -> Settings:
    """The settings as they are asked with. Raises InputError for those that mean nothing together."""
    known: dict[str, tuple[object, Sequence[object]]] = {
        "--mode": (settings.mode, MODES),
        "--decode": (settings.decode, DECODES),
        "--prompt": (prompt, (None, *FORMS)),
    }
    for option, (value, values) in known.items():  # argparse has seen to it; Python has not
        if value not in values:
            names = [str(one) for one in values if one]
            close = did_you_mean(str(value), names)
            raise InputError(f"there are {', '.join(names)}{close}", where=f"{option} {value}")
    for option, number in (
        ("--max-tokens", settings.max_tokens),
        ("--batch-size", settings.batch_size),
        ("--num-samples", settings.num_samples),
    ):
        if number < 1:
            raise InputError("must be at least 1", where=f"{option} {number}")
    for recipe in settings.recipes:
        known_recipes = (*recipe_names(), PLACEBO)
        if recipe not in known_recipes:
            reason = f"unknown recipe{did_you_mean(recipe, known_recipes)}; known are {', '.join(known_recipes)}"
            raise InputError(reason, where=f"--recipe {recipe}")
    if settings.num_samples > 1 and not settings.temperature:
        raise InputError(
            "means nothing for greedy answers: give a --temperature", where=f"--num-samples {settings.num_samples}"
        )
    if settings.mode != "free" and settings.temperature:
        raise InputError("forced modes are asked greedily: leave it out", where=f"--temperature {settings.temperature}")
    if settings.reveal_every != 1 and settings.mode != "forced-actions":
        raise InputError("sparse reveals need --mode forced-actions", where=f"reveal_every={settings.reveal_every}")
    if settings.mode == "forced" and settings.stop_at_divergence:
        reason = "means nothing with --mode forced: all predictions are judged, whatever becomes of one"
        raise InputError(reason, where="--stop-at-divergence")
    if prompt != "direct":
        return settings
    if settings.mode != "free" or settings.stop_at_divergence or settings.stop_after:
        reason = "asks for no trace: --mode, --stop-after and --stop-at-divergence mean nothing with it"
        raise InputError(reason, where="--prompt direct")
    return replace(settings, decode="plain")  # there is no trace to draft from


def check_askable(backend: Backend, mode: Mode, prompt: Form | None) -> None:
    """Raises InputError for a backend that cannot be asked in this mode or form, or not for traces at all."""
    missing = [token for token in TRACE_TOKENS if token not in backend.tokenizer.special_tokens]
    if prompt == "direct" and prompt not in backend.forms:
        reason = "this model does not chat (no chat template): take openai:NAME@URL, or weights that have one"
        raise InputError(reason, where="--prompt direct")
    if missing and prompt != "direct":
        reason = f"its vocabulary has no token {', '.join(missing)}, so it was taught no traces"
        raise InputError(
            f"{reason}: take a code world model, or ask with --prompt direct", where=f"--model {backend.name}"
        )
    if mode != "free" and backend.recorded:
        raise InputError("a recording has whole answers alone: ask a model", where=f"--mode {mode}")
    if mode == "forced" and not backend.gives_ids:
        reason = "judges tokens, and this server answers in text: take vllm:NAME@URL, or weights"
        raise InputError(reason, where=f"--mode {mode}")
