r"""How much JSON text would make when it is decoded, said before it is: its structure without its strings.

Text that a program can have written is held to a shape first. Strings cost as much decoded as they do in the text; it
is `[{},{},…]` that costs thirty times as much, and `[[[[…` that no walk over the result survives.

>>> skeleton('["call",3,{"a":"[1, 2]"},null]')
'[,3,{:},null]'
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

# Possessive, and content to end at the end of the text: linear whatever the text is.
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NOT_BRACKETS = re.compile(r"[^][{}]++")
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def skeleton(text: str) -> str:
    """The text without its strings."""
    return _STRING.sub("", text)


def depth(bones: str) -> int:
    """How deep a skeleton is nested."""
    return max(accumulate(map(_STEPS.__getitem__, _NOT_BRACKETS.sub("", bones))), default=0)


def shaped(text: str, shape: re.Pattern[str]) -> Any:
    """The value of a JSON text whose skeleton is of this shape. Raises ValueError where it is not, or is no JSON."""
    if not shape.fullmatch(skeleton(text)):
        raise ValueError("a message of another shape")
    return decode(text)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no part of a message")


_decoder = json.JSONDecoder(parse_constant=_refuse, parse_float=_refuse)


def decode(text: str) -> Any:
    """The value of a JSON text without fractions, NaN and Infinity. Raises ValueError."""
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
