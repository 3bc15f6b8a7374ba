"""Results as pandas data frames. pandas is not a dependency: it is imported when a frame is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corpora.errors import InputError


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
