"""Makes and checks a large data set of traces: generated programs, one in a hundred of them hostile.

    python bench/trace_data_sets.py generate 100000 programs.jsonl
    spellout traces programs.jsonl --output traces/programs --seconds 1 --similarity 1
    python bench/trace_data_sets.py check programs.jsonl traces/programs [EVERY]

`check` accounts for every row of the source, and compares every traced row (or one in EVERY, and all hostile ones) with
a trace made in its own process, outside the sandbox and the pipeline (hostile programs are not run there). `rate [ROWS
TURNS]` measures the pipeline against the bare cost and two processes against one; `cpu [ROWS TURNS]` compares with the
bare cost by CPU time, which a busy machine changes less, and estimates 10^8 rows. The bare cost is two forks that trace
the program (two, because the second one shows that it is deterministic), token ids and writing: with plain forks, and
with forks in the sandbox. `packages FOLDER...` prints what became of the calls of test suites, as a table.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stdout, suppress
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet
from harness import command, print_table
from measured_row import seconds, timed

from analyze.gold_trace.frames import frames_to_ids, frames_to_text
from analyze.gold_trace.trace import OBSERVER, build_frames, trace_in_process
from analyze.gold_trace.tracer import Record
from analyze.tokens.tokenizer import default_tokenizer
from corpora import read_rows
from corpora.execute import allow_weak_isolation, run_observed
from corpora.nondeterminism import OTHER_HASH_SEED
from corpora.program import Case
from corpora.sandbox.workers import pool
from lab.pocket.simple_programs import cases
from runner.traces.building import build_traces
from runner.traces.curation import curate
from runner.traces.formats.cwm import END_OF_TEXT
from runner.traces.index import DUPLICATE_CALL, DUPLICATE_TRACE, NEAR_DUPLICATE
from runner.traces.layout import DATA, DROPPED, SUMMARY, WORK
from runner.traces.shard_tracing import NOT_REBUILT, REPLAY_DIFFERS
from runner.traces.trace_request import ROWS_PER_SHARD, TraceRequest

HOSTILE_EVERY = 100
DUPLICATES = (DUPLICATE_CALL, DUPLICATE_TRACE, NEAR_DUPLICATE)
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
        records, namespace = [], {"__name__": "program"}
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
PACKAGE_COLUMNS = (
    *("package", "recorded calls", "traced"),
    *("not rebuilt", "replay differs", "nondeterministic", "duplicates", "other"),
)
RATE_ROWS, CPU_ROWS = (1000, 3), (200, 3)  # and turns
START_ROWS = 2 * ROWS_PER_SHARD
WHOLE = LARGE = 10**8
"""The limit on rows that reads all; the rows of the estimate."""
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
    for line in (folder / DROPPED).open(encoding="utf-8"):
        dropped = json.loads(line)
        fate[dropped["row"]] += 1
        reasons[rows[dropped["row"] - 1]["id"], dropped["reason"]] += 1
    kept = traced = compared = 0
    for row in _rows_in(folder / DATA, ["provenance"]):
        fate[_number(row)] += 1
        kept += 1
    for row in _rows_in(
        folder / WORK / "parts", ["provenance", "source", "call", "trace", "token_ids", "result", "exception"]
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


def packages(folders: list[Path]) -> None:
    """Prints what became of the recorded calls, as a table with a row for each data set that a test suite made."""
    print_table(PACKAGE_COLUMNS, map(package, folders))


def package(folder: Path) -> tuple[str, ...]:
    """The row of a data set."""
    source = json.loads((folder / WORK / "traces.json").read_text(encoding="utf-8"))["source"]
    counts = json.loads((folder / SUMMARY).read_text(encoding="utf-8"))
    kept, reasons = sum(counts["splits"].values()), Counter(counts["dropped"])
    named = [reasons[NOT_REBUILT], reasons[REPLAY_DIFFERS], reasons["nondeterministic"]]
    named.append(sum(size for reason, size in reasons.items() if reason in DUPLICATES))
    cells = (counts["read"], kept, *named, counts["read"] - kept - sum(named))
    return Path(source).name, *(f"{cell:,}" for cell in cells)


def rate(rows: int, turns: int) -> None:
    """Rows per second of the pipeline and of its bare parts, alternating; the best of the turns for each."""
    allow_weak_isolation(True)
    with tempfile.TemporaryDirectory() as temporary:
        source, longer = (_programs(Path(temporary), count) for count in (rows, START_ROWS + rows))
        found: dict[str, list[float]] = {}
        for turn in range(turns):
            for name, runner in BARE.items():
                found.setdefault(name, []).append(seconds(partial(bare, source, Path(temporary), runner)))
            for jobs in (1, 2):
                out = Path(temporary) / f"{turn}-{jobs}"
                found.setdefault(f"traces --jobs {jobs}", []).append(traced(longer, out, jobs))
        best = {name: min(times) for name, times in found.items()}
        for name, taken in best.items():
            print(f"{name:20} {rows / taken:7.1f} rows/s")
        one, two = best["traces --jobs 1"], best["traces --jobs 2"]
        for name in BARE:
            print(f"one process takes {one / best[name]:.2f} times as long as {name}")
        print(f"two processes are {one / two:.2f} times as fast as one")
        print(f"load {os.getloadavg()[0]:.1f}")


def estimate(folder: Path, core_seconds: float) -> None:
    """Prints what 10^8 rows take, from the CPU seconds per row of a run and the data set that it made."""
    request = TraceRequest(**json.loads((folder / WORK / "traces.json").read_text(encoding="utf-8")))
    parts = [*(folder / WORK / "parts").iterdir()]
    counts, taken = timed(partial(curate, folder, request, len(parts)), "processor")
    curation = taken / counts.read
    tracing = core_seconds - curation
    part_bytes, data_bytes = (
        sum(one.stat().st_size for one in path.iterdir()) for path in (folder / WORK / "parts", folder / DATA)
    )
    print(
        f"estimate for 100,000,000 rows: {LARGE * tracing / 3600:,.0f} core-hours of tracing "
        f"({LARGE * tracing / 3600 / 64:,.1f} hours on 64 cores), {LARGE * curation / 3600:,.0f} hours of curation in "
        f"one process, {LARGE * part_bytes / counts.read / 1e9:,.0f} GB of parts, "
        f"{LARGE * data_bytes / counts.kept / 1e9:,.0f} GB of data if all rows are kept"
    )


def cpu(rows: int, turns: int) -> None:
    """CPU time per row of the pipeline in this process and of its bare parts, alternating: robust on a busy machine."""
    assert rows < pool.JOBS_PER_WORKER
    allow_weak_isolation(True)
    with tempfile.TemporaryDirectory() as temporary:
        source = _programs(Path(temporary), rows)
        request = TraceRequest(str(source), similarity=None)
        for turn in range(turns):
            folder = Path(temporary) / str(turn)
            spent = {name: _cpu_of(partial(bare, source, Path(temporary), runner)) for name, runner in BARE.items()}
            traces = _cpu_of(partial(build_traces, folder, request, read_rows(source)))
            ratios = (
                f"{traces / other:.2f} times the {1000 * other / rows:.1f} ms of {name}"
                for name, other in spent.items()
            )
            print(f"traces: {1000 * traces / rows:.1f} ms of CPU per row, {', '.join(ratios)}")
        print(f"load {os.getloadavg()[0]:.1f}")
        estimate(folder, traces / rows)


def _cpu_of(action: Callable[[], object]) -> float:
    """CPU seconds of an action, with new workers that are ready: the count of one that ends would be lost."""
    pool.close_idle()
    for hash_seed in (0, OTHER_HASH_SEED):
        _confined("def main():\n    return 1\n", hash_seed)
    start = _cpu_seconds()
    action()
    return _cpu_seconds() - start


def _programs(folder: Path, rows: int) -> Path:
    source = folder / f"{rows}.jsonl"
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
    """Seconds of `spellout traces`, without those of a run of the first `START_ROWS` rows, with as many processes."""
    words = [sys.executable, "-m", "spellout", "traces", "--jobs", str(jobs), "--keep-near-duplicates", str(source)]

    def limited(limit: int) -> None:
        last = ["--output", str(out / str(limit)), "--limit", str(limit)]
        subprocess.run([*words, *last], check=True, capture_output=True)

    start = seconds(partial(limited, START_ROWS))
    return seconds(partial(limited, WHOLE)) - start


RunTwice = Callable[[str], tuple[list[Record], list[Record]]]
"""Runs a program with its `main` twice and returns the records of both runs."""


def bare(source: Path, folder: Path, runner: Callable[[], AbstractContextManager[RunTwice]]) -> None:
    """Two traced forks per row, token ids and writing: without reading, checks, digests, limits and curation."""
    tokenizer = default_tokenizer()
    made = []
    with runner() as run_twice:
        for line in source.open(encoding="utf-8"):
            row = json.loads(line)
            context = Case("", row["source"], row["call"]).context
            first, second = (build_frames(records, context) for records in run_twice(context))
            assert first == second
            made.append({**row, "trace": frames_to_text(first), "token_ids": frames_to_ids(first, tokenizer)})
    parquet.write_table(arrow.Table.from_pylist(made), folder / "bare.parquet", compression="zstd")


@contextmanager
def plain_forks() -> Iterator[RunTwice]:
    """Forks of a process with the standard library only, not confined."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-S", "-c", TRACED_FORKS, str(ROOT)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as server:
        yield lambda context: (_forked(server, context), _forked(server, context))
        server.communicate()


