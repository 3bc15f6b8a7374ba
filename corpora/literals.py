"""Parses code and literals that somebody else wrote, without the warnings of Python's parser about them."""

from __future__ import annotations

import ast
import warnings
from typing import Any


def parse_quietly(text: str, mode: str = "exec") -> Any:
    """`ast.parse` without warnings, for example about `1if` or an invalid escape; it raises the same exceptions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text, mode=mode)


def literal_value(text: str) -> Any:
    """The value of a literal.

    Raises:
        ValueError: The text is no literal.
    """
    try:
        return ast.literal_eval(parse_quietly(text.lstrip(" \t"), "eval"))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"no literal: {error}") from error
