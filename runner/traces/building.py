"""Builds a data set of traces in a folder: traces the shards, curates the parts, writes the data card.

The folder (`runner.traces.layout`) has `_work` with the options, and a part and a marker for each shard, with which the
same command resumes; and at the end `data` (the data set) and `_about` (data card, dropped rows, counts).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from corpora import BadRow, Row
from corpora.atomic_files import write_atomically
from corpora.shard_store import ShardExecutor, split_shards
from runner.traces.curation import DataSetCounts, curate
from runner.traces.data_card import write_card
from runner.traces.decontamination import build_index, save_index
from runner.traces.layout import ABOUT, SUMMARY, WORK
from runner.traces.shard_tracing import trace_shard, trace_store
from runner.traces.trace_request import TraceRequest


def build_traces(
    folder: Path,
    request: TraceRequest,
    rows: Iterable[Row | BadRow],
    *,
    spread: ShardExecutor | None = None,
    on_traced: Callable[[int], None] = lambda _: None,
    on_curated: Callable[[int], None] = lambda _: None,
) -> DataSetCounts:
    """Builds a data set in a folder, or resumes it there.

    Args:
        folder: Where it is written.
        request: The options.
        rows: The rows of the source, in an order that is the same every time.
        spread: What runs the shards (default: this process; `corpora.shard_executors` has cores and Ray).
        on_traced: Called with the number of source rows of each finished shard.
        on_curated: Called with the number of rows of each part that was read again.

    Raises:
        InputError: The folder is in use, holds something else or cannot be written; a benchmark of `decontaminate`
            cannot be read; no program can be run.
    """
    store = trace_store(folder)
    with store.opened(asdict(request)):
        (folder / ABOUT).mkdir(exist_ok=True)
        if request.decontaminate:
            save_index(build_index(request.decontaminate), folder / WORK)
        shards = split_shards(rows, request.rows_per_shard)
        trace = partial(trace_shard, folder, request)
        parts = store.process(shards, trace, spread, lambda done: on_traced(done.summary.rows))
        counts = curate(folder, request, parts, on_curated)
        write_atomically(folder / SUMMARY, json.dumps(vars(counts)) + "\n")
        write_card(folder, request, counts)
    return counts
