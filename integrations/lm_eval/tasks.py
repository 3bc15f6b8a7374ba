r"""Functions that the tasks of this folder call: rows for lm-evaluation-harness, and the grading of its answers.

    lm_eval --include_path integrations/lm_eval --tasks spellout_humaneval --model hf \
        --model_args pretrained=facebook/cwm,add_bos_token=False --batch_size 1
    lm_eval … --tasks spellout_cruxeval --metadata '{"path": "cruxeval.jsonl", "rows": 100}'

The prompt begins with `<|begin_of_text|>`, so the harness must not add it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import datasets

from runner.interchange.questions import grade, questions

Splits = dict[str, Any]


def humaneval(rows: int | None = None, **_: object) -> Splits:
    """The split `test`, one row per assertion. `rows` limits their number."""
    return _split("humaneval", rows)


def cruxeval(path: str = "hf:cruxeval-org/cruxeval", rows: int | None = None, **_: object) -> Splits:
    """The split `test`, one row per program. `path`: the file, or a Hugging Face id."""
    return _split(path, rows)


def process_results(row: Mapping[str, Any], outputs: Sequence[str]) -> dict[str, float]:
    """1.0 for a correct answer."""
    return {"correct": float(grade(row, outputs[0]).correct)}


def _split(name: str, rows: int | None) -> Splits:
    return {"test": datasets.Dataset.from_list(list(questions(name, rows)))}
