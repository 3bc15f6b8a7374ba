"""One stage of an experiment: a folder with the cases as JSON lines and a run about them, resumed like any run.

The cases are written before the model is asked, so `spellout run DIR/STAGE/cases.jsonl` asks about the same cases. A
folder with records of other cases (another seed, other sizes) is refused. The run itself refuses other settings.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from analyze import trace_call
from analyze.gold_trace.trace import MAX_COUNTED_TOKENS
from corpora import Case, Row, read_rows
from corpora.errors import InputError
from corpora.reading.in_memory import case_fields
from corpora.writing.files import write_rows
from runner.asking.backend import Backend
from runner.asking.prompts import PromptFormat
from runner.backends import load_model
from runner.records.run_folder import RUN_FILE, SAMPLES_FILE
from runner.records.samples import Mode, Sample
from runner.runs.cases import load_cases
from runner.runs.evaluation_run import EvaluationSettings
from runner.runs.model_evaluation import RunInput, check_answered, conduct, warn_about_rows
from runner.runs.validation import check_backend, validated_settings
from runner.terminal.console import progress_bar
from runner.terminal.waiting import show_waiting

CASES = "cases.jsonl"
FIT = 1.1
"""With "fit": the limit as a multiple of the longest reference trace, since wrong answers may be longer."""
ANSWER_TOKENS = 512
"""With "fit": added for the `[ANSWER]` block behind the trace."""


@dataclass(frozen=True)
class ExperimentStages:
    """The runs of one experiment; an `AskModel` (`runner.experiments`). The model is loaded when it is first needed.

    Attributes:
        folder: each stage is a run in a sub-folder of it.
        model: as the value of `--model`.
        settings: of every run; a stage sets mode, limit and spacing itself.
        max_tokens: new tokens per answer, or "fit": as many as the longest reference trace of the stage needs
            (default: None, the stage's own limit).
        prompt: the prompt format (default: None, the model's own).
        cache: folder in which answers are kept for other runs (default: None, not kept).
        command: the command line, for the reports of the runs.

    """

    folder: Path
    model: str
    settings: EvaluationSettings
    max_tokens: int | Literal["fit"] | None = None
    prompt: PromptFormat | None = None
    cache: Path | None = None
    command: str = "runner.experiments"

    @cached_property
    def backend(self) -> Backend:
        """The loaded model."""
        with show_waiting(f"loading {self.model}"):
            return load_model(self.model)

    def __call__(
        self,
        stage: str,
        cases: Sequence[Case],
        max_tokens: int,
        *,
        mode: Mode = "free",
        prompt: PromptFormat | None = None,
        reveal_every: int = 1,
    ) -> list[Sample]:
        """See `AskModel`.

        Raises:
            InputError: a run refuses the settings, the folder holds other cases, or no question was answered.
        """
        if not cases:
            return []
        form = prompt or self.prompt
        limit = self._limit(cases, max_tokens)
        # In mode "forced" every prediction is judged alone, so no answer stops early.
        stops = self.settings.stop_at_divergence and mode != "forced"
        chosen = replace(
            self.settings, max_tokens=limit, mode=mode, stop_at_divergence=stops, reveal_every=reveal_every
        )
        settings = validated_settings(chosen, form)
        check_backend(self.backend, mode, form)  # before anything is written
        folder = self.folder / stage
        path = _write_cases(folder, cases)
        found = load_cases(str(path), [], None)
        warn_about_rows(found)
        order = RunInput(str(path), found, form, cache=self.cache)
        try:
            samples, _ = conduct(self.backend, settings, order, folder, self.command)
            check_answered(samples, self.model)
            return samples
        except InputError:
            if not (folder / SAMPLES_FILE).exists():  # refused before a question: nothing remains of it
                for left in (path, folder / RUN_FILE):
                    left.unlink(missing_ok=True)
            raise

    def _limit(self, cases: Sequence[Case], own: int) -> int:
        """The limit of new tokens; with "fit" no lower than the stage's own."""
        if self.max_tokens != "fit":
            return self.max_tokens or own
        with progress_bar() as progress:
            traces = (
                trace_call(case.source, case.call, case.grading)
                for case in progress.track(cases, description="measuring the reference traces")
            )
            counts = [trace.count_tokens(self.backend.tokenizer, MAX_COUNTED_TOKENS) for trace in traces]
        longest = max(MAX_COUNTED_TOKENS if count is None else count for count in counts)
        return max(own, math.ceil(FIT * longest) + ANSWER_TOKENS)


def _write_cases(folder: Path, cases: Sequence[Case]) -> Path:
    """Writes the cases, unless the folder has records of them already; returns the file."""
    path = folder / CASES
    rows = [case_fields(case) for case in cases]
    if path.exists() and (folder / SAMPLES_FILE).exists():
        if [row.fields if isinstance(row, Row) else None for row in read_rows(path)] != rows:
            reason = "holds records of other cases (other sizes, lengths, depths, seed or data)"
            raise InputError(f"{reason}; take another folder with --output", where=str(folder))
        return path
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", where=str(error.filename or folder)) from error
    write_rows(rows, path)
    return path
