"""EvalPlus and HumanEval samples hold programs that a model wrote, not predictions of what a program does: refused."""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError

REASON = "holds a program that a model wrote (EvalPlus, HumanEval), not a predicted output: there is nothing to compare"


def _read(fields: Fields) -> Iterable[Fields]:
    raise UnusableRecordError(REASON)


FORMAT = Format(
    "EvalPlus", lambda fields: "task_id" in fields and bool({"solution", "completion"} & fields.keys()), _read
)
