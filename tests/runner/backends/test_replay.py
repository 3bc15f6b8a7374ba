"""Recorded outputs answer for a model, and never for a question that was not recorded."""

import json
from pathlib import Path

import pytest

from corpora.errors import InputError
from runner.backends import Prompt, load_model
from runner.backends.replay import Replay


def recorded(path: Path, *rows: dict[str, object]) -> Replay:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return Replay(path)


def test_a_missing_file_is_one_line_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere"):
        load_model(f"replay:{tmp_path}/nowhere.jsonl")


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', "3"])
def test_a_row_without_id_and_output_is_named_by_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"id": "a", "output": ""}\n' + line + "\n")
    with pytest.raises(InputError, match=r"out\.jsonl:2"):
        Replay(path)


def test_an_unrecorded_question_stays_unanswered(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", "output": "x"})
    (generation,) = replay.generate([Prompt("a", "decompose", ())], 8)
    assert (generation.stopped, generation.text) == ("unrecorded", "")


def test_an_output_that_ran_on_ends_where_a_run_would_have_stopped(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "o.jsonl", {"id": "a", "output": "t [ANSWER] 1 [/ANSWER] Now solve"})
    (generation,) = replay.generate([Prompt("a", "original", ())], 8)
    assert (generation.stopped, generation.text) == ("answer", "t [ANSWER] 1 [/ANSWER]")
