"""The number of rows for progress bars: exact where it is cheap, None otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.writing.files import write_rows
from runner.inputs.row_counts import count_rows


@pytest.mark.parametrize(("text", "count"), [("", 0), ("{}", 1), ("{}\n", 1), ("{}\n{}", 2)])
def test_lines_are_counted(text: str, count: int, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(text)
    assert count_rows(str(file)) == count


def test_rows_of_parquet_are_counted(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="the extra `datasets` is not installed")
    write_rows([{"a": 1}, {"a": 2}], tmp_path / "rows.parquet")
    assert count_rows(str(tmp_path / "rows.parquet")) == 2


def test_other_sources_are_not_counted(tmp_path: Path) -> None:
    (tmp_path / "broken.parquet").write_text("no")
    sources = ("humaneval", "-", "hf:org/name", str(tmp_path / "none.jsonl"), str(tmp_path / "broken.parquet"))
    assert [count_rows(source) for source in sources] == [None] * 5
