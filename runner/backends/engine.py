"""CWM in vLLM's engine, in this process: `engine:MODEL`; MODEL is `pocket`, a folder or a Hugging Face id.

vLLM requires its own version of torch, so Spellout is installed into vLLM's environment (constraints-vllm.txt). With
`ray:N:engine:MODEL` each actor has an engine, on its share of the cluster's GPUs. The engine uses bf16 on all visible
GPUs, or float32 on the CPU. Not in scope: chat, and other settings of vLLM (use a server, `vllm:NAME@URL`, for those).
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from analyze.tokens.tokenizer import Tokenizer, load_tokenizer
from corpora.errors import InputError
from corpora.rows import one_line
from runner.asking.backend import Backend
from runner.asking.generation import (
    END_OF_ANSWER,
    NEAR_TIES,
    Generation,
    Prompt,
    Sampling,
    Scores,
    generation_from_tokens,
    stop_ids,
)
from runner.asking.prompts import PromptFormat, trained_formats
from runner.backends import pretrained

SPEC = "engine:MODEL"
_PREFIX = "engine:"


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `engine:MODEL`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> EngineBackend:
    """Starts the engine. Raises InputError if vLLM is not installed or does not start."""
    model = spec.removeprefix(_PREFIX)
    if not model:
        raise InputError(f"must be {SPEC}, as engine:facebook/cwm", where=f"--model {spec}")
    os.environ.setdefault("VLLM_LOGGING_LEVEL", "ERROR")
    # In GiB. On a CPU, vLLM would otherwise allocate 90 % of the memory, and fail if less is free.
    os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", "4")
    try:
        vllm: Any = importlib.import_module("vllm")
    except ModuleNotFoundError as error:
        reason = f"needs {error.name}, which has a torch of its own"
        raise InputError(
            f"{reason}: pip install -c constraints-vllm.txt vllm, in an environment of its own", where=f"--model {spec}"
        ) from None
    return EngineBackend(spec, model, vllm)


class EngineBackend(Backend):
    """vLLM's engine. Any: vLLM is not a dependency, so its types are unknown here."""

    scores = True
    gives_ids = True

    def __init__(self, name: str, model: str, vllm: Any) -> None:
        from runner.backends.transformers.loading import identity

        place = pretrained.weights_folder(model) if pretrained.claims(model) else model
        self.name = name
        self.prompt_formats: tuple[PromptFormat, ...] = trained_formats(place)
        try:
            self.tokenizer: Tokenizer = load_tokenizer(place)
            self._engine = _started(vllm, place)
        except Exception as error:  # vLLM and the hub raise errors of many types
            raise InputError(f"vLLM does not start: {one_line(error)[:300]}", where=f"--model {name}") from error
        config = self._engine.llm_engine.model_config
        self.weights = f"vllm {vllm.__version__}, {identity(place, config.dtype, config.hf_config)}"
        self.context: int | None = config.max_model_len
        self.tie = NEAR_TIES[str(config.dtype).removeprefix("torch.")]
        self._params = vllm.SamplingParams
        self._stops = stop_ids(self.tokenizer)

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations of all prompts at once; the engine forms the batches."""
        params = [self._sampling(max_tokens, prompt) for prompt in prompts]
        found = self._engine.generate(_tokens(prompt.ids for prompt in prompts), params, use_tqdm=False)
        return [self._generation(one.outputs[0], prompt.sampling) for one, prompt in zip(found, prompts, strict=True)]

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """The greedy choices in place of ids[start:], and after the last token."""
        params = self._params(max_tokens=1, temperature=0.0, logprobs=2, prompt_logprobs=2, detokenize=False)
        found = self._engine.generate(_tokens(ids for ids, _ in sequences), params, use_tqdm=False)
        return [_scores(one, start) for one, (_, start) in zip(found, sequences, strict=True)]

    def _sampling(self, max_tokens: int, prompt: Prompt) -> Any:
        drawn = prompt.sampling
        return self._params(
            max_tokens=max_tokens,
            temperature=drawn.temperature if drawn else 0.0,
            seed=drawn.seed if drawn else None,
            logprobs=2,
            stop=[END_OF_ANSWER],
            include_stop_str_in_output=True,
            stop_token_ids=sorted(self._stops),
            skip_special_tokens=False,
        )

    def _generation(self, output: Any, draw: Sampling | None) -> Generation:
        gaps = [_ranked(shown)[1] for shown in output.logprobs]
        stopped = output.finish_reason == "stop"
        return generation_from_tokens(list(output.token_ids), gaps, self.tokenizer, stopped=stopped, sampling=draw)


def _started(vllm: Any, place: str) -> Any:
    """Starts the engine. Raises any error of vLLM."""
    import torch

    slow = importlib.import_module("vllm.platforms").current_platform.is_cpu()
    gpus = max(1, torch.cuda.device_count())
    return vllm.LLM(
        model=place,
        dtype="float32" if slow else "bfloat16",
        # For the small models that run on a CPU, compilation takes longer than decoding.
        enforce_eager=slow,
        tensor_parallel_size=gpus,
        **({"distributed_executor_backend": "mp"} if gpus > 1 else {}),
    )


def _tokens(prompts: Any) -> list[dict[str, list[int]]]:
    return [{"prompt_token_ids": list(ids)} for ids in prompts]


def _scores(answer: Any, start: int) -> Scores:
    places = [*answer.prompt_logprobs[start:], answer.outputs[0].logprobs[0]]
    best, gaps = zip(*map(_ranked, places), strict=True)
    return Scores(best, gaps)


def _ranked(shown: Mapping[int, Any]) -> tuple[int, float]:
    """The most likely token at a position, and its margin in nats. `shown` may also contain the actual token."""
    (first, top), (_, second), *_ = sorted(shown.items(), key=lambda item: item[1].rank)
    return first, float(top.logprob - second.logprob)
