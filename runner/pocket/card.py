"""The model card of `pocket`, the README.md in the folder of its weights. All figures come from the training run.

`runner.pocket.results` measures the accuracies.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open

from runner.pocket.data import HOLD_OUT

COMMAND = "spellout run pocket-goals --max-tokens 1024 --stop-after 1.25 --recipe none --output RUN"
# The programs of older runs, whose stages.json does not describe them.
BEFORE = (
    "those of commit `1fedc1a`: the zoo with smaller numbers than its own, S3 to S5 with 1 to 4 permutations, straight "
    "lines, branches and loops. String methods, lists of characters, two functions, caught exceptions, the zoo's own "
    "numbers and 5 to 8 permutations came after these weights: the table asks about them all the same"
)
CARD = """# pocket: a tiny code world model

A `CwmForCausalLM` of {parameters:.2f} million parameters ({layers} layers, {hidden} wide, {vocabulary} tokens) that
predicts the execution trace of small generated Python programs, in CWM's own format and bare prompt form. It is here so
that Spellout's whole job runs anywhere; it is no replacement for the 32B model and says nothing about it.

## Training
Random weights, then true traces (CPython 3.10 semantics) of generated programs, a new sample at each step (in
the smallest kinds the same program occurs again); no benchmark program, no text of the web. Loss on the trace only.
Muon for the matrices inside the layers, AdamW for the rest, bf16 autocast, learning rate falling to zero over the last
part; the weights are a moving average, stored in bf16.

| | |
| --- | --- |
| seed | {seed} |
| tokens seen (padding included) | {tokens:.1f} million in {steps:,} steps |
| wall time | {minutes:.0f} minutes on {device} |
{programs}
| stages: peak learning rates, decay | {stages} |
| held out | one program (with its input) in {hold_out}, by a hash of its text |

Made by `python -m runner.pocket.train` with the settings in `stages.json` (docs/pocket.md has the commands).

## Accuracy on unseen programs
Held-out programs, greedy decoding; an answer is the value in the final RETURN frame (permutations: the last state).
"After rewriting" counts those right as well that were wrong, rewritten by `decompose`, shown to be the same, and then
right; a dash: nothing was asked again. Made by `python -m runner.pocket.results RUN` from the records of
`{command}`.

{tables}

## Learning curve
Exact traces of 200 held-out programs (in the proportions of training at that time) by one forward pass, from
`curve.jsonl`. A dash: the kind was not there yet.

{curve}

## What it cannot do
- Anything outside its kinds: on other programs (HumanEval, CruxEval) expect at best the form of a trace with the
  wrong content. Classes, generators, imports, and exceptions that nobody catches were never trained, nor was any kind
  that the row of programs above does not name.
- Numbers that it did not meet: it learnt small arithmetic by heart and does not calculate.
- Traces of more than about a thousand tokens, and the one-shot prompt with its worked example.
"""


def card(folder: Path, tables: str, asked: int) -> str:
    """The card of the weights in `folder`.

    Args:
        folder: folder of the training run.
        tables: accuracies as Markdown.
        asked: number of programs of pocket-goals in the tables.

    Raises:
        OSError: a file of the training run is missing.
    """
    stages = json.loads((folder / "stages.json").read_text(encoding="utf-8"))
    curve = [json.loads(line) for line in (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()]
    parameters, vocabulary = _sizes(folder)
    return CARD.format(
        parameters=parameters / 1e6,
        vocabulary=vocabulary,
        layers=stages[-1]["layers"],
        hidden=stages[-1]["hidden"],
        seed=stages[-1]["seed"],
        stages="; ".join(_stage(stage) for stage in stages),
        tokens=curve[-1]["tokens"] / 1e6,
        steps=curve[-1]["step"],
        minutes=curve[-1]["seconds"] / 60,
        device=", ".join(dict.fromkeys(line.get("on", "two shared CPU cores") for line in curve)),
        programs=_programs(stages),
        hold_out=HOLD_OUT,
        tables=tables,
        command=f"{COMMAND} --limit {asked}",
        curve=_curve(curve),
    )


def _sizes(folder: Path) -> tuple[int, int]:
    """The number of parameters, and of tokens in the vocabulary."""
    with safe_open(folder / "model.safetensors", framework="np") as file:
        shapes = {name: file.get_slice(name).get_shape() for name in file.keys()}  # noqa: SIM118
    return sum(math.prod(shape) for shape in shapes.values()), shapes["model.embed_tokens.weight"][0]


def _programs(stages: Sequence[dict[str, Any]]) -> str:
    """Rows with the programs of the last stage; stages.json has those of earlier stages."""
    told = stages[-1].get("programs", {"programs": BEFORE})
    return "\n".join(f"| {name} | {text} |" for name, text in told.items())


def _stage(stage: dict[str, Any]) -> str:
    start = f"from {stage['from'] / 1e6:.1f} million tokens on: " if stage["from"] else ""
    rates = f"Muon {stage['muon']}, AdamW {stage['adam']}"
    kinds = ", later weights" if stage["late"] else ""
    minutes = stage.get("minutes")
    budget = f"{minutes:.0f} minutes" if minutes else f"{stage['tokens'] / 1e6:.1f} million"
    return f"{start}{rates}{kinds}, falling over the last {stage['decay']:.0%} of {budget}"


def _curve(curve: Sequence[dict[str, Any]], rows: int = 20) -> str:
    """About `rows` lines of the curve at most, including the last one."""
    every = max(1, -(-len(curve) // rows))
    chosen = [line for number, line in enumerate(curve, 1) if number % every == 0 or number == len(curve)]
    families = [name for name in curve[-1]["exact"] if name != "all"]
    lines = ["| M tokens | loss | all | " + " | ".join(families) + " |", "| --: " * (3 + len(families)) + "|"]
    for line in chosen:
        exact = line["exact"]
        shares = " | ".join(f"{exact[name]:.0%}" if name in exact else "–" for name in ("all", *families))
        lines.append(f"| {line['tokens'] / 1e6:.1f} | {line['loss']:.4f} | {shares} |")
    return "\n".join(lines)
