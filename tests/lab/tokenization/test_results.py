import gzip
from pathlib import Path

import pytest

from corpora.errors import InputError
from lab.tokenization.results import Answer, ModelResult, load_results, save_results


def result(arm: str, verdict: str) -> ModelResult:
    answers = (Answer("string-find-0", "string find", verdict, "" if verdict == "correct" else "state"),)
    return ModelResult(arm, 0, 100, 20_000, 0.5, 0.25, answers)


@pytest.mark.parametrize(
    "content", [None, b"", b"{}", *(gzip.compress(text, mtime=0) for text in (b"[1]", b'[{"arm": 1}]'))]
)
def test_a_file_without_results_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "results.json.gz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match="no results"):
        load_results(path)


def test_results_are_read_as_written(tmp_path: Path) -> None:
    path, results = tmp_path / "results.json.gz", [result("bpe", "correct"), result("characters", "incorrect")]
    save_results(results, path)
    assert load_results(path) == results
    first = path.read_bytes()
    save_results(results, path)
    assert path.read_bytes() == first
