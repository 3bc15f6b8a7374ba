"""Trains `pocket` from scratch, from a checkpoint, or from weights: `python -m runner.pocket.train`.

The same command runs on one CPU thread (`--streams 1`), on several, and on a GPU if there is one.
`runner.pocket.folder` describes the files, `runner.pocket.run` the training.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import shutil
import sys
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import torch

from analyze.tokens.tokenizer import load_tokenizer
from corpora.errors import InputError
from runner.pocket import folder
from runner.pocket.data import Document, documents, vocabulary_texts
from runner.pocket.run import FIXED, Run, Settings
from runner.pocket.scoring import exact_by_family, score
from runner.pocket.tokenizer import train_tokenizer

# Number of held-out documents for the learning curve.
HELD_OUT_DOCUMENTS = 200
# The defaults on a GPU: one large micro-batch per step.
ON_GPU = {"micro": 32768, "streams": 1}
EPILOG = """examples:
  python -m runner.pocket.train --output DIR                                from nothing, or on from its checkpoint
  python -m runner.pocket.train --from runner/pocket/weights --minutes 30   on from weights, to runs/pocket
  nice -n 19 python -m runner.pocket.train --from DIR --streams 1           in the background, on one thread
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains until the budget is spent, and writes checkpoint, weights and a line of the curve periodically."""
    options = _parser().parse_args(arguments)
    try:
        run, curve = _open(options)
        _train(run, curve, options)
    except InputError as error:
        sys.stderr.write(f"train: {error}\n")
        return 2
    return 0


def _train(run: Run, curve: list[dict[str, Any]], options: argparse.Namespace) -> None:
    unseen = list(islice(documents("validation", run.tokenizer, held=True), HELD_OUT_DOCUMENTS))
    stop = options.stop or sys.maxsize
    while run.left() > 0 and run.progress.step < stop:
        tokens, start = run.progress.tokens, time.monotonic()
        loss = run.steps(min(options.every, stop - run.progress.step))
        speed = (run.progress.tokens - tokens) / (time.monotonic() - start)
        _keep(run, curve, {"loss": round(loss, 4), "speed": round(speed), "on": _device(run)}, unseen, options.output)


def _open(options: argparse.Namespace) -> tuple[Run, list[dict[str, Any]]]:
    """The run and its curve: from the checkpoint in --output or --from, from weights, or a new one."""
    out = options.output
    source = out if options.source is None or (out / folder.CHECKPOINT).exists() else options.source
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    settings = _settings(options, device, folder.shape(source) if options.source else {})
    _make(out, source if options.source else None)
    torch.set_num_threads(1)
    run = Run(settings, load_tokenizer(str(out)), device)
    curve, state = folder.lines(source), folder.checkpoint(source, device)
    if state is not None:
        run.restore(state)
    elif options.source:
        run.take_up(folder.weights(source, device), folder.progress(source), folder.stages(source))
    return run, curve


def _settings(options: argparse.Namespace, device: torch.device, there: dict[str, int]) -> Settings:
    """The given settings, the shape of the given weights, and defaults. Raises InputError if the shapes differ."""
    names = [setting.name for setting in dataclasses.fields(Settings)]
    asked = {name: getattr(options, name) for name in names if getattr(options, name) is not None}
    for name in set(FIXED) & asked.keys() & there.keys():
        if asked[name] != there[name]:
            raise InputError(f"the weights were made with --{name} {there[name]}, not {asked[name]}")
    settings = Settings(**{**(ON_GPU if device.type == "cuda" else {}), **there, **asked})
    if min(settings.tokens, settings.micro, settings.streams, options.every) < 1 or settings.minutes < 0:
        raise InputError("--tokens, --minutes, --micro, --streams and --every must be above zero")
    if settings.compiled and not any(map(shutil.which, (os.environ.get("CXX") or "c++", "g++", "clang++"))):
        raise InputError("--compiled 1 needs a C++ compiler (g++ or clang++), and there is none: leave it out")
    return settings


def _make(out: Path, source: Path | None) -> None:
    """Creates the folder with a vocabulary: that of the weights, or a new one."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if source and source != out:
            shutil.copyfile(source / "tokenizer.json", out / "tokenizer.json")
        elif not (out / "tokenizer.json").exists():
            train_tokenizer(vocabulary_texts()).save(str(out / "tokenizer.json"))
    except OSError as error:
        raise InputError(f"cannot write to {out}: {error.strerror}") from None


def _device(run: Run) -> str:
    if run.device.type == "cuda":
        return torch.cuda.get_device_name(run.device)
    return "1 CPU thread" if run.settings.streams == 1 else f"{run.settings.streams} CPU threads"


def _keep(run: Run, curve: list[dict[str, Any]], line: dict[str, Any], unseen: Sequence[Document], out: Path) -> None:
    """Evaluates, writes all files to the folder, and reports to standard error."""
    run.average.swap(run.model)
    exact = exact_by_family(score(run.model, unseen))
    run.average.swap(run.model)
    progress = run.progress
    curve.append({**line, "exact": exact, **dataclasses.asdict(progress)})
    folder.keep(run, curve, out)
    shares = ", ".join(f"{name} {share:.0%}" for name, share in exact.items())
    sys.stderr.write(
        f"step {progress.step}, {progress.tokens / 1e6:.2f} M tokens, {progress.seconds:.0f} s, "
        f"{line['speed']} tokens/s on {line['on']}, loss {line['loss']:.4f}; exact: {shares}\n"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m runner.pocket.train",
        description=(__doc__ or "").splitlines()[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--from", dest="source", type=Path, metavar="WEIGHTS", help="folder of weights to continue from"
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("runs/pocket"),
        help="where to write; a checkpoint there is resumed (runs/pocket)",
    )
    parser.add_argument("--every", type=int, default=250, help="steps between checkpoints (default 250)")
    parser.add_argument("--stop", type=int, help="stop after this step, with the schedule of the whole budget")
    for setting in dataclasses.fields(Settings):
        parser.add_argument(f"--{setting.name}", type=type(setting.default), help=f"default {setting.default}")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
