"""Tables of figures for terminals of any width and for Markdown, without truncated cells.

The first column has names, which may be untrusted strings; the other columns have figures.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat

from rich import box
from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

from corpora.foreign_text import one_line
from runner.terminal.markdown import plain

NAME_WIDTH = 12
Cells = tuple[str, ...]


def terminal_table(columns: Sequence[str], rows: Sequence[Cells], width: int) -> RenderableType:
    """A table for a terminal of `width` columns.

    If the table is too wide, confidence intervals move to a second line; if it still is, the rows become lists. Rows
    with an indented name belong to the row above.
    """
    shown = [tuple(map(one_line, cells)) for cells in rows]
    if _needed(columns, shown) > width:
        shown = [(name, *(cell.replace(" (", "\n(") for cell in cells)) for name, *cells in shown]
    if _needed(columns, shown) > width:
        return _listed(columns, rows)
    first, *figures = (column.replace(" ", "\n") for column in columns)
    names = Column(first, overflow="fold", min_width=NAME_WIDTH)
    headers = (names, *(Column(figure, justify="right", no_wrap=True) for figure in figures))
    table = Table(*headers, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    for cells in shown:
        table.add_row(*cells, style="" if cells[0].startswith(" ") else "bold")
    return table


def _needed(columns: Sequence[str], rows: Sequence[Cells]) -> int:
    needed = NAME_WIDTH
    for index, column in enumerate(columns[1:], 1):
        texts = [column.replace(" ", "\n"), *(cells[index] for cells in rows)]
        needed += 2 + max(len(line) for text in texts for line in text.split("\n"))
    return needed


def _listed(columns: Sequence[str], rows: Sequence[Cells]) -> Text:
    lines: list[str] = []
    for name, *cells in rows:
        lines += [one_line(name)]
        lines += [f"  {column}: {one_line(cell)}" for column, cell in zip(columns[1:], cells, strict=True)]
    return Text("\n".join(lines), overflow="fold")


def markdown_table(columns: Sequence[str], rows: Sequence[Cells]) -> Iterator[str]:
    """The lines of the table in Markdown, below an empty line."""
    yield ""
    named = (("&emsp;" * name.startswith("  ") + plain(name), *cells) for name, *cells in rows)
    yield from table_lines(columns, named, "---", "---:")


def table_lines(columns: Sequence[str], rows: Iterable[Iterable[object]], *rules: str) -> Iterator[str]:
    """The lines of a table in Markdown, each as soon as its row is there. Cells are not escaped.

    Args:
        columns: Names of the columns.
        rows: The cells of each row.
        rules: Below the columns, how each is aligned; the last one is that of all further columns (default: figures
            to the right of a name).

    >>> print(*table_lines(("a", "b", "c"), [("x", 1, 2)]), sep="\\n")
    | a | b | c |
    |---|--:|--:|
    | x | 1 | 2 |
    """
    rules = rules or ("---", "--:")
    yield f"| {' | '.join(columns)} |"
    yield f"|{'|'.join([*rules, *repeat(rules[-1], len(columns))][: len(columns)])}|"
    for cells in rows:
        yield f"| {' | '.join(map(str, cells))} |"


def on_one_line(text: str, width: int = 300) -> str:
    """A string on one line, truncated after `width` characters."""
    line = text.rstrip("\n").replace("\n", "\\n")
    return line if len(line) <= width else line[:width] + " …"


def print_sentences(console: Console, *sentences: str) -> None:
    """Prints sentences, each wrapped at the width of the terminal, or on one line in a pipe."""
    for sentence in map(one_line, sentences):
        if console.is_terminal:
            console.print(sentence, overflow="fold")
        else:
            console.print(sentence, soft_wrap=True)
