"""The judge: what a bare `sys.settrace` function sees under the interpreter that runs this file (CPython 3.10).

Reads JSON lines {"id", "text"} from standard input, writes {"id", "frames"}: `[event, line, state, value]` with full
states (no ".."), memory addresses and module paths dropped, at most LIMIT frames a program. Shares no code with the
tracer under test. Standard library only.
"""

import io
import json
import re
import sys
from types import FrameType
from typing import Any

LIMIT = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
FILENAME = "<judged>"


class Enough(BaseException):
    pass


def show(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - a program's own __repr__ may raise anything
        text = object.__repr__(value)
    text = re.sub(r" at 0x[0-9a-f]{6,}", "", text)
    return re.sub(r"<module '([\w.]+)'[^>]*>", r"<module '\1'>", text)


def judge(text: str) -> list[list[Any]]:
    frames: list[list[Any]] = []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != FILENAME:
            return None
        if len(frames) >= LIMIT:
            raise Enough
        state = value = None
        if event in ("call", "line"):
            state = [[name, show(held)] for name, held in frame.f_locals.items()]
        else:
            frame.f_locals  # noqa: B018 - what a tracer that looks at every event does
            value = show(argument) if event == "return" else "(" + ", ".join(map(show, argument)) + ")"
        frames.append([event, frame.f_lineno, state, value])
        return trace

    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, FILENAME, "exec"), namespace)
    main = namespace["main"]
    sys.settrace(trace)
    try:
        main()
    except BaseException:  # noqa: BLE001 - the program's own exception; its frames tell it
        pass
    finally:
        sys.settrace(None)
    return frames


def run() -> None:
    results = sys.stdout
    for line in sys.stdin:
        program = json.loads(line)
        sys.stdout = io.StringIO()
        frames = judge(program["text"])
        results.write(json.dumps({"id": program["id"], "frames": frames}) + "\n")


if __name__ == "__main__":
    run()
