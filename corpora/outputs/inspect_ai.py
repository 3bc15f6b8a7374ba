"""inspect_ai's logs (`.eval`, or its JSON), read by inspect_ai itself (extra `inspect`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from corpora.errors import InputError
from corpora.outputs.format import Fields, Format, UnusableRecordError, program_of
from corpora.reading.optional_packages import require_package
from corpora.rows import Row, Rows, one_line

SUFFIX = ".eval"
_COMPLETION = "inspect_completion"


def is_log(document: object) -> bool:
    """Whether a JSON document is a log."""
    return isinstance(document, Mapping) and {"version", "status", "eval"} <= document.keys()


def samples(path: Path) -> Rows:
    """A record for each sample and epoch. Raises InputError without the package, or if the log cannot be read."""
    log = require_package("inspect_ai.log", "inspect", where=str(path))
    try:
        content = log.read_eval_log(str(path))
    except Exception as error:
        raise InputError(f"is not a log that inspect_ai reads: {one_line(error)}", where=str(path)) from error
    if not content.samples:
        raise InputError("is a log without samples", where=str(path))
    epochs = max(sample.epoch for sample in content.samples)
    for number, sample in enumerate(content.samples, 1):
        yield Row(number, f"{path}:{sample.id}", _record(sample, content.eval.model, several=epochs > 1))


def _record(sample: Any, model: str, *, several: bool) -> dict[str, object]:
    metadata, asked = sample.metadata or {}, sample.input
    about: dict[str, object] = {
        "id": str(metadata.get("id", sample.id)),
        "model": model,
        "prompt": asked if isinstance(asked, str) else "\n".join(message.text for message in asked),
    }
    if several:
        about["answer_index"] = sample.epoch - 1
    answered = sample.error is None and sample.output is not None
    return {**about, **program_of(metadata), _COMPLETION: sample.output.completion if answered else None}


def _read(fields: Fields) -> Iterable[Fields]:
    completion = fields[_COMPLETION]
    if not isinstance(completion, str):
        raise UnusableRecordError("has no output: the sample ended with an error")
    yield {**{name: value for name, value in fields.items() if name != _COMPLETION}, "output": completion}


FORMAT = Format("inspect_ai", lambda fields: _COMPLETION in fields, _read)
