"""JSON documents are read like JSON lines, and one oddity costs one row."""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import BadRow, Row, read_rows
from corpora.reading import json_documents
from tests.places import SHARED

ROWS = [{"id": 1, "code": "def f(a):\n    return a", "input": "1"}, {"id": "ß", "code": "x", "calls": ["f(1)"]}]
LINES = [json.dumps(row) for row in ROWS]


def read(tmp_path: Path, content: str | bytes, name: str = "rows.json") -> list[Row | BadRow]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return list(read_rows(path))


def fields(rows: list[Row | BadRow]) -> list[Any]:
    return [row.fields if isinstance(row, Row) else row.reason for row in rows]


@pytest.mark.parametrize("name", ["rows.json", "rows.jsonl", "rows"])
@pytest.mark.parametrize(
    "content",
    [
        pytest.param(json.dumps(ROWS), id="an array on one line"),
        pytest.param(json.dumps(ROWS, indent=2), id="an array"),
        pytest.param("\n\n" + json.dumps(ROWS, indent=2).replace("\n", "\r\n") + "\n", id="blank lines and CRLF"),
        pytest.param("\ufeff" + json.dumps(ROWS, indent=1), id="byte order mark"),
        pytest.param("[\n" + ",\n".join(LINES) + "\n]\n", id="one item a line"),
        pytest.param(json.dumps({"data": ROWS}, indent=2), id="under one key"),
        pytest.param('{"data": [\n' + ",\n".join(LINES) + "\n]}\n", id="under one key, one item a line"),
        pytest.param("{\n" + json.dumps({"rows": ROWS})[1:], id="under one key, after a line break"),
        pytest.param("\n".join(json.dumps(row, indent=2) for row in ROWS), id="objects over several lines"),
        pytest.param("\n".join(LINES), id="lines"),
        pytest.param("\r".join(LINES).replace("\r", "\r\n"), id="lines with CRLF"),
    ],
)
def test_every_form_is_read(tmp_path: Path, content: str, name: str) -> None:
    assert fields(read(tmp_path, content, name)) == ROWS


def test_an_array_under_one_key_on_one_line(tmp_path: Path) -> None:
    content = json.dumps({"data": ROWS})
    assert fields(read(tmp_path, content)) == fields(read(tmp_path, content, "rows")) == ROWS
    assert fields(read(tmp_path, content, "rows.jsonl")) == [{"data": ROWS}]


def test_places_are_lines_of_the_file(tmp_path: Path) -> None:
    rows = read(tmp_path, '[\n {"a": 1}, {"b":\n 2},\n\n3, {"c": 3}]')
    assert [row.where.removeprefix(f"{tmp_path}/") for row in rows] == [
        "rows.json:2",
        "rows.json:2:12",
        "rows.json:5",
        "rows.json:5:4",
    ]
    assert fields(rows)[2] == "not a JSON object but int"


GOOD = '{"code": "x"}'


@pytest.mark.parametrize(
    ("content", "reasons"),
    [
        (f"[{GOOD}, {GOOD}", ["the document is incomplete"]),
        (f"[\n{GOOD}, {GOOD[:-3]}", ["Unterminated string"]),
        (f"[{GOOD},\n]", ["Expecting value"]),
        (f"[{GOOD} {GOOD}]", ["Expecting ',' or ']'"]),
        (f"[{GOOD}, \0\0, {GOOD}]", ["Expecting value"]),
        (f'[{GOOD}, {{"a": 1, "a": 2}}, {GOOD}]', ["the field 'a' occurs twice"]),
        (f"[{GOOD}, {'[' * 100_000}", ["recursion"]),
        (f'{{"data": [{GOOD}], \n"version": 1}}', ["other fields follow the array"]),
        (f"[{GOOD}]\n[{GOOD}]\nx", ["Expecting value"]),
    ],
)
def test_where_a_document_breaks_off_is_told(tmp_path: Path, content: str, reasons: list[str]) -> None:
    good, *rest = read(tmp_path, content)
    assert isinstance(good, Row)
    found = [row.reason for row in rest if isinstance(row, BadRow)]
    assert len(found) == len(reasons)
    assert all(reason in told for reason, told in zip(reasons, found, strict=True)), found
    assert all("not JSON: " in told and "the rest of the file is not read" in told for told in found)


