"""The true trace of a call, as CPython 3.10 gives it, whatever interpreter runs it.

What it does not do: judge a model's output (`analyze.divergence`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from analyze.frames import Event, Frame
from analyze.python310 import compile_as_310
from analyze.tracer import MAX_BYTES, MAX_FRAMES, Record, Recorder, TraceCutError

FILENAME = "<traced program>"


def trace_in_process(text: str, *, max_frames: int = MAX_FRAMES, max_bytes: int = MAX_BYTES) -> list[Frame]:
    """The frames of `main()` of a whole traced text (`Case.context`), run here: for trusted programs only.

    Nothing bounds what the program does to this process; it is meant for generators that write their own programs,
    a few thousand short ones a second. The program's exceptions end the trace and are not raised; those of the module
    level (SyntaxError among them) are. Raises TraceCutError, a BaseException, where a cap is reached.
    """
    records: list[Record] = []
    recorder = Recorder(records.append, filename=FILENAME, max_frames=max_frames, max_bytes=max_bytes, stop_at_cut=True)
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(compile_as_310(text, FILENAME), namespace)
    main = namespace["main"]
    try:
        recorder.run(main)  # type: ignore[arg-type]
    except (KeyboardInterrupt, TraceCutError):
        raise
    except BaseException:  # noqa: BLE001 - the program's own exception; its frames tell it
        pass
    if recorder.cut:
        raise TraceCutError(recorder.cut)
    return frames_of(records, text)


def frames_of(records: Iterable[Record], text: str) -> list[Frame]:
    """Records of the tracer with the program's physical lines."""
    lines = physical_lines(text)
    return [
        Frame(cast(Event, event), lines[line - 1], None if state is None else tuple(state.items()), value)
        for event, line, state, value in records
    ]


def physical_lines(text: str) -> list[str]:
    r"""The lines as Python counts them (not at form feeds or U+2028), each with its "\n", the last one too."""
    return [line + "\n" for line in re.split(r"\r\n|\r|\n", text)]
