"""Rows of data sets: everything that can be wrong with one first."""

import csv
import gzip
import io
import json
import math
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import datasets
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from backports import zstd
from hypothesis import given
from hypothesis import strategies as st

from corpora import BadRow, Case, InputError, Row, case_from_row, load, read_rows
from corpora.dataset import is_bare_hub_id
from corpora.reading.in_memory import case_fields
from tests.local_server import serving
from tests.places import ROOT

GOOD = b'{"code": "def f(x):\\n    return x", "input": "1, 2", "output": "3", "id": "a"}'


def cases(path: Path | str, **mapping: str) -> list[Case | BadRow]:
    rows = read_rows(path, mapping)
    return [row if isinstance(row, BadRow) else case_from_row(row) for row in rows]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b"{", "not JSON", id="a line that is no JSON"),
        pytest.param(b"[" * 100_000, "not JSON", id="a line nested too deep"),
        pytest.param(b'{"code": "\xff"}', "not UTF-8: invalid start byte at byte 10", id="a line that is no UTF-8"),
        pytest.param(b"[1]", "not a JSON object but list", id="a line that is no object"),
        pytest.param(b'{"input": "1"}', "no field 'source' or 'code'; it has input", id="a row without a program"),
        pytest.param(b'{"code": "x"}', "no field 'call' or 'input'; it has code", id="a row without a call"),
        pytest.param(b'{"code": null, "input": ""}', "field 'code' is null", id="a program that is null"),
        pytest.param(
            b'{"coed": "x"}',
            "no field 'source' or 'code' (did you mean 'coed'?); it has coed",
            id="a field that is spelled otherwise",
        ),
        pytest.param(b'{"code": 3, "input": ""}', "field 'code' is int, not a string", id="a program that is no text"),
        pytest.param(
            b'{"code": "\\ndef f(:", "input": ""}',
            "the program does not parse: invalid syntax (line 2)",
            id="a program that does not parse",
        ),
        pytest.param(b'{"code": "", "input": "1 2"}', "the call does not parse", id="a call that does not parse"),
        pytest.param(b'{"code": "\\u0000", "input": ""}', "the program does not parse", id="a null character"),
        pytest.param(b'{"code": "f = str", "call": "f()", "grading": "x"}', "field 'grading' is 'x'", id="a grading"),
    ],
)
def test_a_bad_row_says_where_and_why_and_the_rest_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(GOOD + b"\n\n" + line + b"\n" + GOOD)
    first, bad, last = cases(path)
    assert isinstance(bad, BadRow)
    assert bad.where == f"{path}:3"
    assert bad.number == 2
    assert bad.reason.startswith(reason)
    assert "\n" not in bad.reason
    assert first == last == Case("a", "def f(x):\n    return x", "f(1, 2)", "3")


def test_a_row_of_megabytes_is_bad_and_the_next_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corpora.reading.json_lines.MAX_ROW_BYTES", 200)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"code": "' + b"x" * 1000 + b'"}\n' + GOOD)
    bad, good = cases(path)
    assert isinstance(bad, BadRow)
    assert bad.reason == "the row is longer than 200 bytes"
    assert isinstance(good, Case)


