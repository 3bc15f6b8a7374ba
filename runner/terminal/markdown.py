"""Foreign text made safe to stand in Markdown: as text, as a code span, as a block of code.

Ids, names, paths, programs and answers come from anywhere: they may hold markup, HTML, tables, headings and fences.
Whatever a report shows of them goes through here. Nothing is left out. For terminals it is `runner.terminal.console`.
"""

from __future__ import annotations

import re

from runner.terminal.console import one_line, printable

# An underscore inside a word is no markup, and a dash or number is some only where a line starts.
_MARKUP = re.compile(r"([\\`*\[\]|~$]|(?<![^\W_])_|_(?![^\W_])|^[#>+=-]|^\d+(?=[.)]))")
_TICKS = re.compile("`+")


def plain(text: str) -> str:
    r"""Text that stands as itself in a paragraph, heading, list or table of Markdown: no markup, no HTML, one line.

    >>> plain("<b>|x")
    '&lt;b>\\|x'
    """
    return _MARKUP.sub(_escaped, one_line(text).strip()).replace("&", "&amp;").replace("<", "&lt;")


def code(text: str) -> str:
    """A code span on one line, with as many backticks as it needs. Not for table cells, where a bar would end it.

    >>> code("f('`')")
    "``f('`')``"
    """
    line = one_line(text)
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") or not line.strip() else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fenced(text: str, language: str = "") -> str:
    """A block of code, with a fence that nothing in it closes."""
    block = printable(text)
    fence = "`" * max(3, _longest_run(block) + 1)
    return f"{fence}{language}\n{block}\n{fence}"


def _escaped(found: re.Match[str]) -> str:
    """A backslash before punctuation; after a number, where it keeps a list from starting."""
    return f"{found[1]}\\" if found[1].isdigit() else f"\\{found[1]}"


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
