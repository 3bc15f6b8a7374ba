"""Reads and writes the folder of a training run. An interruption or a full disk leaves the last complete state.

The folder has tokenizer.json, config.json, model.safetensors (the averaged weights in bf16), checkpoint.pt,
curve.jsonl, and stages.json (the settings, and the number of tokens from which they apply). Released weights have no
checkpoint. All failures are InputErrors. `runner.pocket.run` trains, `runner.pocket.train` measures.
"""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from corpora.errors import InputError
from corpora.rows import one_line
from runner.pocket.batches import Position
from runner.pocket.model import save_weights
from runner.pocket.run import Progress, Run

WEIGHTS = "model.safetensors"
CHECKPOINT = "checkpoint.pt"
PART = "part"


def shape(folder: Path) -> dict[str, int]:
    """`hidden`, `layers` and `inner` of the weights in a folder. Raises InputError if they are of another kind."""
    for name in ("config.json", WEIGHTS, "tokenizer.json"):
        if not (folder / name).is_file():
            raise InputError(f"{folder} has no {name}: give a folder that this command wrote, or runner/pocket/weights")
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if config["model_type"] != "cwm" or config["head_dim"] != 64:
            raise InputError(f"{folder / 'config.json'} is of another model than pocket")
        names = {"hidden": "hidden_size", "layers": "num_hidden_layers", "inner": "intermediate_size"}
        return {name: int(config[there]) for name, there in names.items()}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder / 'config.json'} cannot be read: {error!r}") from None


def weights(folder: Path, device: torch.device) -> dict[str, torch.Tensor]:
    """The averaged weights by name. Raises InputError if the file is corrupt."""
    try:
        return load_file(folder / WEIGHTS, device=str(device))
    except (SafetensorError, OSError) as error:
        raise InputError(f"{folder / WEIGHTS} cannot be read: {one_line(error)[:200]}") from None


def checkpoint(folder: Path, device: torch.device) -> dict[str, Any] | None:
    """The state for `TrainingRun.restore`; None without a checkpoint. Raises InputError if it is corrupt."""
    path = folder / CHECKPOINT
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True, map_location=device)
    except Exception as error:  # noqa: BLE001 - torch raises many types for corrupt files
        text = f"{path} cannot be read ({one_line(error)[:200]})"
        reason = f"{text}: remove it to continue from the weights in the same folder, with --from {folder}"
        raise InputError(reason) from None
    return state


def lines(folder: Path) -> list[dict[str, Any]]:
    """The learning curve, one dict per line; empty if there is none."""
    path = folder / "curve.jsonl"
    try:
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []
    except ValueError as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def progress(folder: Path) -> Progress:
    """The progress of weights without a checkpoint, from the last line of their curve; zero without a curve."""
    curve = lines(folder)
    if not curve:
        return Progress()
    try:
        # Curves of the first weights do not count documents.
        last = {
            field.name: curve[-1][field.name] for field in dataclasses.fields(Progress) if field.name != "documents"
        }
        last["documents"] = curve[-1].get("documents", 0)
        return Progress(**last | {"position": Position(**last["position"])})
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder / 'curve.jsonl'} cannot be read: {error!r} in its last line") from None


def stages(folder: Path) -> list[dict[str, Any]]:
    """The settings of the run so far; empty if unknown."""
    path = folder / "stages.json"
    try:
        return [dict(stage) for stage in json.loads(path.read_text("utf-8"))] if path.exists() else []
    except (ValueError, TypeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None


def keep(run: Run, curve: list[dict[str, Any]], folder: Path) -> None:
    """Writes the averaged weights, checkpoint, stages and curve: all or none.

    Writes temporary files and then renames them.

    Raises:
        InputError: the files cannot be written.
    """
    part = folder / PART
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        run.average.swap(run.model)
        try:
            save_weights(run.model, part)
        finally:
            run.average.swap(run.model)
        torch.save(run.state(), part / CHECKPOINT)
        (part / "stages.json").write_text(json.dumps(run.stages, indent=1) + "\n", encoding="utf-8")
        (part / "curve.jsonl").write_text("".join(json.dumps(line) + "\n" for line in curve), encoding="utf-8")
        # The checkpoint is last: steps after the previous one would be repeated.
        for path in sorted(part.iterdir(), key=lambda path: (path.name == CHECKPOINT, path.name)):
            path.replace(folder / path.name)
    except (OSError, RuntimeError, SafetensorError) as error:
        raise InputError(f"cannot write to {folder} ({one_line(error)[:200]}); the state before this stays") from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
