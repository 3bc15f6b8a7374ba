"""Validates the settings of a run, alone and for a backend.

Each error is one line that names the option, and comes before the model is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from corpora.errors import InputError, did_you_mean
from rewrite import recipe_names
from rewrite.baselines import PLACEBO
from runner.asking.ask import DECODES
from runner.asking.backend import Backend
from runner.asking.prompts import PROMPT_FORMATS, TRACE_TOKENS, PromptFormat
from runner.records.samples import MODES, Mode
from runner.runs.evaluation_run import EvaluationSettings


def validated_settings(settings: EvaluationSettings, prompt: PromptFormat | None) -> EvaluationSettings:
    """The settings of a run after validation: `--prompt direct` implies plain decoding.

    Raises:
        InputError: a value is invalid, or settings exclude each other.
    """
    known: dict[str, tuple[object, Sequence[object]]] = {
        "--mode": (settings.mode, MODES),
        "--decode": (settings.decode, DECODES),
        "--prompt": (prompt, (None, *PROMPT_FORMATS)),
    }
    for option, (value, values) in known.items():  # argparse checks these, the Python API does not
        if value not in values:
            names = [str(one) for one in values if one]
            close = did_you_mean(str(value), names)
            raise InputError(f"must be one of {', '.join(names)}{close}", where=f"{option} {value}")
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
        reason = "does not apply to greedy decoding: add --temperature"
        raise InputError(reason, where=f"--num-samples {settings.num_samples}")
    if settings.mode != "free" and settings.temperature:
        raise InputError(
            f"does not apply to --mode {settings.mode}, which uses greedy decoding",
            where=f"--temperature {settings.temperature}",
        )
    if settings.reveal_every != 1 and settings.mode != "forced-actions":
        raise InputError("sparse reveals need --mode forced-actions", where=f"reveal_every={settings.reveal_every}")
    if settings.mode == "forced" and settings.stop_at_divergence:
        reason = "does not apply to --mode forced, which grades each prediction alone"
        raise InputError(reason, where="--stop-at-divergence")
    if prompt != "direct":
        return settings
    if settings.mode != "free" or settings.stop_at_divergence or settings.stop_after:
        reason = "asks for no trace, so --mode, --stop-after and --stop-at-divergence do not apply"
        raise InputError(reason, where="--prompt direct")
    return replace(settings, decode="plain")  # there is no trace to draft from


def check_backend(backend: Backend, mode: Mode, prompt: PromptFormat | None) -> None:
    """Raises InputError if the backend does not support the mode, the prompt format, or traces at all."""
    missing = [token for token in TRACE_TOKENS if token not in backend.tokenizer.special_tokens]
    if prompt == "direct" and prompt not in backend.prompt_formats:
        reason = "the model has no chat template: use openai:NAME@URL, or weights with a chat template"
        raise InputError(reason, where="--prompt direct")
    if missing and prompt != "direct":
        reason = f"the vocabulary has no token {', '.join(missing)}, so the model cannot write traces"
        raise InputError(f"{reason}: use a code world model, or --prompt direct", where=f"--model {backend.name}")
    if mode != "free" and backend.recorded:
        raise InputError("needs a model; a recording has only complete answers", where=f"--mode {mode}")
    if mode == "forced" and not backend.gives_ids:
        reason = "needs token ids, and this server returns text: use vllm:NAME@URL, or weights"
        raise InputError(reason, where=f"--mode {mode}")
