"""every_eval_ever, instance-level: a JSON line for each sample (`sample_id`, `input.raw`, `output.raw`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corpora.outputs.format import Fields, Format, UnusableRecordError, numbered, text_of


def _claims(fields: Fields) -> bool:
    return "evaluation_id" in fields and "sample_id" in fields and isinstance(fields.get("input"), Mapping)


def _read(fields: Fields) -> Iterable[Fields]:
    asked, written = fields["input"], fields.get("output")
    assert isinstance(asked, Mapping)
    raw = written.get("raw") if isinstance(written, Mapping) else None
    if raw is None:
        raise UnusableRecordError("has no output.raw")
    about: dict[str, object] = {"id": str(fields["sample_id"]), "prompt": text_of(asked, "raw") or ""}
    model = text_of(fields, "model_id")
    return numbered(raw if isinstance(raw, list) else [raw], {**about, "model": model} if model else about)


FORMAT = Format("every_eval_ever", _claims, _read)
