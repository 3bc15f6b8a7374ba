"""Marks around the answer of an output, such as `[ANSWER]` and `</think>`. The same characters in a string are no mark.

A string is a literal in quotes within one line. If all occurrences of a mark are in strings, each of them counts.
"""

from __future__ import annotations

import re

_STRING = r"""(?<![\w\\])[rRbBuUfF]{0,2}(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
THOUGHT_START = re.compile(r"\s*(?:<think>|\[THOUGHT\])")
_THOUGHT_END = re.compile(r"</think>|\[/THOUGHT\]")


def find_marks(text: str, mark: re.Pattern[str]) -> list[re.Match[str]]:
    """The occurrences of a mark outside of strings, in order; all occurrences if none is outside.

    >>> [found.start() for found in find_marks("'</a>' </a>", re.compile("</a>"))]
    [7]
    """
    return marks_outside_strings(text, mark) or list(mark.finditer(text))


def marks_outside_strings(text: str, mark: re.Pattern[str]) -> list[re.Match[str]]:
    """The occurrences that are in no string literal. An apostrophe within a word opens none."""
    string_or_mark = re.compile(f"{_STRING}|({mark.pattern})", mark.flags)
    return [found for found in string_or_mark.finditer(text) if found[1]]


def without_thought(output: str) -> str:
    """What follows the thoughts of an output; the whole output if it has none, or they do not end.

    The beginning of a thought may be missing, since some prompts contain it. Then an end in a string is no mark.

    >>> without_thought("so</think>'a'"), without_thought("'a</think>b'")
    ("'a'", "'a</think>b'")
    """
    find = find_marks if THOUGHT_START.match(output) else marks_outside_strings
    ends = find(output, _THOUGHT_END)
    return output[ends[-1].end() :] if ends else output


def last_block(output: str, opening: str) -> str | None:
    """The content of the last block of a kind: complete, or else without its end or its beginning; None without one.

    Args:
        output: What the model wrote.
        opening: The mark that begins a block, such as `[ANSWER]`; upper and lower case are the same.

    >>> last_block("[ANSWER]'[ANSWER]'[/ANSWER]", "[ANSWER]")
    "'[ANSWER]'"
    """
    starts, ends = _block_marks(output, opening)
    limit = len(output)
    for opened in reversed(starts):
        closed = next((one.start() for one in ends if opened.end() <= one.start() < limit), None)
        if closed is not None:
            return output[opened.end() : closed]
        limit = opened.start()
    if starts:
        return output[starts[-1].end() :]
    return output[: ends[0].start()].strip().rpartition("\n")[2] if ends else None


def first_block(output: str, opening: str) -> str | None:
    """The content of the first block of a kind, which may lack its end; None without one."""
    starts, ends = _block_marks(output, opening)
    if not starts:
        return None
    start = starts[0].end()
    return output[start : next((one.start() for one in ends if one.start() >= start), len(output))]


def _block_marks(output: str, opening: str) -> tuple[list[re.Match[str]], list[re.Match[str]]]:
    """The marks that begin and that end a block."""
    closing = f"{opening[0]}/{opening[1:]}"
    first, last = (find_marks(output, re.compile(re.escape(mark), re.IGNORECASE)) for mark in (opening, closing))
    return first, last
