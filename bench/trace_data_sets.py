"""Makes and checks a large data set of traces: generated programs, one in a hundred of them hostile.

    python bench/trace_data_sets.py generate 100000 programs.jsonl
    spellout traces programs.jsonl --output traces/programs --seconds 1 --similarity 1
    python bench/trace_data_sets.py check programs.jsonl traces/programs [EVERY]

`check` accounts for every row of the source, and compares every traced row (or one in EVERY, and all hostile ones) with
a trace made in its own process, outside the sandbox and the pipeline (hostile programs are not run there). `rate [ROWS
TURNS]` measures the pipeline against the bare cost (fork, settrace, write) and two processes against one; `cpu [ROWS
TURNS]` the same by CPU time, which a busy machine changes less.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet

from analyze.gold_trace.frames import frames_to_ids, frames_to_text
from analyze.gold_trace.trace import build_frames, trace_in_process
from analyze.tokens.tokenizer import default_tokenizer
from corpora import read_rows
from corpora.execute import allow_weak_isolation
from corpora.program import Case
from runner.pocket.data import cases
from runner.traces.building import build_traces
from runner.traces.formats.cwm import END_OF_TEXT
from runner.traces.request import TraceRequest

HOSTILE_EVERY = 100
ROOT = Path(__file__).parents[1]
TRACED_FORKS = """
import os, pickle, sys
sys.path.append(sys.argv[1])
from analyze.gold_trace.python310 import compile_as_310
from analyze.gold_trace.tracer import Recorder, collect_into
while head := sys.stdin.buffer.read(4):
    text = sys.stdin.buffer.read(int.from_bytes(head, "big")).decode()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        records, namespace = [], {"__name__": "__main__"}
        code = compile_as_310(text, "<traced program>")
        exec(code, namespace)
        try:
            Recorder(collect_into(records), code=code).run(namespace["main"])
        except Exception:
            pass
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(records, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    sys.stdout.buffer.write(len(found).to_bytes(4, "big") + found)
    sys.stdout.buffer.flush()
"""
RATE_ROWS, CPU_ROWS = (1000, 3), (200, 3)  # and turns
# Programs that must not become rows; those of RAISES may, with the exception that the sandbox raises in them.
HOSTILE = {
    "does not compile": "def f(x):\n    return (x",
    "return outside a function": "def f(x):\n    return x\nreturn 1",
    "endless loop": "def f(x):\n    while True:\n        x += 1",
    "endless loop while loading": "while True:\n    pass\ndef f(x):\n    return x",
    "allocates": "def f(x):\n    a = [0]\n    while True:\n        a = a + a",
    "one large string": "def f(x):\n    return 'a' * (1 << 40)",
    "floods": "def f(x):\n    while True:\n        print('x' * 100000)",
    "exits": "import os\ndef f(x):\n    os._exit(0)",
    "segfault": "import ctypes\ndef f(x):\n    ctypes.string_at(0)\n    return x",
    "forges the report": 'import os\ndef f(x):\n    os.write(3, b\'{"status": "ok"}\\n\' * 1000)\n    return x',
    "random": "import random\ndef f(x):\n    return random.random()",
    "clock": "import time\ndef f(x):\n    return time.time()",
    "addresses": "def f(x):\n    return id(object()) % 1000",
    "hash order": "def f(x):\n    return list({'a', 'b', 'c', 'd', str(x)})",
    "many frames": "def f(x):\n    for i in range(1000000):\n        x = i\n    return x",
    "a long value": "def f(x):\n    s = 'ab' * 200000\n    return len(s)",
    "patches": "import builtins\ndef f(x):\n    builtins.repr = lambda *a: '0'\n    while True:\n        pass",
}
RAISES = {
    "kills its parent": "import os\ndef f(x):\n    os.kill(os.getppid(), 9)\n    while True:\n        pass",
    "kills everything": "import os\ndef f(x):\n    os.kill(-1, 9)\n    while True:\n        pass",
    "forks": "import os\ndef f(x):\n    while True:\n        os.fork()",
    "reads a file": "def f(x):\n    return open('/etc/shadow').read()",
    "connects": "import socket\ndef f(x):\n    return socket.create_connection(('1.1.1.1', 53), 1)",
    "writes a file": "def f(x):\n    return open('/tmp/spellout-escaped', 'w').write('x')",
}


def generate(count: int, path: Path) -> None:
    stream = distinct(count - count // HOSTILE_EVERY)
    hostile = [*HOSTILE.items(), *RAISES.items()]
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            if number % HOSTILE_EVERY == HOSTILE_EVERY - 1:
                name, source = hostile[number // HOSTILE_EVERY % len(hostile)]
                row = {"id": f"hostile-{name}", "source": f"{source}\n# {number}\n", "call": f"f({number})"}
            else:
                case = next(stream)
                row = {"id": "generated", "source": case.source, "call": case.call, "license": "MIT"}
            file.write(json.dumps(row) + "\n")


def distinct(count: int) -> Iterator[Case]:
    """Generated programs with a result, all different."""
    seen: set[int] = set()
    for case in cases("trace data sets"):
        if hash(case.context) not in seen and "print" not in case.source and case.grading == "return":
            seen.add(hash(case.context))
            yield case
            if len(seen) == count:
                return


def check(source: Path, folder: Path, every: int = 1) -> None:
    """Prints what became of the rows; raises AssertionError if one is lost or doubled, or one in `every` is wrong."""
    rows = [json.loads(line) for line in source.open(encoding="utf-8")]
    fate: Counter[int] = Counter()
    reasons: Counter[tuple[str, str]] = Counter()
    for line in (folder / "dropped.jsonl").open(encoding="utf-8"):
        dropped = json.loads(line)
        fate[dropped["row"]] += 1
        reasons[rows[dropped["row"] - 1]["id"], dropped["reason"]] += 1
    kept = traced = compared = 0
    for row in _rows_in(folder / "data", ["provenance"]):
        fate[_number(row)] += 1
        kept += 1
    for row in _rows_in(
        folder / "parts", ["provenance", "source", "call", "trace", "token_ids", "result", "exception"]
    ):
        traced += 1
        if traced % every == 0 or rows[_number(row) - 1]["id"] != "generated":
            _check_row(row, rows[_number(row) - 1])
            compared += 1
    assert sorted(fate) == list(range(1, len(rows) + 1)), "rows are lost"
    assert set(fate.values()) == {1}, "rows are doubled"
    assert not Path("/tmp/spellout-escaped").exists(), "a program wrote a file"
    for (identifier, reason), size in sorted(reasons.items()):
        print(f"{size:6} {identifier}: {reason}")
    print(f"{len(rows):,} rows: {kept:,} in the data set, {len(rows) - kept:,} dropped; none is lost or there twice")
    print(
        f"{traced:,} were traced; {compared:,} of these were compared with a trace made outside the pipeline: all equal"
    )


def _rows_in(folder: Path, columns: list[str]) -> Iterator[dict[str, Any]]:
    for file in sorted(folder.glob("*.parquet")):
        for batch in parquet.ParquetFile(file).iter_batches(1000, columns=columns):
            yield from batch.to_pylist()


def _number(row: dict[str, Any]) -> int:
    return int(row["provenance"]["origin"].rpartition(":")[2])


def _check_row(row: dict[str, Any], given: dict[str, str]) -> None:
    assert (row["source"], row["call"]) == (given["source"], given["call"])
    name = given["id"].removeprefix("hostile-")
    if name in RAISES:
        assert row["exception"] is not None, f"{name} succeeded"
        return
    assert name not in HOSTILE, f"{name} is in the data set"
    context = Case("", given["source"], given["call"]).context
    with redirect_stdout(StringIO()):
        frames = trace_in_process(context)
    assert row["trace"] == frames_to_text(frames) + END_OF_TEXT
    assert row["token_ids"][:-1] == frames_to_ids(frames, default_tokenizer())
    assert frames[-1].value == row["result"] or row["exception"]


def rate(rows: int, turns: int) -> None:
    """Rows per second of the pipeline and of its bare parts, alternating; the best of the turns for each."""
    with tempfile.TemporaryDirectory() as temporary:
        source = _programs(Path(temporary), rows)
        found: dict[str, list[float]] = {}
        for turn in range(turns):
            start = time.perf_counter()
            bare(source, Path(temporary))
            found.setdefault("bare, one process", []).append(time.perf_counter() - start)
            for jobs in (1, 2):
                out = Path(temporary) / f"{turn}-{jobs}"
                found.setdefault(f"traces --jobs {jobs}", []).append(traced(source, out, jobs))
    best = {name: min(times) for name, times in found.items()}
    for name, seconds in best.items():
        print(f"{name:20} {rows / seconds:7.1f} rows/s")
    bare_seconds, one, two = best.values()
    print(
        f"one process takes {one / bare_seconds:.2f} times the bare time; two are {one / two:.2f} times as fast as one"
    )
    print(f"load {os.getloadavg()[0]:.1f}")


def cpu(rows: int, turns: int) -> None:
    """CPU time per row of the pipeline in this process and of its bare parts, alternating: robust on a busy machine."""
    allow_weak_isolation(True)
    with tempfile.TemporaryDirectory() as temporary:
        source = _programs(Path(temporary), rows)
        request = TraceRequest(str(source), similarity=None)
        build_traces(Path(temporary) / "start", request, islice(read_rows(source), 2))
        found: list[tuple[float, float]] = []
        for turn in range(turns):
            start = _cpu_seconds()
            bare(source, Path(temporary))
            middle = _cpu_seconds()
            build_traces(Path(temporary) / str(turn), request, read_rows(source))
            found.append((middle - start, _cpu_seconds() - middle))
    for one, other in found:
        print(
            f"bare {1000 * one / rows:5.2f} ms, traces {1000 * other / rows:5.2f} ms of CPU per row: {other / one:.2f}"
        )
    print(f"load {os.getloadavg()[0]:.1f}")


def _programs(folder: Path, rows: int) -> Path:
    source = folder / "programs.jsonl"
    with source.open("w", encoding="utf-8") as file:
        for case in distinct(rows):
            file.write(json.dumps({"source": case.source, "call": case.call}) + "\n")
    return source


def _cpu_seconds() -> float:
    """CPU seconds of this process, its ended children, and its running descendants with their ended children."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(fields[1])
            ticks[int(path.parent.name)] = sum(map(int, fields[11:15]))

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return sum(count for pid, count in ticks.items() if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def traced(source: Path, out: Path, jobs: int) -> float:
    """Seconds of `spellout traces`, without those of its start (a run with one row per process)."""
    command = [sys.executable, "-m", "spellout", "traces", "--jobs", str(jobs), "--keep-near-duplicates"]
    spent = []
    for limit in (str(jobs), "100000000"):
        start = time.perf_counter()
        folder = out / limit
        subprocess.run([*command, str(source), "--output", folder, "--limit", limit], check=True, capture_output=True)
        spent.append(time.perf_counter() - start)
    return spent[1] - spent[0]


def bare(source: Path, folder: Path) -> None:
    """Two traced forks per row of a process with the standard library only, and writing: without all the rest."""
    tokenizer = default_tokenizer()
    made = []
    pipe = subprocess.PIPE
    command = [sys.executable, "-S", "-c", TRACED_FORKS, str(ROOT)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as server:
        for line in source.open(encoding="utf-8"):
            row = json.loads(line)
            context = Case("", row["source"], row["call"]).context
            first, second = (build_frames(_forked(server, context), context) for _ in range(2))
            assert first == second
            made.append({**row, "trace": frames_to_text(first), "token_ids": frames_to_ids(first, tokenizer)})
        server.communicate()
    parquet.write_table(arrow.Table.from_pylist(made), folder / "bare.parquet", compression="zstd")


def _forked(server: subprocess.Popen[bytes], context: str) -> Any:
    """The records of one run in a fork of the server."""
    assert server.stdin is not None and server.stdout is not None
    text = context.encode()
    server.stdin.write(len(text).to_bytes(4, "big") + text)
    server.stdin.flush()
    return pickle.loads(server.stdout.read(int.from_bytes(server.stdout.read(4), "big")))


if __name__ == "__main__":
    if sys.argv[1:2] == ["generate"]:
        generate(int(sys.argv[2]), Path(sys.argv[3]))
    elif sys.argv[1:2] == ["check"]:
        check(Path(sys.argv[2]), Path(sys.argv[3]), *map(int, sys.argv[4:5]))
    elif sys.argv[1:2] == ["cpu"]:
        cpu(*map(int, sys.argv[2:4] or CPU_ROWS))
    else:
        rate(*map(int, sys.argv[2:4] or RATE_ROWS))
