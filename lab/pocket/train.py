"""Trains an adapter that makes a language model a tracer, or goes on from its checkpoint: `python -m lab.pocket.train`.

The folder has `checkpoint.pt`, `adapter.safetensors` (the present adapter), `tokenizer.json`, `held.parquet` (the
held-out documents of all evaluations) and `curve.jsonl` (one line per evaluation). SIGTERM and Ctrl-C write a
checkpoint and end the run. `--decay-minutes` ends training at a falling rate: it starts at the checkpoint, leaves it as
it is, and writes `decayed.safetensors`, which is the adapter to use.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import repeat
from pathlib import Path
from types import FrameType

import torch
from safetensors.torch import load_file
from transformers.utils import logging as transformers_logging

from analyze.tokens.tokenizer import load_tokenizer
from corpora.errors import InputError
from lab.pocket.adapted_model import AdaptedModel, training_format
from lab.pocket.documents import TraceDocument, read_documents, write_documents
from lab.pocket.evaluation import evaluate
from lab.pocket.run import (
    AdapterRun,
    DocumentFiles,
    StepSettings,
    TrainingSettings,
    falling,
    read_checkpoint,
    write_adapter,
)
from runner.backends.transformers.base_model import (
    base_place,
    load_base,
    special_ids,
    tracer_vocabulary,
    weights_digest,
)
from runner.backends.transformers.merging import BASE, BASE_DIGEST, RANK, Adapter, read_adapter

HELD_OUT = 240
"""Held-out documents of an evaluation."""
ON_GPU = StepSettings(rate=1.5e-3, warmup=100, rows=16, micro=16)
"""Settings of a step on a GPU. Of two rates tried for 2.8 million tokens, 2e-3 was better than 1e-3 (held-out loss
0.061 and 0.069); a long run bears less."""
_SHOWN = 20
_STEP_OPTIONS = {
    "rate": "learning rate",
    "warmup": "steps of warm-up",
    "rows": "rows of a step",
    "micro": "rows at a time",
}
EPILOG = """examples:
  python -m lab.pocket.train --documents runs/documents-1.parquet --output runs/tracer       new, or on from there
  nice -n 12 python -m lab.pocket.train --documents … --output runs/tracer --threads 1       in the background
  python -m lab.pocket.train --documents … --output runs/next --adapter decayed.safetensors  on from an adapter
  python -m lab.pocket.train --documents … --output runs/tracer --decay-minutes 30           the adapter to use
  python -m lab.pocket.train --documents … --output runs/tracer --decay-minutes 7            all of it, on a GPU
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Trains until a signal or a limit."""
    options = _parser().parse_args(arguments)
    if options.threads:
        torch.set_num_threads(options.threads)
    transformers_logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    before = signal.signal(signal.SIGTERM, _interrupt)
    try:
        _train(options)
    except InputError as error:
        sys.stderr.write(f"train: {error}\n")
        return 2
    finally:
        signal.signal(signal.SIGTERM, before)
    return 0


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _train(options: argparse.Namespace) -> None:
    out: Path = options.output
    out.mkdir(parents=True, exist_ok=True)
    run = _open(options)
    files = DocumentFiles(options.documents, run.settings, run.progress.used)
    held = _held(out, options.documents)
    decays = options.decay_minutes > 0
    factors = falling(options.decay_minutes) if decays else repeat(1.0)
    try:
        _steps(run, files, held, factors, options, keeps=not decays)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        if decays:
            return
    if decays:
        _evaluate(run, held, out, "decayed.safetensors", _device())
    else:
        run.save(out)
        sys.stderr.write(f"checkpoint at step {run.progress.steps} in {out}\n")


def _open(options: argparse.Namespace) -> AdapterRun:
    """The run from the checkpoint, or a new one."""
    settings = TrainingSettings(options.base, options.rank, options.length, options.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    state = read_checkpoint(options.output)
    place = base_place(settings.base)
    vocabulary = tracer_vocabulary(place)
    vocabulary.save(str(options.output / "tokenizer.json"))
    sys.stderr.write(f"reading the base model {place}\n")
    base = load_base(place)
    digest = weights_digest(base)
    base = base.to(device, training_format(device))
    model = AdaptedModel(
        base, special_ids(vocabulary), rank=settings.rank, seed=settings.seed, compiled=not options.eager
    )
    defaults = ON_GPU if device.type == "cuda" else StepSettings()
    given = {name: value for name in _STEP_OPTIONS if (value := getattr(options, name)) is not None}
    if state is None and options.adapter is not None:
        _start_from(model, read_adapter(str(options.adapter)), digest, options.adapter)
    run = AdapterRun(model, settings, replace(defaults, **given), digest, state)
    begun = f"on from step {run.progress.steps}" if state else "a new run"
    sys.stderr.write(f"{begun}: {settings}, {run.step}, {_device()}, {base.dtype}\n")
    return run


def _start_from(model: AdaptedModel, adapter: Adapter, digest: str, place: Path) -> None:
    """Gives a new run the numbers of an adapter. Raises InputError if it is for another base or of another rank."""
    if adapter.base_digest != digest:
        raise InputError("was trained on another base", where=str(place))
    try:
        model.load_adapter(load_file(adapter.path))
    except (KeyError, RuntimeError):
        raise InputError("has another rank or other layers than the run", where=str(place)) from None


def _held(out: Path, paths: Sequence[Path]) -> list[TraceDocument]:
    """The held-out documents, which stay the same in a run."""
    path = out / "held.parquet"
    if not path.exists():
        found = [document for path in paths for document in read_documents(path) if document.held]
        write_documents(found[:HELD_OUT], path)
    return read_documents(path)


def _steps(
    run: AdapterRun,
    files: DocumentFiles,
    held: Sequence[TraceDocument],
    factors: Iterable[float],
    options: argparse.Namespace,
    *,
    keeps: bool,
) -> None:
    """Takes steps, and evaluates and writes checkpoints in between."""
    recent: deque[float] = deque(maxlen=_SHOWN)
    started, tokens = time.monotonic(), run.progress.tokens
    saved = evaluated = started
    for factor in factors:
        recent.append(run.take_step(files, factor))
        now = time.monotonic()
        if run.progress.steps % _SHOWN == 0:
            speed = (run.progress.tokens - tokens) / (now - started)
            sys.stderr.write(
                f"step {run.progress.steps}, {run.progress.tokens / 1e6:.3f} M tokens, {speed:.0f} tokens/s, "
                f"loss {sum(recent) / len(recent):.4f}\n"
            )
            started, tokens = now, run.progress.tokens
        if keeps and now - saved > 60 * options.save_minutes:
            run.save(options.output)
            saved = time.monotonic()
        if keeps and now - evaluated > 60 * options.evaluate_minutes:
            _evaluate(run, held, options.output, "adapter.safetensors", _device())
            started = evaluated = time.monotonic()
            tokens = run.progress.tokens
        if options.steps and run.progress.steps >= options.steps:
            return


def _evaluate(run: AdapterRun, held: Sequence[TraceDocument], out: Path, name: str, device: str) -> None:
    """Scores the held-out documents, writes the adapter and a line of the curve."""
    tokenizer = load_tokenizer(str(out / "tokenizer.json"))
    found = evaluate(run.model, held, tokenizer, length=run.settings.length, rows=run.step.micro)
    progress = run.progress
    line = {
        "steps": progress.steps,
        "tokens": progress.tokens,
        "seconds": round(progress.seconds),
        "adapter": name,
        "on": device,
        **found.as_dict(),
    }
    with (out / "curve.jsonl").open("a", encoding="utf-8") as curve:
        curve.write(json.dumps(line) + "\n")
    record = {BASE: run.settings.base, BASE_DIGEST: run.base_digest, RANK: str(run.settings.rank)}
    record["tokens"] = str(progress.tokens)
    write_adapter(run.model, out / name, record)
    sys.stderr.write(f"step {progress.steps}: {found}\n")


def _device() -> str:
    return torch.cuda.get_device_name() if torch.cuda.is_available() else f"{torch.get_num_threads()} CPU thread(s)"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m lab.pocket.train",
        description=(__doc__ or "").splitlines()[0],
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    fixed, step = TrainingSettings(), StepSettings()
    parser.add_argument("--documents", type=Path, nargs="+", required=True, help="files of lab.pocket.documents")
    parser.add_argument("--output", type=Path, default=Path("runs/tracer"), help="folder (default: runs/tracer)")
    parser.add_argument("--base", default=fixed.base, help=f"base model: name, folder or id (default: {fixed.base})")
    parser.add_argument("--rank", type=int, default=fixed.rank, help=f"rank of the adapter (default: {fixed.rank})")
    parser.add_argument(
        "--adapter", type=Path, metavar="FILE", help="start a new run from an adapter (default: from zero)"
    )
    parser.add_argument("--length", type=int, default=fixed.length, help=f"tokens of a row (default: {fixed.length})")
    parser.add_argument("--seed", type=int, default=fixed.seed, help=f"random seed (default: {fixed.seed})")
    for name, about in _STEP_OPTIONS.items():
        default = getattr(step, name)
        shown = f"{about} (default: {default}; on a GPU {getattr(ON_GPU, name)})"
        parser.add_argument(f"--{name}", type=type(default), help=shown)
    parser.add_argument("--threads", type=int, help="CPU threads (default: torch's)")
    parser.add_argument("--steps", type=int, help="stop after this step (default: never)")
    parser.add_argument("--save-minutes", type=float, default=10, help="minutes between checkpoints (default: 10)")
    parser.add_argument("--evaluate-minutes", type=float, default=45, help="minutes between evaluations (default: 45)")
    parser.add_argument("--decay-minutes", type=float, default=0, help="end at a falling rate (default: no end)")
    parser.add_argument("--eager", action="store_true", help="do not compile the layers (needs a C++ compiler)")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
