"""A training run: its settings, its steps, and a checkpoint from which it goes on exactly.

The learning rate rises over the first steps and stays constant, so that a run can be continued for as long as there is
time, with further files of documents. An adapter to use comes from a decay: some minutes at a falling rate, which begin
at the checkpoint and leave it as it is.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from corpora.atomic_files import replacing_path
from corpora.errors import InputError
from corpora.rows import one_line
from lab.pocket.adapted_model import AdaptedModel
from lab.pocket.documents import TraceDocument, read_documents
from lab.pocket.packing import pack, stack

CHECKPOINT = "checkpoint.pt"
BETAS = (0.9, 0.98)
GRADIENT_NORM = 1.0


@dataclass(frozen=True)
class TrainingSettings:
    """The settings of a run that its checkpoint fixes.

    Attributes:
        base: name, folder, file or id of the base model.
        rank: rank of the adapter.
        length: tokens of a row.
        seed: random seed of the adapter and the order of documents.
    """

    base: str = "smollm2-135m"
    rank: int = 32
    length: int = 1024
    seed: int = 0


@dataclass(frozen=True)
class StepSettings:
    """The settings of steps, which a resumed run may change.

    Attributes:
        rate: learning rate after the warm-up.
        warmup: steps over which it rises.
        rows: rows of a step.
        micro: rows that are computed at the same time.
    """

    rate: float = 4e-4
    warmup: int = 50
    rows: int = 2
    micro: int = 2


@dataclass
class TrainingProgress:
    """What a run has done.

    Attributes:
        steps: number of steps.
        tokens: tokens seen, prompts included, padding not.
        learnt: tokens of traces among them.
        seconds: wall time of the steps.
        used: rows taken from each file of documents, by digest of the file.
    """

    steps: int = 0
    tokens: int = 0
    learnt: int = 0
    seconds: float = 0.0
    used: dict[str, int] = field(default_factory=dict)


class DocumentFiles:
    """The training documents of several files, in rows. A file that was used less is used first."""

    def __init__(self, paths: Sequence[Path], settings: TrainingSettings, used: dict[str, int]) -> None:
        """used: rows taken so far from each file, which `take` counts on."""
        self._settings, self.used = settings, used
        self._documents = {_digest(path): [d for d in read_documents(path) if not d.held] for path in paths}
        self._packed: dict[tuple[str, int], list[list[TraceDocument]]] = {}
        self._passes = {name: self._passes_of(name, used.get(name, 0)) for name in self._documents}

    def take(self) -> list[TraceDocument]:
        """The next row."""
        name = min(self._passes, key=lambda name: self._passes[name][0])
        number, index = self._passes[name]
        rows = self._rows(name, number)
        self.used[name] = self.used.get(name, 0) + 1
        self._passes[name] = (number, index + 1) if index + 1 < len(rows) else (number + 1, 0)
        return rows[index]

    def _passes_of(self, name: str, used: int) -> tuple[int, int]:
        """The pass over a file and the row in it after `used` rows."""
        number = 0
        while used >= len(self._rows(name, number)):
            used -= len(self._rows(name, number))
            number += 1
        return number, used

    def _rows(self, name: str, number: int) -> list[list[TraceDocument]]:
        if (name, number) not in self._packed:
            self._packed = {key: rows for key, rows in self._packed.items() if key[0] != name}
            seed = f"{self._settings.seed}-{number}"
            self._packed[name, number] = pack(self._documents[name], self._settings.length, seed)
            if not self._packed[name, number]:
                raise InputError("a file of documents has no training documents")
        return self._packed[name, number]


class AdapterRun:
    """A run in memory."""

    def __init__(
        self,
        model: AdaptedModel,
        settings: TrainingSettings,
        step: StepSettings,
        base_digest: str,
        state: dict[str, Any] | None = None,
    ) -> None:
        """state: of a checkpoint, to go on from; None for a new run."""
        self.model, self.settings, self.step, self.base_digest = model, settings, step, base_digest
        self.progress = TrainingProgress()
        self.optimizer = torch.optim.AdamW(model.groups(step.rate), lr=step.rate, betas=BETAS, weight_decay=0.0)
        if state is not None:
            self._restore(state)

    def _restore(self, state: dict[str, Any]) -> None:
        different = {name for name, value in asdict(self.settings).items() if state["settings"].get(name) != value}
        if different:
            reason = ", ".join(f"--{name} {state['settings'].get(name)}" for name in sorted(different))
            raise InputError(f"the checkpoint is of a run with {reason}")
        self.model.load_adapter(state["adapter"])
        peaks = [group["peak"] for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(state["optimizer"])
        for group, peak in zip(self.optimizer.param_groups, peaks, strict=True):
            group["peak"] = peak
        self.progress = TrainingProgress(**state["progress"])

    def take_step(self, files: DocumentFiles, factor: float = 1.0) -> float:
        """One step at `factor` times the learning rate. Returns the mean loss per trace token, in nats."""
        started = time.monotonic()
        self.progress.used = files.used
        device = self.model.table.device
        rows = [files.take() for _ in range(self.step.rows)]
        learnt = sum(len(document.ids) - document.prompt for row in rows for document in row)
        total = 0.0
        for start in range(0, len(rows), self.step.micro):
            batch = stack(rows[start : start + self.step.micro], self.settings.length).to(device)
            loss = self.model.loss(batch) / learnt
            loss.backward()  # type: ignore[no-untyped-call]
            total += loss.item()
        factor *= min(1.0, (self.progress.steps + 1) / max(1, self.step.warmup))
        for group in self.optimizer.param_groups:
            group["lr"] = group["peak"] * factor
        trained = [weight for group in self.optimizer.param_groups for weight in group["params"]]
        torch.nn.utils.clip_grad_norm_(trained, GRADIENT_NORM)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.progress.steps += 1
        self.progress.tokens += sum(len(document.ids) for row in rows for document in row)
        self.progress.learnt += learnt
        self.progress.seconds += time.monotonic() - started
        return total

    def save(self, folder: Path) -> None:
        """Writes the checkpoint; an interruption leaves the one before."""
        state = {
            "settings": asdict(self.settings),
            "adapter": {name: weight.cpu() for name, weight in self.model.adapter().items()},
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
        }
        with replacing_path(folder / CHECKPOINT) as part:
            torch.save(state, part)


def read_checkpoint(folder: Path) -> dict[str, Any] | None:
    """The state in a folder; None if there is none. Raises InputError if it cannot be read."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:  # noqa: BLE001 - torch raises many types for corrupt files
        raise InputError(f"cannot be read ({one_line(error)[:200]})", where=str(path)) from None
    return state


def write_adapter(model: AdaptedModel, path: Path, record: dict[str, str]) -> None:
    """Writes the adapter in bf16, with a record of its training in the file's metadata."""
    numbers = {name: weight.to(torch.bfloat16).cpu().contiguous() for name, weight in model.adapter().items()}
    with replacing_path(path) as part:
        save_file(numbers, part, metadata=record)


def falling(minutes: float) -> Iterator[float]:
    """Factors of the learning rate that fall linearly from 1 to 0 within a time."""
    started = time.monotonic()
    while (left := 1 - (time.monotonic() - started) / (60 * minutes)) > 0:
        yield left


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from None
