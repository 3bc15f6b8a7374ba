"""CruxEval (Gu et al. 2024): 800 short programs with one input each, from its JSONL file or its Hugging Face id.

A row has `code`, `input`, `output`, `id`; the call is `f(input)`. The default id needs the extra `datasets` and a
network.
"""

from __future__ import annotations

from collections.abc import Iterator

from corpora.dataset import BadRow, case_from_row, read_rows
from corpora.errors import InputError
from corpora.program import Case

SUMMARY = "CruxEval: output prediction on short programs (path=FILE.jsonl, or a Hugging Face id)"
NEEDS = "its file (--set path=cruxeval.jsonl), or a network and the extra `datasets`"
SAMPLES = 800
"""Size of the whole benchmark; a file may contain a part of it."""
HUGGING_FACE_ID = "hf:cruxeval-org/cruxeval"


def cases(path: str = HUGGING_FACE_ID) -> Iterator[Case]:
    """Every row as a case. Raises InputError if the file or id cannot be read, and for the first bad row."""
    for row in read_rows(path):
        case = row if isinstance(row, BadRow) else case_from_row(row, benchmark="cruxeval")
        if isinstance(case, BadRow):
            raise InputError(case.reason, where=case.where)
        yield case
