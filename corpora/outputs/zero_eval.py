"""ZeroEval's result files: a JSON list with an object for each sample.

Its fields are `session_id`, `chat_history`, `model_input`, `output` (a list), `generator`, and those of the data set.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError, numbered, program_of, text_of


def _claims(fields: Fields) -> bool:
    return "session_id" in fields and "output" in fields and bool({"chat_history", "model_input"} & fields.keys())


def _read(fields: Fields) -> Iterable[Fields]:
    output = fields["output"]
    outputs = [output] if isinstance(output, str) else output
    if not isinstance(outputs, list):
        raise UnusableRecordError("its 'output' is neither a string nor a list")
    name = fields.get("id") if fields.get("id") is not None else fields["session_id"]
    about = {"id": str(name), "prompt": _prompt(fields), **program_of(fields)}
    model = text_of(fields, "generator")
    return numbered(outputs, {**about, "model": model} if model else about)


def _prompt(fields: Fields) -> str:
    prompt = text_of(fields, "model_input")
    if prompt is not None:
        return prompt
    turns = fields.get("chat_history")
    return "\n".join(turn for turn in turns if isinstance(turn, str)) if isinstance(turns, list) else ""


FORMAT = Format("ZeroEval", _claims, _read)
