"""What a vocabulary with gaps loses is an error in literals, inputs and targets, and is not asked or exported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyze.auditing.audit import audit
from analyze.hazards.class_levels import level, warning_codes
from analyze.tokens.tokenizer import load_tokenizer
from runner.cli import main
from tests.analyze.tokens.test_lost_characters import with_gaps

ROW = {"code": "def f(s):\n    return s + 'x\\x13'", "input": "'a\\x04'", "output": "'a\x04x\x13'", "id": "1"}
CLEAN = {"code": "def f(s):\n    return s", "input": "'ab'", "output": "'ab'", "id": "2"}


@pytest.fixture
def vocabulary(tmp_path: Path) -> Path:
    path = tmp_path / "tokenizer.json"
    with_gaps("<|endoftext|>").reference.save(str(path))
    return path


def test_literals_inputs_and_targets_are_findings(vocabulary: Path) -> None:
    findings = [one for one in audit([ROW, CLEAN], load_tokenizer(str(vocabulary))) if one.hazard == "LOST"]
    assert {(one.row, one.field) for one in findings} >= {(1, "literal"), (1, "input"), (1, "target")}
    assert {one.row for one in findings} == {1}
    assert all("becomes '<|endoftext|>'" in one.why for one in findings)


def test_the_level_is_error_for_every_family() -> None:
    for family in ("", "cwm", "llama-3"):
        assert level("LOST", family) == "error"
        assert "LOST" in warning_codes(family)


@pytest.mark.medium
def test_the_audit_prints_an_error_with_a_remedy_and_fails(
    vocabulary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "cases.jsonl"
    data.write_text(json.dumps(ROW) + "\n" + json.dumps(CLEAN) + "\n", encoding="utf-8")
    command = ["audit", str(data), "--tokenizer", str(vocabulary), "--select", "LOST", "--fail-on", "warning"]
    assert main(command) == 1
    printed = " ".join(capsys.readouterr().out.split())
    assert "use another character, or a vocabulary with a token for every byte" in printed
    assert "errors, 0 warnings" in printed
    assert main([*command, "--format", "github"]) == 1
    assert "::error title=spellout (LOST)" in capsys.readouterr().out


def test_a_complete_vocabulary_has_no_such_finding(tmp_path: Path) -> None:
    assert [one for one in audit([ROW, CLEAN]) if one.hazard == "LOST"] == []


def test_a_trace_with_a_lost_character_is_dropped_from_a_data_set(
    vocabulary: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, out = tmp_path / "cases.jsonl", tmp_path / "out"
    rows = [{"id": name, "code": f"def f(s):\n    return s + '{name}'", "call": "f('ab')"} for name in ("x", "\x04")]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert main(["traces", str(data), "--format", "qa", "--tokenizer", str(vocabulary), "--output", str(out)]) == 0
    assert "characters without a token" in " ".join(capsys.readouterr().err.split())
