"""lm-evaluation-harness, `--log_samples`: a JSON line for each document and filter.

`doc_id` is a position in the data set of the task and says nothing about the program. A sample is named by its
document's own id where it has one. A task with several filters logs each document once for each, with the same
responses.

CRUXEval in the direction of inputs (the target is the document's `input`): several inputs are right, and only their
execution tells which. Each response becomes a row about its own call, with the document's result as what the model
claims (`corpora.outputs.predicted_inputs`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from corpora.outputs.format import Fields, Format, UnusableRecordError, numbered, program_of, text_of
from corpora.outputs.predicted_inputs import predicted_call

_IDS = ("id", "task_id", "question_id", "sample_id")


def _read(fields: Fields) -> Iterable[Fields]:
    doc = fields.get("doc")
    if not isinstance(doc, Mapping):
        raise UnusableRecordError("its 'doc' is not an object")
    responses = fields["resps"]
    if not isinstance(responses, list) or len(responses) != 1 or not isinstance(responses[0], list):
        raise UnusableRecordError("has no single generation request: not a task of type generate_until")
    name = next((str(doc[key]) for key in _IDS if doc.get(key) is not None), f"doc {fields['doc_id']}")
    about = {"id": name, "prompt": _prompt(fields), **program_of(doc)}
    rows = numbered(responses[0], about)
    is_input = "input" in doc and fields.get("target") == doc["input"]
    return _with_predicted_calls(rows, text_of(doc, "output")) if is_input else rows


def _with_predicted_calls(rows: Iterable[Fields], result: str | None) -> Iterable[Fields]:
    """The rows with the calls that they predict. Raises UnusableRecordError at the end if some cannot be read."""
    unread = 0
    for row in rows:
        if "source" not in row or result is None:
            raise UnusableRecordError("predicts an input, and its document has no program or output")
        call = predicted_call(str(row["output"]))
        unread += call is None
        if call is not None:
            claim = f"[ANSWER] {result} [/ANSWER]"
            yield {**row, "id": f"{row['id']} (input)", "call": call, "output": claim, "expected": result}
    if unread:
        raise UnusableRecordError(f"predicts an input in a form that cannot be read (responses: {unread})")


def _prompt(fields: Fields) -> str:
    """The first argument of the first request."""
    arguments = fields.get("arguments")
    first = arguments.get("gen_args_0") if isinstance(arguments, Mapping) else None
    return (text_of(first, "arg_0") or "") if isinstance(first, Mapping) else ""


FORMAT = Format("lm-evaluation-harness", lambda fields: {"doc_id", "resps"} <= fields.keys(), _read)
