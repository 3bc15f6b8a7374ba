"""Results as pandas data frames, and as tables in a notebook.

pandas is not a dependency: it is imported when a frame is asked for.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain, islice
from typing import Any

from corpora.errors import InputError

MAX_SHOWN = 20
"""Rows of a table in a notebook."""


def data_frame(rows: Iterable[Mapping[str, object]], columns: Sequence[str] | None = None) -> Any:
    """Returns a pandas data frame with a row for each mapping.

    Args:
        rows: Column to value.
        columns: The columns and their order, also without any row (default: those of the rows).

    Raises:
        InputError: If pandas is not installed.
    """
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise InputError("a data frame needs pandas: pip install pandas") from None
    return pandas.DataFrame(list(rows), columns=columns)


def table_html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Returns an HTML table of the first `MAX_SHOWN` rows, with escaped cells; it says whether there are more."""
    shown = list(islice(rows, MAX_SHOWN + 1))
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    cells = (["" if cell is None else escape(str(cell)) for cell in row] for row in shown[:MAX_SHOWN])
    body = chain.from_iterable(("<tr>", *(f"<td>{cell}</td>" for cell in row), "</tr>") for row in cells)
    more = "<p>… and more</p>" if len(shown) > MAX_SHOWN else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>{more}"