def test_an_item_that_is_not_utf8_is_one_bad_row(tmp_path: Path) -> None:
    rows = read(tmp_path, b'[{"a": "\xff"}, {"a": "\\udcff"}, {"a": "\xc3\xa9"}]')
    assert fields(rows) == ["not UTF-8", {"a": "\udcff"}, {"a": "é"}]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"code": "x"}\0\0\0', "contains null bytes"),
        (b"\0" * 3000, "contains null bytes"),
        (b'{"code": "x", "code": "y"}', "the field 'code' occurs twice"),
        (b'{"code": "x",}', "not JSON"),
        (b'{"code": "\xff"}', "not UTF-8"),
        (b"[1, 2]", "not a JSON object but list"),
        (b"3", "not a JSON object but int"),
        (b"null", "not a JSON object but NoneType"),
        (b"[" * 100_000, "not JSON"),
        (b'{"a":' * 100_000, "not JSON"),
    ],
)
@pytest.mark.parametrize("first", [True, False])
def test_one_odd_line_is_one_bad_row(tmp_path: Path, line: bytes, reason: str, first: bool) -> None:
    if first and line[:1] not in b"{":
        pytest.skip("a file is recognized by its first line")
    good = GOOD.encode()
    rows = read(tmp_path, b"\n".join([line, good, good] if first else [good, line, good]), "rows.jsonl")
    assert [isinstance(row, BadRow) for row in rows] == ([True, False, False] if first else [False, True, False])
    assert reason in next(row.reason for row in rows if isinstance(row, BadRow))


def test_nan_and_infinity_are_read(tmp_path: Path) -> None:
    (row,) = read(tmp_path, '{"a": NaN, "b": -Infinity}', "rows.jsonl")
    assert isinstance(row, Row)
    assert repr(row.fields) == "{'a': nan, 'b': -inf}"


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.json"])
def test_a_number_beyond_all_floats_is_its_text(tmp_path: Path, name: str) -> None:
    row = '{"id": 1e400, "b": -1e999, "c": 1e3}'
    (found,) = read(tmp_path, row if name == "rows.jsonl" else f"[\n{row}\n]", name)
    assert isinstance(found, Row)
    assert found.fields == {"id": "1e400", "b": "-1e999", "c": 1000.0}


@pytest.mark.medium
def test_a_compressed_document_that_ends_early(tmp_path: Path) -> None:
    rows = [{"code": f"{number}" * 50} for number in range(20_000)]
    whole = gzip.compress(json.dumps(rows, indent=1).encode())
    *good, bad = read(tmp_path, whole[: len(whole) // 2], "rows.json.gz")
    assert len(good) > 1000
    assert isinstance(bad, BadRow)
    assert "the rest of the file cannot be read" in bad.reason


class Trickle(io.BytesIO):
    """A file that returns few bytes at a time, and counts how many are held."""

    def read1(self, size: int | None = -1) -> bytes:
        return super().read1(7)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.dictionaries(st.text(), JSON, max_size=4), min_size=1, max_size=5),
    st.sampled_from([None, 0, 2]),
    st.integers(0, 30),
)
def test_a_document_is_what_json_reads_wherever_it_is_cut(rows: list[Any], indent: int | None, cut: int) -> None:
    content = json.dumps(rows, indent=indent, ensure_ascii=False).encode("utf-8", "surrogatepass")
    found = list(json_documents.document_rows(content[:cut], Trickle(content[cut:]), "rows"))
    if b"\xed" in content and any(isinstance(row, BadRow) for row in found):
        return  # lone surrogates are not UTF-8
    assert [row.fields for row in found if isinstance(row, Row)] == rows


def test_the_published_forms(tmp_path: Path) -> None:
    folder = SHARED / "faults" / "reports"
    if not folder.is_dir():
        pytest.skip("needs the reports of faults")
    for name, good, bad in (
        ("05_json_array/e05_array.json", 3, 0),
        ("05_json_array/e05_array.jsonl", 3, 0),
        ("11_nul_bytes/f04_nul_raw.jsonl", 2, 1),
        ("11_nul_bytes/f05_nul_tail.jsonl", 3, 1),
    ):
        rows = list(read_rows(folder / name))
        assert (sum(isinstance(row, Row) for row in rows), sum(isinstance(row, BadRow) for row in rows)) == (good, bad)
