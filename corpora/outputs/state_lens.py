"""StateLens: tables of states and answers, with `code`, `function_call` and `response`, or a list `responses`.

Its variants of LiveCodeBench have `call` instead, a `form` (which rewrite the program is) and, as `output`, the label.
Their programs are written for LiveCodeBench's usual imports, which `PRELUDE` adds.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, UnusableRecordError, numbered, text_of

PRELUDE = (
    "import bisect, collections, functools, heapq, itertools, math, string\n"
    "from typing import *\nfrom collections import *\nfrom functools import *\nfrom heapq import *\n"
    "from itertools import *\nfrom math import *\nfrom bisect import *\n"
)


def _claims(fields: Fields) -> bool:
    return "code" in fields and bool({"function_call", "call"} & fields.keys()) and bool(_RESPONSES & fields.keys())


def _read(fields: Fields) -> Iterable[Fields]:
    code, call = text_of(fields, "code"), text_of(fields, "function_call", "call")
    if code is None or call is None:
        raise UnusableRecordError("its program or call is not a string")
    found = fields.get("responses", fields.get("response"))
    outputs = found if isinstance(found, list) else [found]
    form = text_of(fields, "form")
    about: dict[str, object] = {
        "id": str(fields.get("task_id", fields.get("id", ""))),
        "source": code if form is None else PRELUDE + code,
        "call": call,
        "expected": text_of(fields, "expected_output", "output"),
    }
    model = text_of(fields, "model")
    return numbered(outputs, {**about, **({"model": model} if model else {}), **({"kind": form} if form else {})})


_RESPONSES = {"response", "responses"}
FORMAT = Format("StateLens", _claims, _read)
