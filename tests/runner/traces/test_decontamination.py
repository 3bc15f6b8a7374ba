"""Overlap with benchmarks: copies are found under other names and inside longer programs, other programs are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpora import load
from corpora.errors import InputError
from runner.traces.decontamination import Overlap, build_index, load_index, save_index
from runner.traces.normalized_tokens import normalize_tokens


def overlap(names: list[str], source: str) -> Overlap | None:
    return build_index(names).overlap(normalize_tokens(source).anonymous)


def test_a_benchmark_that_is_not_there_is_one_line() -> None:
    with pytest.raises(InputError, match="no-such-benchmark: no such file"):
        build_index(["no-such-benchmark"])


def test_a_row_without_a_program_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text('{"text": "no program"}\n')
    with pytest.raises(InputError, match=r"cannot be compared with: .*rows.jsonl:1: it has no program"):
        build_index([str(file)])


@pytest.mark.medium
def test_humaneval_is_found_renamed_and_inside_another_program() -> None:
    case = next(load("humaneval"))
    renamed = case.source.replace("numbers", "values").replace("threshold", "limit").replace("elem", "one")
    found = overlap(["humaneval"], f"def other():\n    return 3\n\n\n{renamed}\n# end\n")
    assert found is not None and (found.item, found.share) == (case.id, 1.0)


@pytest.mark.medium
def test_another_program_hardly_overlaps() -> None:
    found = overlap(["humaneval"], "def f(s, sep):\n    parts = s.rsplit(sep)\n    return sep.join(parts[::-1]) * 2\n")
    assert found is None or found.share < 0.2


def test_the_index_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps({"id": 7, "code": "def f(x):\n    return x + 1"}) + "\n")
    index = build_index([str(file)])
    save_index(index, tmp_path)
    assert load_index(tmp_path) == index
