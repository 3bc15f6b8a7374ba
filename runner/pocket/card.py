"""The model card of `pocket`: a README beside the weights, every number of it read from the run or measured.

What it does not do: measure (`runner.pocket.evaluate` hands the tables in).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from runner.pocket.data import (
    DEPTHS,
    DICTIONARY_DEPTHS,
    HOLD_OUT,
    LATE_WEIGHTS,
    LENGTHS,
    SMALL,
    SPELLED_OUT,
    WEIGHTS,
    Kind,
)

CARD = """# pocket: a tiny code world model

A `CwmForCausalLM` of {parameters:.2f} million parameters ({layers} layers, {hidden} wide, {vocabulary} tokens) that
predicts the execution trace of small generated Python programs, in CWM's own format and bare prompt form. It is here so
that Spellout's whole job runs anywhere; it is no replacement for the 32B model and says nothing about it.

## Training
Random weights, then true traces (CPython 3.10 semantics) of generated programs, drawn anew all the time (in the
smallest kinds the same program comes again); no benchmark program, no text of the web. Loss on the trace only. Muon
for the matrices inside the layers, AdamW for the rest, bf16 autocast, learning rate falling to zero over the last part;
the weights are a moving average, stored in bf16.

| | |
| --- | --- |
| seed | {seed} |
| tokens seen (padding included) | {tokens:.1f} million in {steps:,} steps |
| wall time | {minutes:.0f} minutes on two shared CPU cores |
| kinds and their weights | {kinds} |
| later weights | {late} |
| depths of compositions | {depths} (dictionary: {dictionary}), {spelled:.0%} with temporaries instead of nesting |
| lengths of permutation programs | {lengths} |
| inputs | as `corpora.zoo` draws them, but bitwise {bitwise[0]} to {bitwise[1]}, math {math[0]} to {math[1]} |
| stages: peak learning rates, decay | {stages} |
| held out | one program (with its input) in {hold_out}, by a hash of its text |

Made by `python -m runner.pocket.train --out DIR` with the settings in `stages.json` (docs/pocket.md has the commands).

## Accuracy on unseen programs
Held-out programs, greedy decoding; an answer is the value in the final RETURN frame (permutations: the last state).
Made by `{command}`.

{tables}

## Learning curve
Exact traces of 200 held-out programs (in the proportions of training) by one forward pass, from `curve.jsonl`.

{curve}

## What it cannot do
- Anything outside its kinds: on other programs (HumanEval, CruxEval) expect at best the form of a trace with the
  wrong content. Strings beyond short loops over a to e, classes, generators, imports, exceptions were never trained.
- Numbers that it did not meet: it learnt small arithmetic by heart and does not calculate.
- Traces of more than about a thousand tokens, and the one-shot prompt with its worked example.
"""


def card(folder: Path, parameters: int, vocabulary: int, tables: str, command: str) -> str:
    """The text of the card for the weights in `folder`. Raises FileNotFoundError without stages.json, curve.jsonl."""
    stages = json.loads((folder / "stages.json").read_text(encoding="utf-8"))
    curve = [json.loads(line) for line in (folder / "curve.jsonl").read_text(encoding="utf-8").splitlines()]
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
        kinds=_weights(WEIGHTS),
        late=_weights(LATE_WEIGHTS),
        depths=", ".join(map(str, DEPTHS)),
        dictionary=", ".join(map(str, DICTIONARY_DEPTHS)),
        lengths=", ".join(map(str, LENGTHS)),
        spelled=SPELLED_OUT,
        hold_out=HOLD_OUT,
        tables=tables,
        command=command,
        curve=_curve(curve),
        **SMALL,
    )


def _weights(weights: Mapping[Kind, int]) -> str:
    return ", ".join(f"{family} {name} {weight}" for (family, name), weight in weights.items())


def _stage(stage: dict[str, Any]) -> str:
    start = f"from {stage['from'] / 1e6:.1f} million tokens on: " if stage["from"] else ""
    rates = f"Muon {stage['muon']}, AdamW {stage['adam']}"
    kinds = ", later weights" if stage["late"] else ""
    return f"{start}{rates}{kinds}, falling over the last {stage['decay']:.0%} of {stage['tokens'] / 1e6:.1f} million"


def _curve(curve: Sequence[dict[str, Any]], rows: int = 14) -> str:
    """At most about `rows` lines of the curve, the last among them."""
    every = max(1, -(-len(curve) // rows))
    chosen = [line for number, line in enumerate(curve, 1) if number % every == 0 or number == len(curve)]
    families = [name for name in curve[-1]["exact"] if name != "all"]
    lines = ["| M tokens | loss | all | " + " | ".join(families) + " |", "| --: " * (3 + len(families)) + "|"]
    for line in chosen:
        shares = " | ".join(f"{line['exact'][name]:.0%}" for name in ("all", *families))
        lines.append(f"| {line['tokens'] / 1e6:.1f} | {line['loss']:.4f} | {shares} |")
    return "\n".join(lines)
