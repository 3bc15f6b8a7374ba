"""Sources in triple-quoted strings that are indented like the code around them, as examples and templates are."""

from __future__ import annotations

import textwrap


def source_block(text: str) -> str:
    """Return the source that a block holds; a string that does not begin with a line break is no block and stays.

    A block begins with a line break, which is no part of the source, and ends with the indentation of its closing
    quotes.

    Example:
        >>> source_block('''
        ...     def f(n):
        ...         return n + 1
        ... ''')
        'def f(n):\\n    return n + 1\\n'
    """
    return textwrap.dedent(text[1:]) if text.startswith("\n") else text
