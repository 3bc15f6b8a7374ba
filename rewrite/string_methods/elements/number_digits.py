"""The digits of a number: remainders of repeated division by ten, and their sum by places."""

from __future__ import annotations

from rewrite.string_methods.preconditions import Count, Digits
from rewrite.string_methods.reference import ELEMENTS, implements


@implements("str", ELEMENTS)
def str_elements(number: Count, /) -> str:
    """Puts one digit after the other before the digits, then the sign."""
    rest = number
    if number < 0:
        rest = -number
    digits = ""
    while rest > 9:
        digits = chr(48 + rest % 10) + digits
        rest //= 10
    digits = chr(48 + rest) + digits
    if number < 0:
        digits = "-" + digits
    return digits


@implements("int", ELEMENTS)
def int_elements(text: Digits, /) -> int:
    """Ten times the number so far and the next digit, for each digit."""
    number = 0
    for digit in text:
        number = 10 * number + int(digit)
    return number