@pytest.mark.medium
def test_a_truncated_gzip_file_gives_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    whole = gzip.compress(b"\n".join(GOOD.replace(b'"a"', b'"%d"' % number) for number in range(9999)))
    path.write_bytes(whole[: len(whole) // 2])
    *good, bad = cases(path)
    assert isinstance(bad, BadRow)
    assert "the rest of the file cannot be read" in bad.reason
    assert len(good) > 1000
    assert all(isinstance(case, Case) for case in good)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("nowhere.jsonl", None, "no such file", id="a file that is not there"),
        pytest.param("rows.jsonl.bz2", b"x", "decompress it first", id="a compression that is not read"),
        pytest.param("rows.jsonl.gz", b"not gzip", "is not gzip: its content differs", id="a gzip file that is none"),
        pytest.param("rows.jsonl.gz", b"\x1f\x8b but no more", "cannot be read", id="a broken gzip file"),
        pytest.param(
            "rows.jsonl.zst", b"{}", "is not Zstandard: its content differs", id="a Zstandard file that is none"
        ),
        pytest.param("rows.jsonl.zst", b"\x28\xb5\x2f\xfd...", "cannot be read", id="a broken Zstandard file"),
        pytest.param("rows.jsonl.zst", gzip.compress(GOOD), "is not Zstandard", id="gzip named Zstandard"),
        pytest.param("rows.parquet", b"not parquet", "cannot be read as Parquet", id="a Parquet file that is none"),
        pytest.param("rows.parquet", b"PAR1 and no more", "cannot be read as Parquet", id="a broken Parquet file"),
        pytest.param("rows.jsonl", b"PAR1...", "contains Parquet: use the extension .parquet", id="Parquet named JSON"),
        pytest.param("rows.csv", gzip.compress(b"a,b"), "contains gzip: use the extension .gz", id="gzip named CSV"),
        pytest.param("rows.jsonl", b"PK\x03\x04...", "contains zip", id="a zip file named JSON"),
        pytest.param("rows.jsonl", GOOD.decode().encode("utf-16"), "contains UTF-16", id="UTF-16"),
        pytest.param("rows.jsonl", b"\x7fELF\x00\x01", "is binary, not JSON lines", id="a binary file named JSON"),
        pytest.param("rows", b"\x7fELF\x00\x01", "is binary, not text", id="a binary file without a name"),
        pytest.param("rows.jsonl", b"", "contains no rows", id="an empty file"),
        pytest.param("rows.jsonl", b"\xef\xbb\xbf\r\n \n", "contains no rows", id="a file of blank lines"),
        pytest.param("rows.jsonl.gz", b"", "contains no rows", id="an empty file named gzip"),
        pytest.param("rows.csv", b"code,input\r\n", "contains no rows", id="a header alone"),
        pytest.param("rows.csv", b"code,code\n1,2\n", "the header names 'code' twice", id="a column named twice"),
        pytest.param("rows.csv", b"code,\n1,2\n", "a column without a name", id="a column with no name"),
    ],
)
def test_an_unreadable_source_is_the_users_to_mend(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=message) as raised:
        cases(path)
    assert raised.value.where.removesuffix(":1") == str(path)
    assert "\n" not in str(raised.value)


def test_a_folder_is_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        cases(tmp_path)


def test_swapped_sides_of_a_mapping_are_named() -> None:
    [bad] = read_rows([{"solution": "def f(): pass"}], {"solution": "code"})
    assert isinstance(bad, BadRow) and "did you mean code=solution?" in bad.reason


def test_mapping_renames_and_a_column_that_is_not_there_is_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"solution": "x = 1", "call": "x"}\n{"call": "x"}\n')
    good, bad = cases(path, code="solution")
    assert isinstance(good, Case)
    assert (good.source, good.call, good.expected, good.id) == ("x = 1", "x", None, "1")
    assert isinstance(bad, BadRow)
    assert bad.reason == "no field 'solution'; it has call"


FIELDS = [{"source": f"x = {number}\ny = 'ü,\"'", "call": "x", "expected": str(number)} for number in range(600)]


def as_json_lines(end: str = "\n") -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + end for row in FIELDS).encode()


def as_csv(delimiter: str = ",", end: str = "\r\n") -> bytes:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(FIELDS[0]), delimiter=delimiter, lineterminator=end)
    writer.writeheader()
    writer.writerows(FIELDS)
    return text.getvalue().encode()


def as_parquet() -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(FIELDS), file)
    return file.getvalue()


