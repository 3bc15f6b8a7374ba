"""Data sets of traces: every row is kept or dropped with a reason, in one split, and a second run adds nothing."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from analyze import trace_call
from corpora import read_rows
from corpora.errors import InputError
from corpora.shard_executors import over_cores, over_ray
from runner.traces import index
from runner.traces.building import build_traces
from runner.traces.curation import DataSetCounts
from runner.traces.layout import CARD, CONTAMINATED, DROPPED, WORK
from runner.traces.shard_tracing import trace_store
from runner.traces.trace_request import TraceRequest
from tests.places import ROOT

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `datasets` is not installed")
pytest.importorskip("datasketch", reason="the extra `traces` is not installed")

SUM = "def f(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total"
UPPER = "def f(s):\n    return '-'.join(c.upper() for c in s) + str(len(s) * 2)"
ROWS: list[dict[str, Any]] = [
    {"id": "sum", "code": SUM, "input": "[1, 2]", "license": "MIT"},
    {"id": "same", "code": SUM.replace("total = 0", "total  =  0  # start"), "input": "[1, 2]"},
    {"id": "renamed", "code": SUM.replace("total", "t"), "input": "[1, 2]"},
    {"id": "upper", "code": UPPER, "calls": ["f('ab')", "f(1)"]},
    {"id": "loop", "code": "def f(x):\n    while True:\n        x += 1", "input": "0"},
    {"id": "random", "code": "import random\ndef f(x):\n    return random.random()", "input": "0"},
    {"id": "broken", "code": "def f(x", "input": "0"},
    {"id": "outside", "code": "def f(x):\n    return x\nreturn 1", "input": "0"},
    {"id": "exit", "code": "import os\ndef f(x):\n    os._exit(0)", "input": "0"},
    {"id": "memory", "code": "def f(x):\n    return [0] * (1 << 40)", "input": "0"},
    {"id": "flood", "code": "def f(x):\n    while True:\n        print('x' * 99999)", "input": "0"},
    {"id": "long", "code": "def f(x):\n    for i in range(5000):\n        x += i\n    return x", "input": "0"},
    {"text": "not a program"},
]
REASONS = {
    "same": "repeats the program and call of another row",
    "renamed": "near duplicate of another program",
    "loop": "more frames than --max-frames",
    "random": "nondeterministic",
    "outside": "the program does not load",
    "exit": "the process of the program crashed",
    "memory": "memory limit (--megabytes)",
    "flood": "too much output",
    "long": "more frames than --max-frames",
}


def write_rows(folder: Path, rows: Sequence[dict[str, Any]]) -> TraceRequest:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return TraceRequest(str(file), max_frames=1000, rows_per_shard=4, seconds=2)


def built(folder: Path, request: TraceRequest, **options: Any) -> DataSetCounts:
    return build_traces(folder, request, read_rows(request.source, dict(request.mapping)), **options)


def data(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted((folder / "data").iterdir()) for row in parquet.read_table(file).to_pylist()]


def dropped(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / DROPPED).read_text().splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TraceRequest, DataSetCounts]:
    folder = tmp_path_factory.mktemp("whole")
    request = write_rows(folder, ROWS)
    return folder / "out", request, built(folder / "out", request)


Whole = tuple[Path, TraceRequest, DataSetCounts]


@pytest.mark.medium
def test_every_row_is_kept_or_dropped_with_its_reason(whole: Whole) -> None:
    folder, _, counts = whole
    assert {row["id"]: row["reason"] for row in dropped(folder) if row["id"]} == REASONS
    assert [row["row"] for row in dropped(folder) if row["reason"] == "unreadable"] == [7, 13]
    assert sorted((row["id"], row["call_number"]) for row in data(folder)) == [("sum", 1), ("upper", 1), ("upper", 2)]
    assert (counts.read, counts.kept, sum(counts.dropped.values())) == (13, 3, 11)


@pytest.mark.medium
def test_a_row_has_the_trace_and_where_it_comes_from(whole: Whole) -> None:
    folder, request, _ = whole
    row = next(row for row in data(folder) if row["id"] == "sum")
    trace = trace_call(SUM, "f([1, 2])")
    assert row["trace"] == trace.text + "<|end_of_text|>"
    assert (row["result"], row["exception"], row["frames"]) == ("3", None, len(trace.frames))
    assert row["tokens"] == len(row["token_ids"]) == (trace.tokens or 0) + 1
    assert row["provenance"]["origin"] == f"{request.source}:1" and row["provenance"]["license"] == "MIT"
    assert json.loads(row["provenance"]["options"])["max_frames"] == 1000
    assert row["isolation"] == trace.outcome.isolation


def test_calls_of_one_program_are_one_family_in_one_split(whole: Whole) -> None:
    folder, _, _ = whole
    assert {row["family"] for row in data(folder) if row["id"].startswith("upper")} == {4}


def test_the_same_command_adds_nothing(whole: Whole) -> None:
    folder, request, counts = whole
    before = data(folder)
    stamps = {path: path.stat().st_mtime_ns for path in (folder / WORK / "parts").iterdir()}
    assert built(folder, request) == counts
    assert data(folder) == before
    assert {path: path.stat().st_mtime_ns for path in (folder / WORK / "parts").iterdir()} == stamps


def test_a_changed_option_on_resume_is_refused(whole: Whole) -> None:
    folder, request, _ = whole
    with pytest.raises(InputError, match=r"holds traces of another data set or with other options \(max_tokens was"):
        built(folder, replace(request, max_tokens=7))


def test_a_folder_of_other_files_is_left_alone(tmp_path: Path) -> None:
    request = write_rows(tmp_path, ROWS)
    with pytest.raises(InputError, match="is not empty and holds no traces"):
        built(tmp_path, request)


def test_another_process_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    request = write_rows(tmp_path, ROWS[:1])
    asked = asdict(request)
    with trace_store(tmp_path / "out").opened(asked), pytest.raises(InputError, match="locked by another process"):
        built(tmp_path / "out", request)
    assert built(tmp_path / "out", request).kept == 1


@pytest.mark.parametrize("made", ["part", "data"])
def test_what_is_left_of_an_interrupted_run_is_made_again(made: str, whole: Whole) -> None:
    folder, request, counts = whole
    before = data(folder)
    if made == "part":
        (folder / WORK / "parts" / "part-00001.parquet").write_bytes(b"half")
        (folder / WORK / "parts" / "part-00002.parquet.7.tmp").write_bytes(b"half")
    else:
        (folder / "data").rename(folder / WORK / "data.tmp")
        (folder / WORK / "index.sqlite").write_bytes(b"half")
    assert built(folder, request) == counts
    assert data(folder) == before
    assert not [path for path in folder.rglob("*") if path.name.endswith(("tmp", "sqlite"))]


@pytest.mark.medium
def test_rewrites_are_linked_to_their_original_and_in_its_split(tmp_path: Path) -> None:
    request = replace(write_rows(tmp_path, [ROWS[0], ROWS[3]]), recipes=("decompose",), validation=0.5)
    built(tmp_path / "out", request)
    rows = {(row["id"], row["call_number"], row["recipe"]): row for row in data(tmp_path / "out")}
    original, rewritten = rows["upper", 1, None], rows["upper", 1, "decompose"]
    assert [original[name] for name in ("row", "family", "result")] == [2, 2, "'A-B4'"]
    assert [rewritten[name] for name in ("row", "family", "result")] == [2, 2, "'A-B4'"]
    assert "_t0" in rewritten["source"] and "_t0" in rewritten["trace"]
    [left] = dropped(tmp_path / "out")
    assert [left[name] for name in ("id", "row", "call_number", "recipe")] == ["sum", 1, 1, "decompose"]
    assert left["reason"] == "decompose: the recipe leaves the program unchanged"


@pytest.mark.medium
def test_rows_with_one_id_are_apart_in_the_index(tmp_path: Path) -> None:
    rows = [{**ROWS[3], "calls": [call]} for call in ("f('ab')", "f('ab')", "f('abc')")]
    request = replace(write_rows(tmp_path, rows), recipes=("decompose",))
    counts = built(tmp_path / "out", request)
    assert {(row["id"], row["row"], row["recipe"]) for row in data(tmp_path / "out")} == {
        ("upper", number, recipe) for number in (1, 3) for recipe in (None, "decompose")
    }
    assert counts.dropped == {"repeats the program and call of another row": 1, "its original is dropped": 1}
    assert [row["detail"] for row in dropped(tmp_path / "out")] == [
        "upper (row 1)",
        "repeats the program and call of another row",
    ]


def test_programs_of_a_benchmark_are_dropped_and_reported(tmp_path: Path) -> None:
    benchmark = tmp_path / "benchmark.jsonl"
    benchmark.write_text(json.dumps({"id": "B/1", "code": SUM, "input": "[5]"}) + "\n")
    inside = f"def g():\n    return 1\n\n\n{SUM.replace('total', 'result').replace('xs', 'numbers')}"
    request = write_rows(tmp_path, [{"id": "copy", "code": inside, "input": "[1]"}, ROWS[3]])
    counts = built(tmp_path / "out", replace(request, decontaminate=(str(benchmark),)))
    [found] = [json.loads(line) for line in (tmp_path / "out" / CONTAMINATED).read_text().splitlines()]
    assert (found["id"], found["item"], found["share"]) == ("copy", "B/1", 1.0)
    assert counts.dropped == {"contaminated": 1} and counts.kept == 2


@pytest.mark.medium
def test_a_sample_has_the_same_number_of_each_stratum(tmp_path: Path) -> None:
    rows = [{"id": str(n), "code": f"def f(x):\n    y = x + {n}\n    return y", "input": "1"} for n in range(4)]
    hazard = "def f(s):\n    return s.rsplit('-.')"
    rows += [{"id": f"h{n}", "code": hazard, "input": repr(f"a-.-.b{n}")} for n in range(3)]
    request = replace(write_rows(tmp_path, rows), stratify="hazard", per_stratum=2, similarity=None)
    built(tmp_path / "out", request)
    strata = Counter("+".join(row["hazards"]) for row in data(tmp_path / "out"))
    assert set(strata.values()) == {2}, strata
    assert all(row["risk"] is not None for row in data(tmp_path / "out"))


def test_the_card_names_counts_reasons_and_licences(whole: Whole) -> None:
    folder, request, counts = whole
    built(folder, request)
    card = (folder / CARD).read_text()
    assert "| nondeterministic | 1 |" in card and "| MIT | 1 |" in card and "| not given | 2 |" in card
    assert f"3 traced calls with {counts.all_tokens:,} tokens, from 13 rows" in card


@pytest.mark.medium
def test_it_loads_with_datasets(whole: Whole, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the extra `datasets` is not installed")
    folder, _, counts = whole
    options: dict[str, Any] = {"cache_dir": str(tmp_path), "download_mode": "force_redownload"}
    for name, where in (("parquet", {"data_dir": str(folder / "data")}), (str(folder), {})):
        loaded = datasets.load_dataset(name, **where, **options)
        assert {split: loaded[split].num_rows for split in loaded} == {
            split: size for split, size in counts.splits.items() if size
        }


def test_pandas_reads_the_folder_that_the_user_names(whole: Whole) -> None:
    pandas = pytest.importorskip("pandas", reason="the extra `datasets` is not installed")
    folder, _, _ = whole
    frame = pandas.read_parquet(folder)
    assert sorted(zip(frame["id"], frame["call_number"], strict=True)) == [("sum", 1), ("upper", 1), ("upper", 2)]


@pytest.mark.slow
def test_a_full_disk_is_one_line_and_the_same_command_resumes(tmp_path: Path) -> None:
    request = write_rows(tmp_path, [{"code": SUM, "input": f"[{n}, 2]"} for n in range(40)])
    code = "import sys; from runner.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["traces", request.source, "--output", str(tmp_path / "out"), "--jobs", "2", "--allow-weak-isolation"]
    command = [sys.executable, "-c", code, *words]
    limits = (20_000, resource.RLIM_INFINITY)
    full = subprocess.run(
        command,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
    )
    assert full.returncode == 2 and "cannot be written: File too large" in full.stderr.splitlines()[-1]
    assert "Traceback" not in full.stderr
    again = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert again.returncode == 0 and again.stdout.startswith("40 rows"), again.stderr


def test_an_index_that_does_not_fit_on_the_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = write_rows(tmp_path, [{"code": SUM, "input": "[1, 2]"}])
    with monkeypatch.context() as small:
        small.setattr(index, "_TABLES", "PRAGMA max_page_count = 2;" + index._TABLES)
        with pytest.raises(InputError, match="cannot be written: database or disk is full; the same command resumes"):
            built(tmp_path / "out", request)
    assert built(tmp_path / "out", request).kept == 1


@pytest.mark.slow
def test_a_killed_command_resumes_without_loss_or_duplicates(tmp_path: Path) -> None:
    request = write_rows(tmp_path, [{"code": SUM, "input": f"[{n}, 2]"} for n in range(600)])
    command = [sys.executable, "-m", "spellout", "traces", request.source, "--output", str(tmp_path / "out")]
    command += ["--jobs", "2", "--allow-weak-isolation"]
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    done = tmp_path / "out" / WORK / "done"
    until = time.monotonic() + 300
    while time.monotonic() < until and not (done.is_dir() and any(done.iterdir())):
        time.sleep(0.05)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    finished = len(list(done.iterdir()))
    assert 0 < finished < 3
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert Counter(row["call"] for row in data(tmp_path / "out")) == {f"f([{n}, 2])": 1 for n in range(600)}


@pytest.mark.slow
def test_processes_make_what_one_process_makes(whole: Whole, tmp_path: Path) -> None:
    folder, request, counts = whole
    assert built(tmp_path / "out", request, spread=over_cores(2)) == counts
    assert data(tmp_path / "out") == data(folder)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Ray's own
def test_two_nodes_of_ray_make_what_one_process_makes_though_a_worker_dies(whole: Whole, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    cluster_utils = pytest.importorskip("ray.cluster_utils")
    _, request, _ = whole
    rows = [*read_rows(request.source)] * 4
    many = replace(request, similarity=None)
    one = build_traces(tmp_path / "one", many, _numbered(rows))
    cluster = cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        killed: list[int] = []

        def kill_a_worker(_: int) -> None:
            if not killed:
                killed.append(_kill_an_actor())

        found = build_traces(
            tmp_path / "ray", many, _numbered(rows), spread=over_ray(cluster.address), on_traced=kill_a_worker
        )
        assert killed and len({node["NodeID"] for node in ray.nodes() if node["Alive"]}) == 2
    finally:
        ray.shutdown()
        cluster.shutdown()
    assert found == one
    assert data(tmp_path / "ray") == data(tmp_path / "one")


def _numbered(rows: Sequence[Any]) -> list[Any]:
    return [replace(row, number=number) for number, row in enumerate(rows, 1)]


def _kill_an_actor() -> int:
    """Kills the process of one of the actors that trace: a descendant of this process."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            names[int(path.name)] = (path / "cmdline").read_text().replace("\0", " ")
            parents[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    pid = next(pid for pid, name in names.items() if "MapWorker" in name and is_ours(pid))
    os.kill(pid, signal.SIGKILL)
    return pid