@contextmanager
def confined_forks() -> Iterator[RunTwice]:
    """The forks that the pipeline makes too: in the sandbox."""
    yield lambda context: (_confined(context, 0), _confined(context, OTHER_HASH_SEED))


BARE = {"plain forks": plain_forks, "forks in the sandbox": confined_forks}


def _confined(context: str, hash_seed: int) -> list[Record]:
    """The records of one run in the sandbox."""
    _, lines = run_observed(context, OBSERVER, {}, hash_seed=hash_seed)
    return [json.loads(line) for line in lines[:-1]]  # the last line says how the recording ended


def _forked(server: subprocess.Popen[bytes], context: str) -> list[Record]:
    """The records of one run in a fork of the server."""
    assert server.stdin is not None and server.stdout is not None
    text = context.encode()
    server.stdin.write(len(text).to_bytes(4, "big") + text)
    server.stdin.flush()
    records: list[Record] = pickle.loads(server.stdout.read(int.from_bytes(server.stdout.read(4), "big")))
    return records


ACTIONS: dict[str, Callable[..., None]] = {
    "generate": lambda count, path: generate(int(count), Path(path)),
    "check": lambda source, folder, *every: check(Path(source), Path(folder), *map(int, every)),
    "packages": lambda *folders: packages(list(map(Path, folders))),
    "cpu": lambda *numbers: cpu(*map(int, numbers or CPU_ROWS)),
    "rate": lambda *numbers: rate(*map(int, numbers or RATE_ROWS)),
}

if __name__ == "__main__":
    parser = command(__doc__)
    parser.add_argument("action", choices=ACTIONS, nargs="?", default="rate", help="(default: rate)")
    parser.add_argument("arguments", nargs="*", metavar="ARGUMENT", help="of the action")
    options = parser.parse_args()
    ACTIONS[options.action](*options.arguments)
