"""Bounds the cost of decoding JSON text before decoding it, by its structure without its strings.

A program may have written the text. Decoded strings cost as much memory as in the text, but `[{},{},…]` costs thirty
times as much, and no recursive walk survives `[[[[…`.

>>> skeleton('["call",3,{"a":"[1, 2]"},null]')
'[,3,{:},null]'
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

# Possessive, and an unterminated string ends with the text: linear time for every text.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_BRACKETS = re.compile(r"[^][{}]++")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def skeleton(text: str) -> str:
    """The text without its strings."""
    return _STRING.sub("", text)


def nesting_depth(bones: str) -> int:
    """The nesting depth of a skeleton."""
    return max(accumulate(map(_STEPS.__getitem__, _NOT_BRACKETS.sub("", bones))), default=0)


def decode_shaped(text: str, shape: re.Pattern[str]) -> Any:
    """Decode a JSON text whose skeleton matches `shape`.

    Raises:
        ValueError: The skeleton does not match, or the text is not JSON.
    """
    if not shape.fullmatch(skeleton(text)):
        raise ValueError("the message has an unexpected structure")
    return decode(text)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is not allowed in a message")


_decoder = json.JSONDecoder(parse_constant=_refuse, parse_float=_refuse)


def decode(text: str) -> Any:
    """Decode a JSON text without fractions, NaN and Infinity.

    Raises:
        ValueError: The text is something else.
    """
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
