"""Types and help texts of command-line options that several commands share.

A type raises `argparse.ArgumentTypeError`, which argparse reports with the usage of the command.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Any, Literal

JOBS_HELP = "number of worker processes (default: one per CPU core)"
TOKENIZER_HELP = "Hugging Face id, tokenizer.json, tiktoken encoding or .model file (default: llama-3)"


Options = argparse.ArgumentParser | argparse._ArgumentGroup
"""What options are added to: a parser, or a group of its options."""


def add_flag(options: Options, flag: str, text: str) -> None:
    """Adds an option without a value, with this help text."""
    options.add_argument(flag, action="store_true", help=text)


def add_number(
    options: Options, flag: str, text: str, default: int | None = None, *, least: int = 1, **more: Any
) -> None:
    """Adds an option whose value is an integer of at least `least`, with this help text."""
    options.add_argument(flag, type=at_least(least), default=default, metavar="N", help=text, **more)


def add_repeatable(options: Options, flag: str, metavar: str, text: str, **more: Any) -> None:
    """Adds an option that can be given several times, with this help text; its value is a list."""
    options.add_argument(flag, action="append", default=[], metavar=metavar, help=text, **more)


def add_seconds_option(options: Options, default: float, text: str) -> None:
    """Adds `--seconds`, a time limit, with this help text."""
    options.add_argument("--seconds", type=seconds, default=default, metavar="S", help=f"{text} (default: {default:g})")


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


def _number(accepts: Callable[[float], bool], what: str) -> Callable[[str], float]:
    """Option type: a number that `accepts` accepts; `what` describes it in errors."""

    def convert(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not accepts(number):
            raise argparse.ArgumentTypeError(f"{text!r} is not {what}")
        return number

    return convert


seconds = _number(lambda number: 0 < number < math.inf, "a positive number of seconds")
factor = _number(lambda number: 1 < number < math.inf, "a factor greater than 1")
temperature = _number(lambda number: 0 <= number < math.inf, "a temperature of at least 0")
"""A sampling temperature, where 0 means greedy decoding."""
severity = _number(lambda number: 0 <= number <= 1, "a severity from 0 to 1")
risk = _number(lambda number: 0 < number <= 1, "a risk greater than 0 and at most 1")
