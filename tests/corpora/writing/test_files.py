"""What the writer writes, the readers read: every format, packed and not; and what a failed write leaves behind."""

import gzip
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpora import InputError, Row, read_rows
from corpora.writing.files import write_rows
from corpora.writing.locks import locked_target
from corpora.writing.parquet import ROW_GROUP_SIZE
from tests.places import ROOT

ODD_TEXTS = ["a,b", 'a"b', "a\nb", "a\r\nb", "\r", "\t"]
TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(ODD_TEXTS)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=6
)
NAMES = st.sampled_from(["code", "call", "naïve name", "\ufeffmark", "a,b"])
ROWS = st.lists(st.dictionaries(NAMES, VALUES, min_size=1), min_size=1, max_size=4)
PACKINGS = ["", ".gz", ".zst"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


def written(path: Path, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    assert write_rows(rows, path) == len(rows)
    return list(fields(read_rows(path)))


def fields(rows: Iterator[Any]) -> Iterator[dict[str, Any]]:
    for row in rows:
        assert isinstance(row, Row), row
        yield dict(row.fields)


def all_columns(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name) for name in names} for row in rows]


@pytest.mark.parametrize("packing", PACKINGS)
@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_json_lines_round_trip(folder: Path, packing: str, rows: list[dict[str, Any]]) -> None:
    assert repr(written(folder / f"rows.jsonl{packing}", rows)) == repr(rows)


@pytest.mark.parametrize("packing", PACKINGS)
@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_parquet_round_trips_with_null_for_a_missing_field(
    folder: Path, packing: str, rows: list[dict[str, Any]]
) -> None:
    pytest.importorskip("pyarrow")
    assert repr(written(folder / f"rows.parquet{packing}", rows)) == repr(all_columns(rows))


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_parquet_columns_of_one_type_stay_native(folder: Path, data: st.DataObject) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    values = data.draw(st.lists(st.text("ab"), min_size=1))
    lists = data.draw(st.lists(st.lists(st.integers(0, 9)), min_size=len(values), max_size=len(values)))
    rows = [{"text": value, "ids": ids} for value, ids in zip(values, lists, strict=True)]
    assert written(folder / "native.parquet", rows) == rows
    assert parquet.read_table(folder / "native.parquet").to_pylist() == rows


def test_parquet_types_hold_over_batches(folder: Path) -> None:
    pytest.importorskip("pyarrow")
    rows: list[dict[str, Any]] = [{"n": None, "ids": [], "odd": 1} for _ in range(ROW_GROUP_SIZE + 9)]
    rows += [{"n": 7, "ids": [1, 2], "odd": "one"}, {"n": 2, "ids": [], "odd": {}}]
    assert written(folder / "batches.parquet", rows) == rows


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@settings(max_examples=40, deadline=None)
@given(ROWS)
def test_csv_round_trips_as_text(folder: Path, suffix: str, packing: str, rows: list[dict[str, Any]]) -> None:
    rows = [json.loads(json.dumps(row).replace("\\u0000", "")) for row in rows]

    def cell(value: object) -> str:
        return "" if value is None else value if isinstance(value, str) else json.dumps(value)

    expected = [{name: cell(value) for name, value in row.items()} for row in all_columns(rows)]
    assert written(folder / f"rows{suffix}{packing}", rows) == expected


def test_floats_that_are_no_numbers_round_trip(folder: Path) -> None:
    for suffix in (".jsonl", ".parquet"):
        [row] = written(folder / f"nan{suffix}", [{"x": math.nan, "y": [math.inf, 1]}])
        assert math.isnan(row["x"])
        assert row["y"] == [math.inf, 1]


def test_lone_surrogates_are_kept_or_refused(folder: Path) -> None:
    rows = [{"text": "a\ud800b"}]
    assert written(folder / "surrogate.jsonl", rows) == rows
    assert written(folder / "surrogate.parquet", rows) == rows
    with pytest.raises(InputError, match=r"row 1, field 'text' has a lone surrogate, which CSV cannot represent"):
        write_rows(rows, folder / "surrogate.csv")
    with pytest.raises(InputError, match=r"a NUL character"):
        write_rows([{"text": "a\0b"}], folder / "nul.csv")
    with pytest.raises(InputError, match="a name for every field"):
        write_rows([{"": 1}], folder / "unnamed.csv")
    assert not (folder / "surrogate.csv").exists()


@pytest.mark.parametrize("name", ["rows.txt", "rows", "rows.bz2", "rows.gz", "rows.jsonl.xz", "rows.json.bak"])
def test_an_unknown_extension_is_refused_at_once(tmp_path: Path, name: str) -> None:
    rows = iter([{"id": 1}])
    with pytest.raises(InputError, match=r"its extension is not supported: use \.jsonl"):
        write_rows(rows, tmp_path / name)
    assert next(rows) == {"id": 1}
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".jsonl.gz"])
def test_an_error_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    path.write_text("old")

    def rows() -> Iterator[dict[str, int]]:
        yield {"id": 1}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(rows(), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    others = {".rows.jsonl.tmp", ".rows.jsonl.0123456z.tmp", ".other.jsonl.01234567.tmp", ".rows.jsonl.01234567.tmp.gz"}
    for name in {*others, ".rows.jsonl.01234567.tmp", ".rows.jsonl.89abcdef.tmp"}:
        (tmp_path / name).touch()
    with locked_target(tmp_path / "rows.jsonl"), pytest.raises(InputError):
        write_rows([{"a": 1}], tmp_path / "rows.jsonl")
    assert (tmp_path / ".rows.jsonl.01234567.tmp").exists()
    write_rows([{"a": 1}], tmp_path / "rows.jsonl")
    assert {path.name for path in tmp_path.iterdir()} == {*others, "rows.jsonl"}


def test_a_replaced_file_keeps_its_mode_and_a_link_its_target(tmp_path: Path) -> None:
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_rows([{"id": 1}], link)
    assert link.is_symlink()
    assert real.read_text() == '{"id": 1}\n'
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    write_rows([{"id": 1}], tmp_path / "new.jsonl")
    (tmp_path / "usual").touch()
    assert (tmp_path / "new.jsonl").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows.jsonl: cannot be written: No such file"):
        write_rows([{"id": 1}], tmp_path / "no" / "rows.jsonl")


def test_a_folder_of_that_name_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").mkdir()
    with pytest.raises(InputError, match="is a directory"):
        write_rows([{"id": 1}], tmp_path / "rows.jsonl")


def test_a_special_file_is_written_to_directly(tmp_path: Path) -> None:
    command = (
        "from corpora.writing.files import write_rows; "
        "write_rows([{'id': 1}], '/dev/stdout'); write_rows([{'id': 2}], '/dev/null')"
    )
    done = subprocess.run([sys.executable, "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == '{"id": 1}\n'


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    write_rows([{"id": 1}], tmp_path / "a.jsonl.gz")
    os.utime(tmp_path / "a.jsonl.gz", (0, 0))
    write_rows([{"id": 1}], tmp_path / "b.jsonl.gz")
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == b'{"id": 1}\n'


def test_standard_output_gets_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    write_rows([{"id": 1}, {"id": "ü"}], "-")
    assert capsys.readouterr().out == '{"id": 1}\n{"id": "\\u00fc"}\n'
