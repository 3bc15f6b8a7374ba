"""Train `pocket` from nothing, or go on from a checkpoint: `python -m runner.pocket.train --out DIR`.

DIR receives tokenizer.json, config.json, checkpoint.pt, model.safetensors (the averaged weights, bf16), curve.jsonl and
stages.json (the settings in force, and from how many tokens on). How the training goes is in `runner.pocket.run`.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import torch

from analyze.tokenizer import load_tokenizer
from corpora.errors import InputError
from runner.pocket.data import Document, documents, vocabulary_texts
from runner.pocket.model import save_weights
from runner.pocket.run import Run, Settings
from runner.pocket.scoring import exact_by_family, score
from runner.pocket.tokenizer import train_tokenizer

# The learning curve is measured on this many held-out documents.
HELD_OUT_DOCUMENTS = 200


def main(arguments: Sequence[str] | None = None) -> int:
    """Train until the budget is spent, writing a checkpoint, weights and a line of the curve every so often."""
    options = _parser().parse_args(arguments)
    chosen = {setting.name: getattr(options, setting.name) for setting in dataclasses.fields(Settings)}
    try:
        run = _open(Path(options.out), Settings(**chosen))
    except InputError as error:
        sys.stderr.write(f"train: {error}\n")
        return 2
    unseen = list(islice(documents("validation", run.tokenizer, held=True), HELD_OUT_DOCUMENTS))
    stop = options.stop or sys.maxsize
    while run.progress.tokens < run.settings.tokens and run.progress.step < stop:
        loss = run.steps(min(options.every, stop - run.progress.step))
        _keep(run, loss, unseen, Path(options.out))
    return 0


def _open(out: Path, settings: Settings) -> Run:
    """A new run, or the one whose checkpoint lies in `out`, with these settings from now on."""
    out.mkdir(parents=True, exist_ok=True)
    if not (out / "tokenizer.json").exists():
        train_tokenizer(vocabulary_texts()).save(str(out / "tokenizer.json"))
    torch.set_num_threads(1)
    run = Run(settings, load_tokenizer(str(out)), torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    if (out / "checkpoint.pt").exists():
        run.restore(torch.load(out / "checkpoint.pt", weights_only=True, map_location=run.device))
    return run


def _keep(run: Run, loss: float, unseen: Sequence[Document], out: Path) -> None:
    """Write weights, checkpoint, stages and a line of the curve; say the same on stderr."""
    run.average.swap(run.model)
    exact = exact_by_family(score(run.model, unseen))
    save_weights(run.model, out)
    run.average.swap(run.model)
    torch.save(run.state(), out / "checkpoint.part")
    (out / "checkpoint.part").replace(out / "checkpoint.pt")
    (out / "stages.json").write_text(json.dumps(run.stages, indent=1) + "\n", encoding="utf-8")
    line = {"loss": round(loss, 4), "exact": exact, **dataclasses.asdict(run.progress)}
    with (out / "curve.jsonl").open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(line) + "\n")
    progress = run.progress
    shares = ", ".join(f"{name} {share:.0%}" for name, share in exact.items())
    sys.stderr.write(
        f"step {progress.step}, {progress.tokens / 1e6:.2f} M tokens, {progress.seconds:.0f} s, loss {loss:.4f}; "
        f"exact: {shares}\n"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m runner.pocket.train", description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder for weights and checkpoint; a checkpoint there is resumed")
    parser.add_argument("--every", type=int, default=250, help="steps between checkpoints (default 250)")
    parser.add_argument("--stop", type=int, help="stop after this step, with the schedule of the whole budget")
    for setting in dataclasses.fields(Settings):
        parser.add_argument(f"--{setting.name}", type=type(setting.default), default=setting.default)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
