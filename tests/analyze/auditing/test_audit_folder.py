"""Audits in shards: resumed, in parallel, in both formats, and nothing mixed up."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from analyze.auditing import audit_folder
from analyze.auditing.audit_folder import AuditRequest, audit_to
from analyze.auditing.duplicates import DuplicateIndex
from analyze.auditing.findings import AuditSummary, Finding
from analyze.auditing.findings_io import Format, findings_in
from corpora.errors import InputError
from corpora.shard_executors import over_cores, over_ray
from corpora.shard_store import FinishedShard, Shard, ShardExecutor

LINES = [
    '{"code": "a = \'12345\'"}',
    "not json",
    "{\"code\": \"b = 'a-.-.b'.rsplit('-.')\"}",
    "{\"code\": \"c = ' BaB '.rfind(' B ')\"}",
    '{"text": 1}',
    '{"code": "d = \'<|eot_id|>\'"}',
]


@pytest.fixture
def request_(tmp_path: Path) -> AuditRequest:
    file = tmp_path / "rows.jsonl"
    file.write_text("\n".join(LINES) + "\n")
    return AuditRequest(str(file), execute=False, rows_per_shard=2)


def test_a_folder_with_another_audit_is_left_alone(request_: AuditRequest, tmp_path: Path) -> None:
    audit_to(tmp_path / "out", request_)
    with pytest.raises(InputError, match="holds an audit of another data set or with other options") as raised:
        audit_to(tmp_path / "out", replace(request_, contexts=("bare",)))
    assert '(contexts was ["trace"], is now ["bare"])' in str(raised.value)


def test_a_folder_that_cannot_be_made_is_one_line(request_: AuditRequest, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(InputError, match="cannot be used: it is not a folder"):
        audit_to(tmp_path / "file", request_)


def test_a_folder_that_holds_something_else_is_left_alone(request_: AuditRequest, tmp_path: Path) -> None:
    (tmp_path / "findings").mkdir()
    (tmp_path / "findings" / "2024.csv").write_text("mine")
    with pytest.raises(InputError, match="is not empty and holds no audit"):
        audit_to(tmp_path, request_)
    assert (tmp_path / "findings" / "2024.csv").read_text() == "mine"


@pytest.mark.parametrize("spread", [None, over_cores(2)], ids=["one process", "two processes"])
def test_a_disk_that_is_full_in_the_middle_is_one_line(
    request_: AuditRequest, tmp_path: Path, spread: ShardExecutor | None
) -> None:
    out = tmp_path / "out"
    audit_to(out, request_)
    (out / "done" / "00001.json").unlink()
    (out / "findings" / "part-00001.jsonl").unlink()
    (out / "findings" / "part-00001.jsonl").mkdir()  # stands in for what cannot be written, also by root
    with pytest.raises(InputError, match="cannot be written") as raised:
        audit_to(out, request_, spread=spread)
    assert "part-00001" in raised.value.where


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
@pytest.mark.parametrize("harm", ["emptied", "altered", "marker altered", "marker without a digest"])
def test_a_part_that_is_not_what_was_written_is_done_again(
    harm: str, kind: Format, request_: AuditRequest, tmp_path: Path
) -> None:
    out, request = tmp_path / "out", replace(request_, format=kind)
    whole, findings = audit_to(out, request), list(findings_in(out))
    part, marker = out / "findings" / f"part-00001.{kind}", out / "done" / "00001.json"
    if harm == "emptied":
        part.write_bytes(b"")
    elif harm == "altered":
        part.write_bytes(part.read_bytes().replace(b"ABSENT", b"MATCH "))
    else:
        value = json.loads(marker.read_text())
        value.pop("found") if harm == "marker without a digest" else value["summary"].update(units=99)
        marker.write_text(json.dumps(value))
    assert audit_to(out, request) == whole
    assert list(findings_in(out)) == findings


def test_labels_and_duplicates_are_counted_and_listed_and_survive_a_resumption(tmp_path: Path) -> None:
    program = {"code": "def f(x):\n    return x"}
    rows = [
        {**program, "input": "2", "output": "99"},
        {**program, "input": "3", "output": "3"},
        {**program, "code": "def f(x):  \n    return x\n", "input": "2", "output": "2"},
        {**program, "input": "4", "output": "nowhere"},
        {**program, "input": "True", "output": "1"},
        {**program, "input": "5"},
    ]
    file = tmp_path / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for _ in range(2):
        seen = DuplicateIndex()
        summary = audit_to(tmp_path / "out", AuditRequest(str(file), rows_per_shard=2), duplicates=seen)
        assert (summary.labels, summary.contradicted, summary.unsure) == (5, 2, 1)
        assert [str(check) for check in summary.label_checks] == [
            f"{file}:1: f(2) gives 2, the label says 99",
            f"{file}:4: f(4) cannot be compared (4), the label says nowhere",
            f"{file}:5: f(True) gives True, the label says 1, equal and of another type",
        ]
        assert (seen.programs, seen.inputs) == (5, 1)
        assert str(seen.listed[1]) == f"{file}:3: the program and input of {file}:1"
    listed = [json.loads(line) for line in (tmp_path / "out" / "labels.jsonl").read_text().splitlines()]
    assert [entry["number"] for entry in listed] == [1, 4, 5]
    assert len((tmp_path / "out" / "duplicates.jsonl").read_text().splitlines()) == 5


def test_bad_rows_are_counted_and_listed_in_order(request_: AuditRequest, tmp_path: Path) -> None:
    summary = audit_to(tmp_path / "out", request_)
    assert summary.rows == 6
    assert [bad.where.rpartition(":")[2] for bad in summary.bad] == ["2", "5"]
    assert {finding["row"] for finding in findings_in(tmp_path / "out")} == {1, 3, 4, 6}
    listed = [json.loads(line) for line in (tmp_path / "out" / "bad.jsonl").read_text().splitlines()]
    assert [entry["number"] for entry in listed] == [2, 5]
    written = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert AuditSummary.from_json(written) == summary


def test_only_what_is_missing_is_done_again(
    request_: AuditRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    really = audit_folder.audit_shard

    def counted(folder: Path, request: AuditRequest, shard: Shard) -> FinishedShard[AuditSummary]:
        done.append(shard.number)
        return really(folder, request, shard)

    monkeypatch.setattr(audit_folder, "audit_shard", counted)
    out = tmp_path / "out"
    whole = audit_to(out, request_)
    findings = list(findings_in(out))
    assert done == [0, 1, 2]
    assert audit_to(out, request_) == whole
    assert done == [0, 1, 2]
    (out / "done" / "00001.json").unlink()
    (out / "done" / "00002.json").write_text("{half a mark")
    (out / "findings" / "part-00001.jsonl").write_text('{"half a')
    (out / "findings" / "part-00000.jsonl").unlink()
    assert audit_to(out, request_) == whole
    assert done == [0, 1, 2, 0, 1, 2]
    assert list(findings_in(out)) == findings


def test_rows_that_changed_are_done_again_and_shards_that_are_no_more_are_dropped(
    request_: AuditRequest, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    audit_to(out, request_)
    Path(request_.source).write_text("\n".join(["{}", *LINES[1:3]]) + "\n")
    summary = audit_to(out, request_)
    assert summary.rows == 3
    assert len(summary.bad) == 2
    assert {finding["row"] for finding in findings_in(out)} == {3}


def test_of_many_bad_rows_the_first_are_held_and_all_are_listed(
    request_: AuditRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_folder, "MAX_BAD_HELD", 3)
    Path(request_.source).write_text("no json\n" * 9)
    summary = audit_to(tmp_path / "out", request_)
    assert (summary.bad_count, [bad.number for bad in summary.bad]) == (9, [1, 2, 3])
    assert len((tmp_path / "out" / "bad.jsonl").read_text().splitlines()) == 9


@pytest.mark.medium
def test_two_processes_find_what_one_finds(request_: AuditRequest, tmp_path: Path) -> None:
    progress: list[int] = []
    one = audit_to(tmp_path / "one", request_)
    two = audit_to(tmp_path / "two", request_, spread=over_cores(2), on_progress=progress.append)
    assert two == one
    assert sorted(progress) == [2, 2, 2]
    assert list(findings_in(tmp_path / "two")) == list(findings_in(tmp_path / "one"))


def test_parquet_holds_what_json_lines_hold(request_: AuditRequest, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    audit_to(tmp_path / "lines", request_)
    audit_to(tmp_path / "parquet", replace(request_, format="parquet"))
    lines, parquet = (list(findings_in(tmp_path / name)) for name in ("lines", "parquet"))
    assert parquet == lines
    assert list(lines[0]) == list(Finding.__dataclass_fields__)


def test_mild_findings_are_counted_and_not_written(request_: AuditRequest, tmp_path: Path) -> None:
    summary = audit_to(tmp_path / "out", replace(request_, least=0.9))
    assert {finding["hazard"] for finding in findings_in(tmp_path / "out")} == {"SPECIAL"}
    assert any(key[2] == "DIGITS" for key in summary.counts)


def test_ray_that_is_not_installed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match="--ray: needs ray: pip install"):
        over_ray()


@pytest.mark.filterwarnings("default")
def test_ray_finds_what_one_process_finds(request_: AuditRequest, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="the extra `ray` is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        one = audit_to(tmp_path / "one", request_)
        assert audit_to(tmp_path / "ray", request_, spread=over_ray()) == one
    finally:
        ray.shutdown()
    assert list(findings_in(tmp_path / "ray")) == list(findings_in(tmp_path / "one"))


@pytest.mark.parametrize(("written", "is_new"), [("", True), ("{}", True), ('{"source": ', False), ("[]", False)])
def test_a_request_that_was_not_written_completely(
    written: str, is_new: bool, request_: AuditRequest, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "audit.json").write_text(written)
    if is_new:
        assert audit_to(tmp_path / "out", request_) == audit_to(tmp_path / "out", request_)
    else:
        with pytest.raises(InputError, match="its request cannot be read"):
            audit_to(tmp_path / "out", request_)
