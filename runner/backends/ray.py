"""One model on the machines of a Ray cluster: `ray:N:MODEL` holds MODEL in N actors, and shares the questions out.

MODEL is whatever another backend takes; each actor loads it by itself, on its share of the cluster's GPUs. The cluster
is the one that RAY_ADDRESS names, else this machine. Questions travel in portions of two batches, whose records are
written as they come back; an interrupted run loses what is under way, and goes on as any other. The actors live as long
as the run, and keep their weights from round to round; Ray Data's would load them anew for every one. Tried in local
mode, with `pocket` and with vLLM's engine (`ray:2:engine:pocket`). Not in scope: chat.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.asking.backend import Backend
from runner.asking.generation import Generation, Prompt, Scores
from runner.asking.prompts import PromptFormat
from runner.backends import load_model

if TYPE_CHECKING:
    from runner.asking.request import GenerationRequest

SPEC = "ray:N:MODEL"
EXTRA = "ray"
_PREFIX = "ray:"
_BATCHES = 2


@dataclass(frozen=True)
class Card:
    """What the actors say of their model, for `runner.backends.Backend`."""

    weights: str
    tokenizer: Tokenizer
    forms: tuple[PromptFormat, ...]
    scores: bool
    gives_ids: bool
    context: int | None
    tie: float


class Holder:
    """Holds a model in a process of the cluster."""

    def __init__(self, spec: str) -> None:
        self.backend: Backend = load_model(spec)

    def card(self) -> Card:
        """All but the model itself."""
        model = self.backend
        forms = tuple(form for form in model.prompt_formats if form != "direct")
        known = model.weights, model.tokenizer, forms, model.scores, model.gives_ids, model.context, model.tie
        return Card(*known)

    def verify(self, portion: list[tuple[int, GenerationRequest]], rows: int) -> list[tuple[int, Generation]]:
        """The answers to questions with their places."""
        from runner.asking.ask import ask

        told = ask(self.backend, [request for _, request in portion], rows, "verified")
        return [(portion[one.index][0], one.generation) for one in told]

    def generate(self, prompts: Sequence[Prompt], max_tokens: int) -> list[Generation]:
        """As the model's own."""
        return self.backend.generate(prompts, max_tokens, lambda active: None)

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """As the model's own."""
        return self.backend.score(sequences)


def claims(spec: str) -> bool:
    """Whether a spec names a model on a cluster."""
    return spec.startswith(_PREFIX)


def load(spec: str, device: str | None = None) -> RayBackend:
    """The model in its actors. Raises InputError if it is not available, or the spec gives no number of actors."""
    count, _, model = spec.removeprefix(_PREFIX).partition(":")
    if not (count.isdecimal() and int(count) and model):
        raise InputError(f"must be {SPEC}, as ray:2:pocket", where=f"--model {spec}")
    return RayBackend(spec, int(count), model)


class RayBackend(Backend):
    """N actors. Any: ray's own types say nothing of remote methods."""

    def __init__(self, name: str, count: int, model: str) -> None:
        self._ray: Any = importlib.import_module("ray")
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False, log_to_driver=False, logging_level="error")
        gpus = self._ray.cluster_resources().get("GPU", 0) / count
        holder = self._ray.remote(Holder).options(num_cpus=1, num_gpus=int(gpus) if gpus >= 1 else gpus)
        self._actors = [holder.remote(model) for _ in range(count)]
        try:
            card: Card = self._ray.get(self._actors[0].card.remote())
        except self._ray.exceptions.RayError as error:
            said = str(error).strip().splitlines()[-1]
            raise InputError(f"no actor of the cluster holds {model} ({said[:300]})", where=f"--model {name}") from None
        self.name = name
        self.weights = card.weights
        self.tokenizer = card.tokenizer
        self.prompt_formats = card.forms
        self.scores = card.scores
        self.gives_ids = card.gives_ids
        self.context = card.context
        self.tie = card.tie
        self.verifies = card.scores  # any other model decodes plainly, and the record says so

    def verify(self, requests: Sequence[GenerationRequest], rows: int) -> Iterator[tuple[int, Generation]]:
        """Answers as portions of them come back, each with the place of its request."""
        size = max(1, min(_BATCHES * rows, math.ceil(len(requests) / len(self._actors))))
        placed = list(enumerate(requests))
        portions = [placed[start : start + size] for start in range(0, len(placed), size)]
        pool = self._ray.util.ActorPool(self._actors)
        for answers in pool.map_unordered(lambda actor, portion: actor.verify.remote(portion, rows), portions):
            yield from answers

    def generate(
        self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None] = lambda active: None
    ) -> list[Generation]:
        """Continuations in order, a part of them from each actor."""
        return self._shared(prompts, lambda actor, part: actor.generate.remote(part, max_tokens))

    def score(self, sequences: Sequence[tuple[Sequence[int], int]]) -> list[Scores]:
        """The greedy choices, a part of them from each actor."""
        return self._shared(sequences, lambda actor, part: actor.score.remote(part))

    def _shared(self, items: Sequence[Any], work: Callable[[Any, Any], Any]) -> list[Any]:
        size = max(1, math.ceil(len(items) / len(self._actors)))
        parts = [items[start : start + size] for start in range(0, len(items), size)]
        found = self._ray.get([work(actor, part) for actor, part in zip(self._actors, parts, strict=False)])
        return [one for part in found for one in part]
