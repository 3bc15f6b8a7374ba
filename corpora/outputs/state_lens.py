"""StateLens: tables of states and answers, with `code`, `function_call` and `response`, or a list `responses`.

Its variants of LiveCodeBench have `call` instead, a `form` (which rewrite the program is) and, as `output`, the label.
Their programs are written for LiveCodeBench's usual imports, which `PRELUDE` adds.
"""

from __future__ import annotations

from collections.abc import Iterable

from corpora.outputs.format import Fields, Format, answered_call, has_answered_call, text_of

PRELUDE = """\
import bisect, collections, functools, heapq, itertools, math, string
from typing import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from bisect import *
"""


def _read(fields: Fields) -> Iterable[Fields]:
    expected, form = text_of(fields, "expected_output", "output"), text_of(fields, "form")
    for row in answered_call(fields, expected=expected):
        yield row if form is None else {**row, "source": f"{PRELUDE}{row['source']}", "kind": form}


FORMAT = Format("StateLens", has_answered_call, _read)
