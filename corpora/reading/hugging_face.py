"""Rows of a data set on the Hugging Face hub, streamed in constant memory (extra `datasets`).

The existence of the data set is checked once, so that an unreachable hub fails at once; the package itself would retry
for half a minute. With HF_HUB_OFFLINE set, only data sets in the local cache are read.
"""

from __future__ import annotations

import importlib
import re
from typing import Any

from corpora.errors import InputError
from corpora.reading.optional_packages import require_package
from corpora.rows import Row, Rows, one_line

PREFIX = "hf:"
ID = re.compile(r"(?P<name>[\w-][\w.-]*(/[\w-][\w.-]*)?)(:(?P<split>[\w.-]+))?")
SECONDS = 10


def hub_rows(identifier: str, where: str) -> Rows:
    """The rows of `org/name[:split]`; without `:split`, of the first split listed.

    Raises:
        InputError: The id is malformed, or the data set cannot be loaded.
    """
    match = ID.fullmatch(identifier)
    if match is None:
        raise InputError("is not hf:org/name or hf:org/name:split", where=where)
    datasets, hub = require_package("datasets"), require_package("huggingface_hub")
    errors = (OSError, ValueError, RuntimeError, datasets.exceptions.DatasetsError, *_transport_errors())
    try:
        split, rows = _rows(datasets, hub, match["name"], match["split"])
        for number, fields in enumerate(rows, 1):
            yield Row(number, f"{match['name']}:{split}:{number}", fields)
    except errors as error:
        raise InputError(f"cannot be loaded from the Hugging Face hub: {one_line(error)}", where=where) from error


def _rows(datasets: Any, hub: Any, name: str, split: str | None) -> tuple[str, Any]:
    if hub.constants.HF_HUB_OFFLINE:
        fetched = datasets.load_dataset(name, split=split)
        chosen = split or next(iter(fetched))
        return chosen, fetched if split else fetched[chosen]
    hub.HfApi().dataset_info(name, timeout=SECONDS)
    chosen = split or datasets.get_dataset_split_names(name)[0]
    return chosen, datasets.load_dataset(name, split=chosen, streaming=True)


def _transport_errors() -> tuple[type[Exception], ...]:
    """Errors of the HTTP client of the hub, which are not OSErrors."""
    try:
        error: type[Exception] = importlib.import_module("httpx").HTTPError
    except ImportError:
        return ()
    return (error,)
