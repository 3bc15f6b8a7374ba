"""Recorded outputs in place of a model: every grader, report and rewrite can be tried without weights.

Reads a run's `samples.jsonl` or any JSONL whose rows have `id` and `output` (and `attempt`, "original" if absent).
A question that was never recorded stays unanswered ("unrecorded"); nothing is made up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from analyze.tokenizer import Tokenizer, default_tokenizer
from corpora.errors import InputError
from runner.backends import END_OF_ANSWER, Generation, Prompt
from runner.prompts import Form


class Replay:
    """The outputs of one file. Raises InputError where the file is missing or a row has no `id` and `output`."""

    forms: tuple[Form, ...] = ("oneshot", "bare")

    def __init__(self, path: Path) -> None:
        self.name = f"replay:{path}"
        self.tokenizer: Tokenizer = default_tokenizer()
        self._outputs = _read(path)

    def generate(
        self, prompts: Sequence[Prompt], max_tokens: int, on_token: Callable[[int], None] = lambda active: None
    ) -> list[Generation]:
        """The recorded outputs, whole: `max_tokens` was decided when they were recorded."""
        return [self._generation(prompt) for prompt in prompts]

    def _generation(self, prompt: Prompt) -> Generation:
        text = self._outputs.get((prompt.case_id, prompt.attempt))
        if text is None:
            return Generation((), "", "unrecorded")
        answered, mark, _ = text.partition(END_OF_ANSWER)
        # Some published outputs ran on and repeated the problem: what a run would have stopped at ends them here.
        return Generation((), answered + mark, "answer" if mark else "limit")


def _read(path: Path) -> dict[tuple[str, str], str]:
    outputs = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", where=f"--model replay:{path}") from error
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            outputs[str(row["id"]), str(row.get("attempt", "original"))] = str(row["output"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"no JSON object with id and output ({error})", where=f"{path}:{number}") from error
    return outputs
