"""Idioms for bin: the digits are the remainders of repeated halving."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Positive
from rewrite.string_methods.reference import IDIOMS, implements


@implements("bin", IDIOMS)
def bin_rounds(number: Positive, /) -> str:
    """Halves the number in each round and puts the remainder before the digits."""
    digits = ""
    rest = number
    while rest > 0:
        digits = str(rest % 2) + digits
        rest //= 2
    return "0b" + digits


@implements("bin digits", IDIOMS)
def binary_digits(number: Positive, /) -> str:
    """Halves the number in each round and puts the remainder before the digits; no prefix is made and cut off."""
    digits = ""
    rest = number
    while rest > 0:
        digits = str(rest % 2) + digits
        rest //= 2
    return digits
