"""The reliability map as one HTML file: it needs no network and nothing beside it.

What it does not do: assess, or decide what a sample's record holds (`analyze.risk.records`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from typing import TextIO

from analyze.risk.model import published
from analyze.risk.records import Record
from analyze.risk.survey import BAD_HELD, BANDS, Survey, riskiest

MOST = 500
"""Samples on a page: those of unknown risk and the riskiest. The others are in the records."""


def write_page(file: TextIO, records: Iterable[Record], survey: Survey, source: str) -> None:
    """Write the page; the records are streamed, and at most MOST of them held."""
    kept = riskiest(records, MOST)
    some = f"The {len(kept):,} of unknown or highest risk among {survey.assessed:,} samples are here. "
    data = {
        "source": source,
        "survey": survey.to_json() | {"assessed": survey.assessed, "known": survey.known, "bad": []},
        "bands": BANDS,
        "limits": some if len(kept) < survey.assessed else "",
        "made_from": published().made_from,
        "samples": kept,
        "badcount": survey.unread,
        "bad": [f"{bad.where}: {bad.reason}" for bad in survey.bad[:BAD_HELD]],
    }
    before, after = (files(__package__) / "page.html").read_text(encoding="utf-8").split("__DATA__")
    # `<` escaped, no text of a data set can close the script element that holds it.
    file.write(before + json.dumps(data).replace("<", "\\u003c") + after)
