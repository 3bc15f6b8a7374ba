"""Types and help texts of command-line options that several commands share.

A type raises `argparse.ArgumentTypeError`, which argparse reports with the usage of the command.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Literal

JOBS_HELP = "number of worker processes (default: one per CPU core)"
TOKENIZER_HELP = "Hugging Face id, tokenizer.json, tiktoken encoding or .model file (default: llama-3)"


def at_least(least: int = 0) -> Callable[[str], int]:
    """Option type: an integer of at least `least`."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not an integer of at least {least}")
        return number

    return convert


def limit(text: str) -> int | Literal["fit"]:
    """Option type: a limit of tokens, or "fit"."""
    return "fit" if text == "fit" else at_least(1)(text)


def seconds(text: str) -> float:
    """Option type: a positive number of seconds."""
    number = _number(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")
    return number


def add_seconds_option(parser: argparse.ArgumentParser, default: float, text: str) -> None:
    """Adds `--seconds`, a time limit, with this help text."""
    parser.add_argument("--seconds", type=seconds, default=default, metavar="S", help=f"{text} (default: {default:g})")


def factor(text: str) -> float:
    """Option type: a factor greater than 1."""
    number = _number(text)
    if not 1 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a factor greater than 1")
    return number


def temperature(text: str) -> float:
    """Option type: a sampling temperature of at least 0, where 0 means greedy decoding."""
    number = _number(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a temperature of at least 0")
    return number


def severity(text: str) -> float:
    """Option type: a severity from 0 to 1."""
    number = _number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a severity from 0 to 1")
    return number


def risk(text: str) -> float:
    """Option type: a risk greater than 0 and at most 1."""
    number = _number(text)
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a risk greater than 0 and at most 1")
    return number


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