MARK = b"\xef\xbb\xbf"
FORMS = {
    "rows.jsonl": as_json_lines(),
    "mark.jsonl": MARK + as_json_lines("\r\n"),
    "rows.csv": as_csv(),
    "mark.csv": MARK + as_csv(end="\n"),
    "rows.tsv": as_csv("\t"),
    "rows.parquet": as_parquet(),
}
PACKED = {"": lambda content: content, ".gz": gzip.compress, ".zst": zstd.compress}


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_rows_packed_or_not(tmp_path: Path, name: str, packed: str) -> None:
    path = tmp_path / (name + packed)
    path.write_bytes(PACKED[packed](FORMS[name]))
    assert [row.fields for row in read_rows(path) if isinstance(row, Row)] == FIELDS


@pytest.mark.parametrize("packed", PACKED)
@pytest.mark.parametrize("name", [name for name in FORMS if not name.endswith(".tsv")])
def test_standard_input_is_told_by_its_content(name: str, packed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PACKED[packed](FORMS[name]))))
    rows = list(read_rows("-"))
    assert [row.fields for row in rows if isinstance(row, Row)] == FIELDS
    assert rows[0].where.startswith("standard input:")


def test_a_pipe_with_a_name_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(as_json_lines()))
    writer.start()
    assert [row.fields for row in read_rows(pipe) if isinstance(row, Row)] == FIELDS
    writer.join()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b"1", "1 cells under a header of 2", id="a cell too few"),
        pytest.param(b"1,2,3", "3 cells under a header of 2", id="a cell too many"),
        pytest.param(b"\xff,2", "not UTF-8: field 'code'", id="a cell that is no UTF-8"),
        pytest.param(b'"a"b,2', "not CSV: ',' expected after", id="text after a quote"),
    ],
)
def test_a_bad_record_says_where_and_why_and_the_rest_is_read(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b'code,call\n"x\n= 1",x\n' + line + b"\nx,y\n")
    first, bad, last = read_rows(path)
    assert isinstance(bad, BadRow)
    assert (bad.where, bad.number) == (f"{path}:4", 2)
    assert bad.reason.startswith(reason)
    assert isinstance(first, Row) and isinstance(last, Row)
    assert (first.fields["code"], last.where, last.fields) == ("x\n= 1", f"{path}:5", {"code": "x", "call": "y"})


def test_a_quote_that_is_never_closed_is_a_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(b'code,call\nx,y\n"x,y\nx,y\n')
    _, bad = read_rows(path)
    assert isinstance(bad, BadRow) and bad.reason.startswith("not CSV")


OBJECTS: dict[str, Callable[[], Any]] = {
    "a list of dicts": lambda: FIELDS,
    "a generator of dicts": lambda: (dict(row) for row in FIELDS),
    "a pandas data frame": lambda: pandas.DataFrame(FIELDS),
    "an Arrow table": lambda: pa.Table.from_pylist(FIELDS),
    "a data set": lambda: datasets.Dataset.from_list(FIELDS),
    "a streamed data set": lambda: datasets.Dataset.from_list(FIELDS).to_iterable_dataset(),
    "rows": lambda: [Row(number, "here", row) for number, row in enumerate(FIELDS, 1)],
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_are_data_sets_too(kind: str) -> None:
    assert [dict(row.fields) for row in read_rows(OBJECTS[kind]()) if isinstance(row, Row)] == FIELDS


def test_what_is_missing_in_a_data_frame_is_none() -> None:
    frame = pandas.DataFrame(
        {"source": ["x = 1", "x"], "call": ["x", None], "id": [1, None], "expected": ["1", math.nan]}
    )
    good, bad = (case_from_row(row) for row in read_rows(frame) if isinstance(row, Row))
    assert isinstance(good, Case) and (good.expected, good.id) == ("1", "1.0")
    assert isinstance(bad, BadRow) and bad.where == "row 2" and bad.reason == "field 'call' is null"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        pytest.param({"code": ["x"]}, "pass a list of mappings", id="a dict"),
        pytest.param(
            datasets.DatasetDict(test=datasets.Dataset.from_list(FIELDS)), "choose a split: it has test", id="splits"
        ),
        pytest.param(7, "int contains no rows", id="a number"),
        pytest.param(b"rows.jsonl", "bytes contains no rows", id="bytes"),
    ],
)
def test_an_object_that_is_no_data_set_is_refused(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        list(read_rows(source))


def test_an_item_that_is_no_mapping_is_a_bad_row() -> None:
    assert list(read_rows(["code"])) == [BadRow(1, "row 1", "str, not a mapping")]


@pytest.mark.medium
def test_benchmarks_are_data_sets_and_give_their_cases() -> None:
    rows = list(read_rows("humaneval"))
    assert rows[0].where == "humaneval:1"
    assert [case_from_row(row) for row in rows if isinstance(row, Row)] == list(load("humaneval"))
    assert [case_from_row(row) for row in read_rows(load("humaneval")) if isinstance(row, Row)] == list(
        load("humaneval")
    )


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("org/name", True),
        ("org/name:test", True),
        ("org/rows.jsonl", False),
        ("org/rows.csv.gz", False),
        ("../name", False),
        ("./name", False),
        ("name", False),
        ("/name", False),
        ("a/b/c", False),
    ],
)
def test_a_bare_hub_id_is_told_from_a_path(name: str, bare: bool) -> None:
    assert is_bare_hub_id(name) is bare


