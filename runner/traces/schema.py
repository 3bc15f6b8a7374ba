"""The columns of a data set of traces, and those that only its parts have."""

from __future__ import annotations

from typing import Any

from corpora.reading.optional_packages import require_package

COLUMNS = {
    "id": "the row's id in the source; the number of the row if it has none",
    "row": "the number of the row in the source, from 1",
    "call_number": "the number of the call among the row's calls, from 1",
    "recipe": "for a rewrite: the recipe; else null. The original has the same `row` and `call_number`",
    "family": "the program family, which is in one split only: a program, its near copies and its rewrites; named by "
    "the row of its first program",
    "source": "the program",
    "call": "the call, an expression",
    "result": "repr of the result; null if the call raised an exception",
    "exception": "name of the exception's class; null if the call returned",
    "exception_message": "its message",
    "format": "the format of `prompt` and `trace`",
    "prompt": "what a model is given",
    "trace": "what it is to write",
    "prompt_ids": "the prompt as token ids; null in formats without special tokens",
    "token_ids": "the trace as token ids; null in formats without special tokens",
    "tokens": "the length of `trace` in tokens",
    "frames": "the number of frames of the reference trace",
    "semantics": "the Python version whose trace this is",
    "caveats": "ways in which the trace may differ from that version's",
    "python": "the Python version that ran the program",
    "determinism": "how determinism was checked",
    "isolation": "isolation level of the runs: A, B, M or C",
    "risk": "predicted probability that the 32B CWM simulates the call wrongly; null if unknown or not assessed",
    "hazards": "classes of the tokenization hazards of program and call; null if not assessed",
    "provenance": "origin (file and line, or function), commit, license, spellout (version), options (JSON)",
}
"""Column to description, in order."""


def data_schema() -> Any:
    """The Arrow schema of the data set. Raises InputError if pyarrow is not installed."""
    arrow = require_package("pyarrow")
    text, ids = arrow.string(), arrow.list_(arrow.int32())
    types = dict.fromkeys(COLUMNS, text) | {
        "prompt_ids": ids,
        "token_ids": ids,
        "row": arrow.int64(),
        "call_number": arrow.int32(),
        "family": arrow.int64(),
        "tokens": arrow.int32(),
        "frames": arrow.int32(),
        "caveats": arrow.list_(text),
        "risk": arrow.float64(),
        "hazards": arrow.list_(text),
        "provenance": arrow.struct([(name, text) for name in ("origin", "commit", "license", "spellout", "options")]),
    }
    return arrow.schema(list(types.items()))


def part_schema() -> Any:
    """The schema of a part: the data set's columns without the family, and what curation compares."""
    arrow = require_package("pyarrow")
    data = data_schema()
    own = {"where": arrow.string(), "given_family": arrow.string()}
    own |= dict.fromkeys(("program_digest", "call_digest", "trace_digest", "minhash"), arrow.binary())
    shared = [field for field in data if field.name != "family"]
    return arrow.schema(shared + [arrow.field(name, kind) for name, kind in own.items()])
