"""One model on a Ray cluster: `ray:N:MODEL` loads MODEL in N actors and distributes the questions among them.

MODEL is a spec of another backend; each actor loads it on its share of the cluster's GPUs. The cluster is that of
RAY_ADDRESS (default: this machine). Questions are sent in chunks of two batches, and each chunk's records are written
when it returns, so an interrupted run loses only chunks in progress. Actors live as long as the run and keep their
weights from round to round; with Ray Data each round would load them again. Tested in local mode, with a small
model and with vLLM's engine (`ray:2:engine:MODEL`). Not in scope: chat.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from corpora.errors import InputError
from runner.asking.backend import Backend
from runner.asking.generation import Generation, Prompt, Scores
from runner.backends import load_model

if TYPE_CHECKING:
    from runner.asking.request import GenerationRequest

SPEC = "ray:N:MODEL"
EXTRA = "ray"
_PREFIX = "ray:"
_BATCHES = 2
_DESCRIBED = ("weights", "tokenizer", "prompt_formats", "scores", "gives_ids", "context", "tie")
"""Attributes of an actor's backend that are also those of all actors together."""


class ModelActor:
    """A model in a process of the cluster."""

    def __init__(self, spec: str) -> None:
        self.backend: Backend = load_model(spec)

    def description(self) -> dict[str, Any]:
        """The attributes of the backend, by name."""
        return {name: getattr(self.backend, name) for name in _DESCRIBED}

    def verify(self, chunk: list[tuple[int, GenerationRequest]], rows: int) -> list[tuple[int, Generation]]:
        """The answers to a chunk of requests, with their indices."""
        from runner.asking.ask import ask

        answers = ask(self.backend, [request for _, request in chunk], rows, "verified")
        return [(chunk[one.index][0], one.generation) for one in answers]

    def generate(self, prompts: Sequence[Prompt], max_tokens: int) -> list[Generation]:
        """As `Backend.generate`."""
        return self.backend.generate(prompts, max_tokens, lambda active: None)

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """As `Backend.score`."""
        return self.backend.score(sequences)


def claims(spec: str) -> bool:
    """Whether a value of `--model` is `ray:N:MODEL`."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> RayBackend:
    """Starts the actors. Raises InputError if the model is not available, or the spec has no number of actors."""
    count, _, model = spec.removeprefix(_PREFIX).partition(":")
    if not (count.isdecimal() and int(count) and model):
        raise InputError(f"must be {SPEC}, as ray:2:pocket", where=f"--model {spec}")
    return RayBackend(spec, int(count), model)


class RayBackend(Backend):
    """N actors with the same model. Any: ray has no types for remote methods."""

    def __init__(self, name: str, count: int, model: str) -> None:
        self._ray: Any = importlib.import_module("ray")
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
        gpus = self._ray.cluster_resources().get("GPU", 0) / count
        holder = self._ray.remote(ModelActor).options(num_cpus=1, num_gpus=int(gpus) if gpus >= 1 else gpus)
        self._actors = [holder.remote(model) for _ in range(count)]
        try:
            vars(self).update(self._ray.get(self._actors[0].description.remote()))
        except self._ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()[-1]
            reason = f"no actor of the cluster could load {model} ({said[:300]})"
            raise InputError(reason, where=f"--model {name}") from None
        self.name = name
        self.prompt_formats = tuple(form for form in self.prompt_formats if form != "direct")
        self.verifies = self.scores  # otherwise plain decoding, which records name

    def verify(self, requests: Sequence[GenerationRequest], rows: int) -> Iterator[tuple[int, Generation]]:
        """Answers as their chunks return, each with the index of its request."""
        size = max(1, min(_BATCHES * rows, math.ceil(len(requests) / len(self._actors))))
        placed = list(enumerate(requests))
        chunks = [placed[start : start + size] for start in range(0, len(placed), size)]
        pool = self._ray.util.ActorPool(self._actors)
        for answers in pool.map_unordered(lambda actor, chunk: actor.verify.remote(chunk, rows), chunks):
            yield from answers

    def generate(self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None]) -> list[Generation]:
        """Continuations in order; each actor generates an equal part."""
        return self._shared(prompts, lambda actor, part: actor.generate.remote(part, max_tokens))

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """The greedy choices; each actor scores an equal part."""
        return self._shared(sequences, lambda actor, part: actor.score.remote(part))

    def _shared(self, items: Sequence[Any], work: Callable[[Any, Any], Any]) -> list[Any]:
        size = max(1, math.ceil(len(items) / len(self._actors)))
        parts = [items[start : start + size] for start in range(0, len(items), size)]
        found = self._ray.get([work(actor, part) for actor, part in zip(self._actors, parts, strict=False)])
        return [one for part in found for one in part]
