"""A training run in memory: settings, progress, steps, and a state that resumes it exactly.

On the CPU each thread computes one micro-batch with single-threaded kernels, and the gradients are added in a fixed
order. Kernels then do not wait for each other on a shared machine, and the same settings give the same weights on the
same machine and torch version (on a GPU, kernels may add in another order). `runner.pocket.train` writes the files.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from analyze.tokens.tokenizer import Tokenizer
from corpora.errors import InputError
from runner.pocket import attention
from runner.pocket.batches import Batch, BatchSource, PocketSource, Position
from runner.pocket.model import new_model, pocket_config
from runner.pocket.optimizer import Average, learning_rate, optimizers, set_learning_rate

GRADIENT_NORM = 1.0
# Settings that a resumed run must not change.
FIXED = ("seed", "hidden", "layers", "inner")
_VARIANTS = 64


@dataclass(frozen=True)
class Settings:
    """The settings of a training run.

    Attributes:
        seed: random seed of programs and weights.
        tokens: budget of tokens, including padding.
        documents: budget of documents instead (0: none).
        minutes: budget of time instead, from the start of this stage (0: none).
        hidden: width of the hidden states.
        layers: number of layers.
        inner: width of the MLP.
        micro: padded tokens of a micro-batch.
        streams: micro-batches per step, each in its own thread on the CPU.
        muon: peak learning rate of Muon.
        adam: peak learning rate of AdamW.
        average: decay of the moving average of the weights.
        decay: the last fraction of the budget, over which the learning rates decay.
        late: 1 for LATE_WEIGHTS.
        compiled: 1 to compile the layers, except attention (requires a C++ compiler; a third faster on a CPU).
    """

    seed: int = 0
    tokens: int = 24_000_000
    documents: int = 0
    minutes: float = 0.0
    hidden: int = 256
    layers: int = 5
    inner: int = 384
    micro: int = 2048
    streams: int = 2
    muon: float = 0.008
    adam: float = 0.002
    average: float = 0.99
    decay: float = 0.8
    late: int = 0
    compiled: int = 0


@dataclass(frozen=True)
class Progress:
    """The progress of a run.

    Attributes:
        step: number of steps.
        tokens: processed tokens, including padding.
        documents: processed documents.
        seconds: wall time of all parts of the run, including evaluation.
        position: the next micro-batch.
    """

    step: int = 0
    tokens: int = 0
    documents: int = 0
    seconds: float = 0.0
    position: Position = field(default_factory=Position)


class Run:
    """A run in memory: model, optimizers, average, progress. Its steps depend on settings and progress only."""

    def __init__(
        self, settings: Settings, tokenizer: Tokenizer, device: torch.device, source: BatchSource | None = None
    ) -> None:
        """source: the training data (default: pocket's own programs)."""
        self.settings = settings
        self.tokenizer = tokenizer
        self.source = source or PocketSource(settings.seed, tokenizer, settings.micro, bool(settings.late))
        self.device = device
        shape = pocket_config(tokenizer, hidden=settings.hidden, layers=settings.layers, inner=settings.inner)
        self.model = new_model(shape, settings.seed).to(device)
        if device.type == "cpu":
            self.model.set_attn_implementation(attention.NAME)
        if settings.compiled:
            _compile(self.model)
        self.weights = list(self.model.parameters())
        self.optimizers = optimizers(self.model, settings.muon, settings.adam)
        self.average = Average(self.model, settings.average)
        self.progress = Progress()
        # The step at which the optimizers were created, where the warmup begins.
        self.warmed = 0
        self.stages = [self._stage()]
        self._opened = time.monotonic()
        threads = settings.streams if device.type == "cpu" else 1
        self._threads = ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))

    def _stage(self) -> dict[str, Any]:
        """The settings of a stage, and where it begins: a run may be resumed with other settings or programs."""
        begun = {"from": self.progress.tokens, "step": self.progress.step, "seconds": self.progress.seconds}
        return {**begun, **self._in_force()}

    def _in_force(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self.settings), "programs": self.source.description}

    def state(self) -> dict[str, Any]:
        """The state for `restore`, to be written by `torch.save`."""
        return {
            "stages": self.stages,
            "warmed": self.warmed,
            "progress": dataclasses.asdict(self.progress),
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "average": self.average.weights,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Resumes from a state. Raises InputError if it is invalid, or of a run with another seed or shape."""
        try:
            for name in FIXED:
                if state["stages"][-1][name] != getattr(self.settings, name):
                    raise InputError(f"the checkpoint is of a run with --{name} {state['stages'][-1][name]}")
            progress = dict(state["progress"])
            self._go_on(Progress(**progress | {"position": Position(**progress["position"])}), state["stages"])
            self.warmed = state.get("warmed", 0)
            self.model.load_state_dict(state["model"])
            for optimizer, kept in zip(self.optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(kept)
            self.average.weights = [weight.to(self.device) for weight in state["average"]]
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise InputError(f"the checkpoint is of another model or version: {str(error).splitlines()[0]}") from None

    def take_up(self, weights: dict[str, torch.Tensor], progress: Progress, stages: list[dict[str, Any]]) -> None:
        """Continues from weights alone, with new optimizers, so the warmup is repeated.

        Raises:
            InputError: the weights have another shape.
        """
        try:
            # The output layer is tied to the embeddings and not stored.
            missing, unknown = self.model.load_state_dict(weights, strict=False)
        except RuntimeError as error:
            reason = f"the weights have another shape than their config.json: {str(error).splitlines()[-1]}"
            raise InputError(reason) from None
        if unknown or set(missing) - {"lm_head.weight"}:
            raise InputError(f"the weights have other names than pocket's: {', '.join([*unknown, *missing][:3])}")
        self.average = Average(self.model, self.settings.average)
        self.warmed = progress.step
        # The current pool is skipped, because the rest of it has other proportions.
        self._go_on(dataclasses.replace(progress, position=Position(progress.position.pool + 1)), stages)

    def _go_on(self, progress: Progress, stages: list[dict[str, Any]]) -> None:
        """Continues the current stage if its settings are the same and its minutes are not over."""
        self.progress, self.stages = progress, list(stages)
        self._opened = time.monotonic() - progress.seconds
        begun = ("from", "step", "seconds")
        last = self.stages[-1] if self.stages else {}
        same = {name: value for name, value in last.items() if name not in begun} == self._in_force()
        if not same or (self.settings.minutes and self.left() <= 0):
            self.stages.append(self._stage())

    def left(self) -> float:
        """The remaining fraction of the budget: of the stage's minutes, of the documents, or of the tokens."""
        if self.settings.minutes:
            begun = float(self.stages[-1]["seconds"])
            return 1 - (self.progress.seconds - begun) / (60 * self.settings.minutes)
        if self.settings.documents:
            return 1 - self.progress.documents / self.settings.documents
        return 1 - self.progress.tokens / self.settings.tokens

    def steps(self, count: int) -> float:
        """Takes `count` steps, fewer at the end of the budget. Returns the mean loss per token, in nats."""
        settings = self.settings
        losses: list[float] = []
        batches = self.source.batches(self.progress.position)
        self.model.train()
        while len(losses) < count and self.left() > 0:
            chosen = list(islice(batches, settings.streams))
            losses.append(self._step([batch for batch, _ in chosen]))
            self.progress = Progress(
                self.progress.step + 1,
                self.progress.tokens + sum(batch.ids.numel() for batch, _ in chosen),
                self.progress.documents + sum(len(batch.ids) for batch, _ in chosen),
                time.monotonic() - self._opened,
                chosen[-1][1],
            )
        return sum(losses) / max(1, len(losses))

    def _step(self, batches: Sequence[Batch]) -> float:
        done, decay = self.progress, self.settings.decay
        learnt = sum(int(batch.learnt[:, 1:].sum()) for batch in batches)
        parts = list(self._threads.map(self._gradients, batches))
        for index, weight in enumerate(self.weights):
            weight.grad = torch.stack([gradients[index] for _, gradients in parts]).sum(0).div_(learnt)
        torch.nn.utils.clip_grad_norm_(self.weights, GRADIENT_NORM)
        for optimizer in self.optimizers:
            set_learning_rate(optimizer, learning_rate(done.step - self.warmed, self.left(), decay))
        list(self._threads.map(lambda optimizer: optimizer.step(), self.optimizers))
        self.average.update(self.model, done.step)
        return sum(loss for loss, _ in parts) / learnt

    def _gradients(self, batch: Batch) -> tuple[float, Sequence[torch.Tensor]]:
        """The summed loss of one micro-batch, and its gradients."""
        ids, learnt = batch.ids.to(self.device), batch.learnt[:, 1:].to(self.device)
        # Each weight is used once, so a cache of casts saves nothing; and two compiling threads once deadlocked when
        # one of them cleared the cache.
        with torch.autocast(self.device.type, torch.bfloat16, cache_enabled=False):
            hidden = self.model.model(input_ids=ids[:, :-1], use_cache=False).last_hidden_state
            logits = self.model.lm_head(hidden[learnt])
        loss = cross_entropy(logits.float(), ids[:, 1:][learnt], reduction="sum")
        return float(loss.detach()), torch.autograd.grad(loss, self.weights)


def _compile(model: Any) -> None:
    """Compiles each layer at its first call, for any length.

    Each layer, one or several documents, and training or evaluation are separate variants. Beyond its limit of
    variants, torch would silently run uncompiled.
    """
    torch._dynamo.config.recompile_limit = _VARIANTS
    for layer in model.model.layers:
        layer.compile(dynamic=True)
