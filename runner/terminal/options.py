"""Options that several commands have: numbers with a least value, and where the rows of a data set come from.

A word that is no such number is refused in words, by argparse, with the command's usage.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Literal


def whole(least: int = 0) -> Callable[[str], int]:
    """A type of option: whole numbers from `least` on."""

    def convert(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = least - 1
        if number < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return number

    return convert


def limit(text: str) -> int | Literal["fit"]:
    """A type of option: a limit of tokens, or "fit"."""
    return "fit" if text == "fit" else whole(1)(text)


def seconds(text: str) -> float:
    """A type of option: a time above 0."""
    number = _number(text)
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return number


def factor(text: str) -> float:
    """A type of option: a factor above 1."""
    number = _number(text)
    if not 1 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a factor above 1")
    return number


def temperature(text: str) -> float:
    """A type of option: a temperature of sampling, 0 for none."""
    number = _number(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a temperature from 0 on")
    return number


def severity(text: str) -> float:
    """A type of option: a severity from 0 to 1."""
    number = _number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a severity from 0 to 1")
    return number


def risk(text: str) -> float:
    """A type of option: a risk above 0, up to 1."""
    number = _number(text)
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a risk above 0 and up to 1")
    return number


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
