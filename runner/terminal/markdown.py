"""Escapes untrusted strings for Markdown: as plain text, as a code span, or as a fenced code block.

Ids, names, paths, programs and answers may contain markup, HTML, tables, headings and fences. All reports escape them
with these functions. `runner.terminal.console` does the same for terminals.
"""

from __future__ import annotations

import re

from corpora.foreign_text import one_line, printable

# An underscore inside a word is not markup; a dash or number is markup only at the start of a line.
_MARKUP = re.compile(r"([\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|^[#>+=-]|^\d+(?=[.)]))")
_TICKS = re.compile("`+")


def plain(text: str) -> str:
    r"""Escapes a string for a paragraph, heading, list or table: no markup, no HTML, one line.

    >>> plain("<b>|x")
    '&lt;b>\\|x'
    """
    return _MARKUP.sub(_escaped, one_line(text).strip()).replace("&", "&amp;").replace("<", "&lt;")


def code(text: str) -> str:
    """A code span on one line, with as many backticks as needed. Not for table cells, where a `|` ends the cell.

    >>> code("f('`')")
    "``f('`')``"
    """
    line = one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line.strip() else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """A fenced code block whose fence is longer than any run of backticks inside."""
    block = printable(text)
    fence = "`" * max(3, _longest_run(block) + 1)
    return f"{fence}{language}\n{block}\n{fence}"


def _escaped(found: re.Match[str]) -> str:
    """A backslash before punctuation, or after a number, so that no list starts."""
    return f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
