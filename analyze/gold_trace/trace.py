"""`trace_call`: the reference trace of a call with CPython 3.10 semantics, whatever interpreter runs it.

`analyze.diagnosis.divergence` compares a model's output with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, cast

from analyze.gold_trace.caveats import find_caveats
from analyze.gold_trace.frames import Event, Frame, count_tokens, frames_to_text
from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.record_reader import read_records
from analyze.gold_trace.tracer import MAX_BYTES, MAX_FRAMES, MAX_VALUE, Record, Recorder, TraceCutError, collect_into
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.calls import main_reason
from corpora.data_frames import data_frame, table_html
from corpora.execute import MEGABYTES, SECONDS, run_observed
from corpora.program import START_OF_TRACE, Grading, Outcome, trace_context
from corpora.sandbox.execution.program_module import new_module
from corpora.sandbox.reporting.protocol import FILENAME

OBSERVER = "analyze.gold_trace.tracer:Tracer"
MAX_COUNTED_TOKENS = 131_072
"""CWM's context length in tokens. Lengths that are only reported are counted up to this limit: no model reads more."""

_WHY_CUT = {
    "timeout": "it exceeds the time limit",
    "memory": "it exceeds the memory limit",
    "output": "it exceeds the limit on output",
    "max_frames": "it exceeds the limit of {frames:,} frames (max_frames)",
    "max_bytes": "it exceeds the limit on bytes (max_bytes)",
    "max_value": "the next frame has a value that exceeds the limit on characters (max_value)",
}


_COLUMNS = ("event", "line", "source", "state", "value")


@dataclass(frozen=True, repr=False)
class Trace:
    """The reference trace of a call. A notebook shows its frames as a table.

    Attributes:
        context: The traced source: the program and a `main` that makes the call.
        frames: The frames from the CALL of `main` on.
        outcome: The outcome of the observed run.
        grading: Whether the answer is the return value or the final state.
        cut: Why the trace stops early: a limit that was reached, or the status of a run that timed out or crashed; None
            if it is complete.
        labels: Ways in which it may differ from CPython 3.10 (`analyze.gold_trace.caveats`).
        lines: The line of each frame in `context`, from 1.
    """

    context: str
    frames: tuple[Frame, ...]
    outcome: Outcome
    grading: Grading = "return"
    cut: str | None = None
    labels: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()

    @cached_property
    def text(self) -> str:
        """The trace as CWM would write it, with special tokens by name: first event token to last `<|frame_sep|>`."""
        return frames_to_text(self.frames)

    @cached_property
    def tokens(self) -> int | None:
        """The length of the trace in tokens of the default (Llama-3) vocabulary; None if it was cut."""
        return self.count_tokens(default_tokenizer()) if self.cut is None else None

    @property
    def call(self) -> str:
        """The call that `main` makes, from the traced source."""
        keyword = "return " if self.grading == "return" else ""
        return self.context.rpartition(f"def main(): {START_OF_TRACE}\n    ")[2].rstrip("\n").removeprefix(keyword)

    @property
    def has_ended(self) -> bool:
        """Whether the call came to its end, by a result or an exception, within the limits."""
        return self.outcome.has_ended

    @property
    def missing_reason(self) -> str:
        """The reason to report where the trace cannot serve as a reference."""
        return f"no reference trace: {self.outcome.detail or self.outcome.status}"

    @property
    def cut_reason(self) -> str:
        """The reason in words why the trace stops early; empty if it is complete."""
        return _WHY_CUT.get(self.cut or "", self.cut or "").format(frames=len(self.frames))

    def count_tokens(self, tokenizer: Tokenizer, most: int | None = None) -> int | None:
        """Returns the number of tokens in a vocabulary; None if it exceeds `most`, without counting further."""
        return count_tokens(self.frames, tokenizer, most)

    def __repr__(self) -> str:
        """The number of frames and how the call ended, not the frames themselves."""
        ended = self.outcome.value if self.outcome.status == "ok" else self.outcome.status
        return f"Trace({len(self.frames)} frames, {ended}{', cut' if self.cut else ''})"

    def to_frame(self) -> Any:
        """Returns a pandas data frame with a row for each frame. Raises InputError if pandas is not installed."""
        return data_frame((dict(zip(_COLUMNS, row, strict=True)) for row in self._rows()), _COLUMNS)

    def _rows(self) -> Iterator[tuple[object, ...]]:
        lines = self.lines or (None,) * len(self.frames)
        for line, frame in zip(lines, self.frames, strict=True):
            yield frame.event, line, frame.source.rstrip(), dict(frame.state or ()), frame.value

    def _repr_html_(self) -> str:
        return table_html(_COLUMNS, self._rows())


