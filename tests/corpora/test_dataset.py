"""Rows of data sets: everything that can be wrong with one first."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora import BadRow, Case, InputError, Row, case_from_row, read_rows
from corpora.records import case_line

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
        pytest.param(b'{"code": 3, "input": ""}', "field 'code' is int, not text", id="a program that is no text"),
        pytest.param(
            b'{"code": "\\ndef f(:", "input": ""}',
            "the program does not parse: invalid syntax, its line 2",
            id="a program that does not parse",
        ),
        pytest.param(b'{"code": "", "input": "1 2"}', "the call does not parse", id="a call that does not parse"),
        pytest.param(b'{"code": "\\u0000", "input": ""}', "the program does not parse", id="a null character"),
        pytest.param(b'{"code": "", "call": "f()", "grading": "x"}', "field 'grading' is 'x'", id="unknown grading"),
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
    monkeypatch.setattr("corpora.dataset.LONGEST_ROW", 200)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"code": "' + b"x" * 1000 + b'"}\n' + GOOD)
    bad, good = cases(path)
    assert isinstance(bad, BadRow)
    assert bad.reason == "the row is longer than 200 bytes"
    assert isinstance(good, Case)


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
        pytest.param("rows.zst", b"x", "unpack it first", id="a compression that is not read"),
        pytest.param("rows.jsonl.gz", b"not gzip", "cannot be read", id="a gzip file that is none"),
        pytest.param("rows.parquet", b"not parquet", "cannot be read as Parquet", id="a Parquet file that is none"),
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
    assert raised.value.where == str(path)
    assert "\n" not in str(raised.value)


def test_a_folder_is_no_data_set(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        cases(tmp_path)


def test_mapping_renames_and_a_column_that_is_not_there_is_a_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"solution": "x = 1", "call": "x"}\n{"call": "x"}\n')
    good, bad = cases(path, code="solution")
    assert isinstance(good, Case)
    assert (good.source, good.call, good.expected, good.id) == ("x = 1", "x", None, "1")
    assert isinstance(bad, BadRow)
    assert bad.reason == "no field 'solution'; it has call"


def test_gzip_and_parquet_give_the_same_rows(tmp_path: Path) -> None:
    fields = [{"source": f"x = {number}", "call": "x", "expected": str(number)} for number in range(600)]
    pq.write_table(pa.Table.from_pylist(fields), tmp_path / "rows.parquet")
    with gzip.open(tmp_path / "rows.jsonl.gz", "wt") as file:
        file.writelines(json.dumps(row) + "\n" for row in fields)
    parquet = [row.fields for row in read_rows(tmp_path / "rows.parquet") if isinstance(row, Row)]
    packed = [row.fields for row in read_rows(tmp_path / "rows.jsonl.gz") if isinstance(row, Row)]
    assert parquet == packed == fields


TEXTS = st.text(st.characters(exclude_categories=("Cs",)))


@given(TEXTS, TEXTS, st.none() | TEXTS, TEXTS, st.sampled_from(["return", "state"]))
def test_a_case_survives_being_written_and_read(
    name: str, comment: str, expected: str | None, kind: str, grading: str
) -> None:
    source = f"value = {comment!r}"
    case = Case(name, source, f"f({comment!r})", expected, "made", kind, grading)  # type: ignore[arg-type]
    row = Row(1, "here:1", json.loads(case_line(case)))
    assert case_from_row(row) == case
