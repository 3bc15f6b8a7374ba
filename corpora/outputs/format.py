"""What a log format is, and what one of its records becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Fields = Mapping[str, object]
PREDICTS = "predicts"
"""The field of a row whose output is no trace and no result: "lines" (executed lines) or "states" (annotations)."""
_RESPONSES = ("responses", "response")


class UnusableRecordError(Exception):
    """A record without an output, with the reason."""


@dataclass(frozen=True)
class Format:
    """A log format of a harness.

    Attributes:
        name: of the harness, as users know it.
        claims: whether a record (a line, or an item of a JSON document) is of this format.
        read: the outputs of a record, in the fields of `corpora.outputs`; raises UnusableRecordError.
    """

    name: str
    claims: Callable[[Fields], bool]
    read: Callable[[Fields], Iterable[Fields]]


def text_of(fields: Fields, *names: str) -> str | None:
    """The first of these fields that is a string."""
    return next((value for name in names if isinstance(value := fields.get(name), str)), None)


def program_of(fields: Fields) -> dict[str, str]:
    """`source` and `call` of a record that has both; {} otherwise.

    >>> program_of({"code": "def f(x): return x", "input": "1"})
    {'source': 'def f(x): return x', 'call': 'f(1)'}
    """
    source, call, arguments = text_of(fields, "source", "code"), text_of(fields, "call"), text_of(fields, "input")
    if call is None and arguments is not None:
        call = f"f({arguments})"
    return {} if source is None or call is None else {"source": source, "call": call}


def numbered(outputs: Iterable[object], fields: Fields) -> Iterable[Fields]:
    """A row for each output of one sample, numbered if there are several. Raises UnusableRecordError."""
    texts = list(outputs)
    if not texts:
        raise UnusableRecordError("has no output")
    if not all(isinstance(text, str) for text in texts):
        raise UnusableRecordError("has an output that is not a string")
    for index, text in enumerate(texts):
        yield {**fields, "output": text, **({"answer_index": index} if len(texts) > 1 else {})}


def has_answered_call(fields: Fields) -> bool:
    """Whether a record has a program, a call and responses, in the fields of research data sets."""
    return "code" in fields and bool({"function_call", "call"} & fields.keys()) and bool({*_RESPONSES} & fields.keys())


def answered_call(fields: Fields, **more: object) -> Iterable[Fields]:
    """The rows of a record with `code`, `function_call` or `call`, and `response` or a list `responses`.

    Args:
        fields: The record.
        more: Further fields of the rows.

    Raises:
        UnusableRecordError: It has no program, no call or no output.
    """
    code, call, model = text_of(fields, "code"), text_of(fields, "function_call", "call"), text_of(fields, "model")
    if code is None or call is None:
        raise UnusableRecordError("its program or call is not a string")
    found = next((fields[name] for name in _RESPONSES if name in fields), None)
    about = {"id": str(fields.get("task_id", fields.get("id", ""))), "source": code, "call": call}
    named = {"model": model} if model else {}
    return numbered(found if isinstance(found, list) else [found], {**about, **named, **more})