def trace_call(
    source: str,
    call: str,
    grading: Grading = "return",
    *,
    environment: Mapping[str, float] = MappingProxyType({}),
    hash_seed: int = 0,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    max_frames: int = MAX_FRAMES,
    max_bytes: int = MAX_BYTES,
    max_value: int = MAX_VALUE,
    stop_at_cut: bool = False,
) -> Trace:
    """Runs one call in the sandbox and returns its reference trace.

    Whatever the program does, including a SyntaxError, is reported in the trace's outcome and never raised.

    Args:
        source: The program.
        call: The call, such as `f(1, [2])`.
        grading: Whether the answer is the return value or the final state (default: "return").
        environment: A simulated clock, seed and identity, as for `corpora.execute.run_simulated` (default: the real
            clock, `random.seed(0)`).
        hash_seed: PYTHONHASHSEED (default: 0).
        seconds: Time limit.
        megabytes: Memory limit.
        max_frames: Limit on the number of frames.
        max_bytes: Limit on the recorded bytes. A trace may exceed it by its last frame.
        max_value: Limit on the characters of one value. The trace ends before the first frame that shows a longer one.
        stop_at_cut: Whether the program ends at these limits too, with an exception of its own in the outcome (default:
            it runs on, unrecorded).

    Example:
        >>> trace_call("def f(x):\\n    return x + 1", "f(1)").frames[-1].value
        '2'
    """
    context = trace_context(source, call, grading)
    if why := main_reason(source, call):
        return Trace(context, (), Outcome("refused", detail=why), grading, "refused")
    options = {"max_frames": max_frames, "max_bytes": max_bytes, "max_value": max_value, "stop_at_cut": stop_at_cut}
    outcome, lines = run_observed(
        context, OBSERVER, options, environment=environment, hash_seed=hash_seed, seconds=seconds, megabytes=megabytes
    )
    try:
        frames, numbers, labels, cut = _read_frames(context, lines, max_frames)
    except ValueError as error:
        outcome = Outcome("crashed", isolation=outcome.isolation, detail=f"the trace was tampered with: {error}")
        return Trace(context, (), outcome, grading, outcome.status)
    if cut is None and not outcome.has_ended:
        cut = outcome.status
    return Trace(context, frames, outcome, grading, cut, labels, numbers)


@lru_cache(1)
def _read_frames(
    context: str, lines: tuple[str, ...], max_frames: int
) -> tuple[tuple[Frame, ...], tuple[int, ...], tuple[str, ...], str | None]:
    """The frames, their line numbers, labels, and why they stop early. A call that is run twice is read once."""
    records, cut = read_records(lines, max_frames, len(physical_lines(context)))
    frames = tuple(build_frames(records, context))
    return frames, tuple(line for _, line, _, _ in records), find_caveats(context, frames), cut


def trace_in_process(text: str, *, max_frames: int = MAX_FRAMES, max_bytes: int = MAX_BYTES) -> list[Frame]:
    """Traces `main()` of a traced source (`Case.context`) in this process: for trusted programs only.

    Nothing limits what the program does to this process. It is meant for generators that write their own programs, a
    few thousand short ones per second. Exceptions of the program end the trace and are not raised; exceptions at module
    level (SyntaxError among them) are.

    Raises:
        TraceCutError: If a limit is reached; a BaseException.
    """
    records: list[Record] = []
    code = compile_as_310(text, FILENAME)
    recorder = Recorder(collect_into(records), code=code, max_frames=max_frames, max_bytes=max_bytes, stop_at_cut=True)
    namespace = new_module().__dict__
    exec(code, namespace)
    main = namespace["main"]
    try:
        recorder.run(main)
    except (KeyboardInterrupt, TraceCutError):
        raise
    except BaseException:  # noqa: BLE001 - the program's own exception, which the frames show
        pass
    if recorder.cut:
        raise TraceCutError(recorder.cut)
    return build_frames(records, text)


def build_frames(records: Iterable[Record], text: str) -> list[Frame]:
    """Adds the source lines to the tracer's records."""
    lines = physical_lines(text)
    return [
        Frame(cast(Event, event), lines[line - 1], None if state is None else tuple(state.items()), value)
        for event, line, state, value in records
    ]


def physical_lines(text: str) -> list[str]:
    r"""Splits a source into lines as Python counts them, each with "\n", the last one too.

    Form feeds and U+2028 do not end a line.
    """
    return [line + "\n" for line in re.split(r"\r\n|\r|\n", text)]
