"""The true trace of a call, as CPython 3.10 gives it, whatever interpreter runs it.

What it does not do: judge a model's output (`analyze.diagnosis.divergence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from analyze.gold_trace.caveats import find_caveats
from analyze.gold_trace.frames import Event, Frame, count_tokens, frames_to_text
from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.recorded import read_records
from analyze.gold_trace.tracer import MAX_BYTES, MAX_FRAMES, MAX_VALUE, Record, Recorder, TraceCutError, collect_into
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.execute import MEGABYTES, SECONDS, run_observed
from corpora.program import Grading, Outcome, trace_context

FILENAME = "<traced program>"
OBSERVER = "analyze.gold_trace.tracer:Tracer"
MAX_COUNTED_TOKENS = 131_072
"""CWM's context in tokens. Where a length is only told to people, it is counted up to here: no model reads beyond."""

_WHY_CUT = {
    "max_frames": "it has more frames than are recorded (max_frames)",
    "max_bytes": "it has more bytes than are recorded (max_bytes)",
    "max_value": "the next frame has a value of more characters than are shown (max_value)",
}


@dataclass(frozen=True)
class Trace:
    """A call's true trace.

    frames: from the CALL of `main` on; outcome: what the observed run did; cut: why the trace stops early (a cap, or
    the program's end by time or memory), else None; labels: what about it need not be as CPython 3.10 has it.
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
        """As CWM would write it, special tokens spelled out: first event token to last <|frame_sep|>."""
        return frames_to_text(self.frames)

    @cached_property
    def tokens(self) -> int | None:
        """The length of the trace in tokens of the default (Llama-3) vocabulary; None where it is cut short."""
        return self.count_tokens(default_tokenizer()) if self.cut is None else None

    @property
    def cut_reason(self) -> str:
        """In words, why the trace stops early; "" where it is whole."""
        return _WHY_CUT.get(self.cut or "", self.cut or "")

    def count_tokens(self, tokenizer: Tokenizer, most: int | None = None) -> int | None:
        """The length of the frames in tokens of a vocabulary; None, and soon, where that is more than `most`."""
        return count_tokens(self.frames, tokenizer, most)


def trace_call(
    source: str,
    call: str,
    grading: Grading = "return",
    *,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    max_frames: int = MAX_FRAMES,
    max_bytes: int = MAX_BYTES,
    max_value: int = MAX_VALUE,
) -> Trace:
    """The true trace of one call, such as `f(1, [2])`, run in the sandbox.

    Whatever the program does, a SyntaxError included, is in the Trace's outcome, never raised. max_bytes: of the
    records as they are sent; it is looked at now and then, so that a trace may be over it by some frames. max_value:
    characters of one value; the trace ends before the first frame that shows a longer one.

    >>> trace_call("def f(x):\\n    return x + 1", "f(1)").frames[-1].value
    '2'
    """
    context = trace_context(source, call, grading)
    options = {"max_frames": max_frames, "max_bytes": max_bytes, "max_value": max_value}
    outcome, lines = run_observed(context, OBSERVER, options, seconds=seconds, megabytes=megabytes)
    try:
        records, cut = read_records(lines, max_frames, len(physical_lines(context)))
    except ValueError as error:
        outcome = Outcome("crashed", isolation=outcome.isolation, detail=f"the trace was tampered with: {error}")
        return Trace(context, (), outcome, grading, outcome.status)
    if cut is None and outcome.status not in ("ok", "raised"):
        cut = outcome.status
    frames = tuple(build_frames(records, context))
    numbers = tuple(line for _, line, _, _ in records)
    return Trace(context, frames, outcome, grading, cut, find_caveats(context, frames), numbers)


def trace_in_process(text: str, *, max_frames: int = MAX_FRAMES, max_bytes: int = MAX_BYTES) -> list[Frame]:
    """The frames of `main()` of a whole traced text (`Case.context`), run here: for trusted programs only.

    Nothing bounds what the program does to this process; it is meant for generators that write their own programs,
    a few thousand short ones a second. The program's exceptions end the trace and are not raised; those of the module
    level (SyntaxError among them) are. Raises TraceCutError, a BaseException, where a cap is reached.
    """
    records: list[Record] = []
    code = compile_as_310(text, FILENAME)
    recorder = Recorder(collect_into(records), code=code, max_frames=max_frames, max_bytes=max_bytes, stop_at_cut=True)
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(code, namespace)
    main = namespace["main"]
    try:
        recorder.run(main)  # type: ignore[arg-type]
    except (KeyboardInterrupt, TraceCutError):
        raise
    except BaseException:  # noqa: BLE001 - the program's own exception; its frames tell it
        pass
    if recorder.cut:
        raise TraceCutError(recorder.cut)
    return build_frames(records, text)


def build_frames(records: Iterable[Record], text: str) -> list[Frame]:
    """Records of the tracer with the program's physical lines."""
    lines = physical_lines(text)
    return [
        Frame(cast(Event, event), lines[line - 1], None if state is None else tuple(state.items()), value)
        for event, line, state, value in records
    ]


def physical_lines(text: str) -> list[str]:
    r"""The lines as Python counts them (not at form feeds or U+2028), each with its "\n", the last one too."""
    return [line + "\n" for line in re.split(r"\r\n|\r|\n", text)]
