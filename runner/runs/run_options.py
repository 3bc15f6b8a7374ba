"""Command-line options that `spellout run` and `spellout experiment` share."""

from __future__ import annotations

import argparse
from pathlib import Path

from runner.asking.ask import DECODES
from runner.asking.prompts import PROMPT_FORMATS
from runner.backends import backends
from runner.batch_rewriting.plugins import add_plugin_option
from runner.runs.evaluation_run import EvaluationSettings
from runner.terminal.options import add_flag, add_number, factor, temperature

_SETTINGS = ("batch_size", "stop_after", "full", "decode", "stop_at_divergence", "temperature", "num_samples")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that select the model, the rewrites and the decoding."""
    models = ", ".join(module.SPEC for module in backends().values())
    parser.add_argument("--model", default="pocket", help=f"{models} (default: pocket)")
    parser.add_argument(
        "--recipe",
        action="append",
        metavar="R",
        help="recipe that rewrites failed programs, or none; repeatable (default: decompose)",
    )
    add_plugin_option(parser)
    add_flag(parser, "--full", "rewrite and ask again all programs, and a control without a rewrite that matters")
    parser.add_argument(
        "--prompt",
        choices=PROMPT_FORMATS,
        help="prompt format; direct: a chat that asks for the result without a trace "
        "(default: the one the model was trained on)",
    )
    parser.add_argument(
        "--stop-after",
        type=factor,
        metavar="F",
        help="abort an answer longer than F times its reference trace (default: never)",
    )
    parser.add_argument(
        "--decode",
        choices=DECODES,
        default=DECODES[0],
        help="verified: speculative verification of the reference trace as a draft, with the same answers as plain, "
        f"which decodes token by token (default: {DECODES[0]})",
    )
    add_flag(parser, "--stop-at-divergence", "abort an answer as soon as it can no longer be correct")
    parser.add_argument(
        "--temperature",
        type=temperature,
        default=0.0,
        metavar="T",
        help="sampling temperature; 0 is greedy decoding (default: 0)",
    )
    add_number(parser, "--num-samples", "sampled answers per question; needs --temperature (default: 1)", 1)
    add_number(parser, "--seed", "random seed of the programs (default: 0)", 0, least=0)
    add_number(parser, "--batch-size", "questions per batch (default: 32)", 32)
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", help="folder of answers that runs share (default: no cache)"
    )


def run_settings(arguments: argparse.Namespace, recipes: tuple[str, ...]) -> EvaluationSettings:
    """The settings that these options choose."""
    return EvaluationSettings(recipes, **{name: getattr(arguments, name) for name in _SETTINGS})
