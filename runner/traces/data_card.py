"""The data card of a data set: README.md with counts, histograms, reasons and licences.

Its YAML header names the files of each split, for the Hugging Face hub: there it is the README.md beside `data`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from corpora.atomic_files import write_atomically
from runner.terminal.markdown import code, plain
from runner.traces.curation import SPLITS, DataSetCounts
from runner.traces.formats import format_summaries
from runner.traces.layout import CARD, CONTAMINATED, DATA, DROPPED
from runner.traces.schema import COLUMNS
from runner.traces.trace_request import TraceRequest

_BAR = 40


def write_card(folder: Path, request: TraceRequest, counts: DataSetCounts) -> None:
    """Writes README.md."""
    write_atomically(folder / CARD, "".join(f"{line}\n" for line in _lines(request, counts)))


def _lines(request: TraceRequest, counts: DataSetCounts) -> Iterator[str]:
    yield from _header(counts)
    yield f"# Execution traces of {code(request.source)}"
    yield ""
    yield (
        f"{counts.kept:,} traced calls with {counts.all_tokens:,} tokens, from {counts.read:,} rows. Each call was "
        "traced twice in a sandbox, in different environments, and kept only if both traces are equal. The traces have "
        f"CPython 3.10 semantics. Made by [Spellout](https://arxiv.org/abs/2602.07672) {request.spellout}."
    )
    yield from ("", "```python", "from datasets import load_dataset", "")
    yield from (f'rows = load_dataset("parquet", data_dir="{DATA}", split="train")', "```")
    yield from _section(
        "Splits",
        _table(["split", "rows"], [[split, f"{counts.splits[split]:,}"] for split in SPLITS]),
        "",
        f"The {counts.families:,} program families are each in one split; the largest has "
        f"{counts.largest_family:,} rows. A family is a program with its near copies and rewrites.",
    )
    if request.recipes:
        rows = [[code(recipe) if recipe else "original", f"{size:,}"] for recipe, size in counts.recipes.items()]
        note = "A rewrite has the `row` and `call_number` of its original, and was compared with it by execution."
        yield from _section("Rewrites", _table(["recipe", "rows"], rows), "", note)
    yield from _section("Tokens", *_histogram(counts.tokens))
    yield from _section("Frames", *_histogram(counts.frames))
    yield from _section(
        "Rows that are not in the data set",
        f"{code(DROPPED)} lists each with its reason. {code(CONTAMINATED)} has the rows that contain a benchmark's "
        "program.",
        "",
        _count_table("reason", counts.dropped),
    )
    licences = _count_table("licence", counts.licenses)
    yield from _section("Licences", "As the rows of the source name them:", "", licences)
    levels, versions = _count_table("isolation level", counts.isolation), _count_table("Python", counts.python)
    yield from _section("Runs", levels, "", versions, "", f"{counts.exceptions:,} of the calls raise an exception.")
    columns = _table(["column", "content"], [[code(name), what] for name, what in COLUMNS.items()])
    form = f"The format {code(request.format)}: {format_summaries()[request.format]}."
    yield from _section("Columns", form, "", columns)
    yield from _section("Options", "```json", json.dumps(asdict(request), indent=1), "```")


def _section(title: str, *lines: str) -> Iterator[str]:
    yield from ("", f"## {title}", "", *lines)


def _header(counts: DataSetCounts) -> Iterator[str]:
    yield from ("---", "pretty_name: Execution traces", "tags:", "- execution-traces", "- code")
    yield from ("size_categories:", f"- {_size_category(counts.kept)}")
    yield from ("configs:", "- config_name: default", "  data_files:")
    for split in SPLITS:
        if counts.splits[split]:
            yield from (f"  - split: {split}", f"    path: {DATA}/{split}-*.parquet")
    yield from ("---", "")


def _size_category(rows: int) -> str:
    """The size category of the Hugging Face hub.

    >>> _size_category(37_322)
    '10K<n<100K'
    """
    labels = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
    place = next((place for place in range(len(labels)) if rows < 1000 * 10**place), len(labels))
    return (
        "n<1K" if not place else f"n>{labels[-1]}" if place == len(labels) else f"{labels[place - 1]}<n<{labels[place]}"
    )


def _histogram(sizes: Mapping[int, int]) -> Iterator[str]:
    most = max(sizes.values(), default=1)
    yield "```"
    for limit, rows in sorted(sizes.items()):
        yield f"below {limit:>8,}  {rows:>10,}  {'#' * max(1, round(_BAR * rows / most))}"
    yield "```"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows))


def _count_table(name: str, counts: Counter[str]) -> str:
    return _table([name, "rows"], [[plain(one), f"{size:,}"] for one, size in counts.most_common()] or [["none", "0"]])