class Refusing(BaseHTTPRequestHandler):
    """A hub that has nothing, and notes what it was asked."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_error(404)

    do_HEAD = do_GET  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def hub() -> Iterator[str]:
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Refusing)) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.medium
def test_a_hub_that_answers_no_is_asked_once_and_told_in_one_line(hub: str) -> None:
    Refusing.asked.clear()
    names = ["hf:org/name", "org/name", "hf:org/name:test"]
    code = (
        f"import corpora, sys\nfor name in {names}:\n    print('next', file=sys.stderr)\n"
        "    try: list(corpora.read_rows(name))\n    except corpora.InputError as e: print(e)"
    )
    here = {**os.environ, "HF_ENDPOINT": hub, "HF_HUB_OFFLINE": "0", "no_proxy": "*"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=here, capture_output=True, text=True, timeout=120, check=True
    )
    for name, told in zip(names, done.stdout.splitlines(), strict=True):
        assert told.startswith(name)
        assert "cannot be loaded from the Hugging Face hub: " in told and "404" in told
    assert [path for path in Refusing.asked if "org/name" in path] == ["/api/datasets/org/name"] * 3
    _, *warnings = done.stderr.split("next\n")
    assert ["write hf:org/name" in warning for warning in warnings] == [False, True, False]


@pytest.mark.medium
def test_what_was_fetched_before_is_read_without_a_hub(tmp_path: Path) -> None:
    """A folder stands in for what was fetched: the package reads both by the same name."""
    (tmp_path / "org" / "name").mkdir(parents=True)
    (tmp_path / "org" / "name" / "train.jsonl").write_bytes(GOOD + b"\n")
    code = "import corpora\nfor name in ('hf:org/name', 'hf:org/name:train'): print(list(corpora.read_rows(name)))"
    here = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=here, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    one, other = done.stdout.splitlines()
    assert one == other and "where='org/name:train:1'" in one and "'input': '1, 2'" in one


@pytest.mark.parametrize("name", ["hf:", "hf:../x", "hf:a/b/c", "hf:a b", "hf:a/b:"])
def test_a_hub_id_that_is_none_is_refused_without_asking(name: str) -> None:
    with pytest.raises(InputError, match="is not hf:org/name"):
        list(read_rows(name))


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(TEXTS, TEXTS, st.none() | TEXTS, TEXTS, st.sampled_from(["return", "state"]))
def test_a_case_survives_being_written_and_read(
    name: str, comment: str, expected: str | None, kind: str, grading: str
) -> None:
    source = f"f = str\nvalue = {comment!r}"
    case = Case(name, source, f"f({comment!r})", expected, "made", kind, grading)  # type: ignore[arg-type]
    row = Row(1, "here:1", json.loads(json.dumps(case_fields(case))))
    assert case_from_row(row) == case
