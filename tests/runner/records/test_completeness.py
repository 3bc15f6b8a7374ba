"""A run that was stopped is read, and says how many records it lacks."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from corpora import Case
from runner.cli import main
from runner.records.completeness import missing_records
from runner.records.run_folder import ORDER, RUN_FILE, SAMPLES_FILE, RunManifest
from runner.records.samples import VERSION, Sample, SampleFile, case_key
from tests.runner.records.test_samples import SAMPLE

CASES = [Case(name, SAMPLE.source, "f()", benchmark="b", expected="1") for name in "ab"]
MANIFEST = RunManifest("b", "c", (), None, "m", "w", "", 3, None, "plain", False, ("decompose",), "0.1")


def record(case: int, attempt: str = "original", verdict: str = "incorrect", index: int | None = None) -> Sample:
    changes: dict[str, Any] = {"attempt": attempt, "verdict": verdict, "answer_index": index, "id": CASES[case].id}
    return replace(SAMPLE, key=f"{case}{attempt}{index}", case_key=case_key(CASES[case]), action=None, **changes)


def write_run(folder: Path, samples: list[Sample], **settings: object) -> None:
    file = SampleFile(folder / SAMPLES_FILE)
    for sample in samples:
        file.append(sample)
    order = [case_key(case) for case in CASES]
    (folder / RUN_FILE).write_text(json.dumps({"version": VERSION, **asdict(MANIFEST), ORDER: order, **settings}))


@pytest.mark.parametrize(
    ("settings", "samples", "missing"),
    [
        ({}, [record(0, verdict="correct"), record(1, verdict="correct")], 0),
        ({}, [record(0, verdict="correct")], 1),
        ({}, [record(0), record(1)], 2),
        ({}, [record(0), record(1), record(0, "decompose")], 1),
        ({}, [record(0), record(1, verdict="not asked"), record(0, "decompose")], 0),
        ({"recipes": []}, [record(0), record(1)], 0),
        ({"full": True}, [record(0, verdict="correct"), record(1, verdict="not asked")], 2),
        (
            {"temperature": 1.0, "num_samples": 2},
            [record(0, index=0), record(0, verdict="correct", index=1), record(1, verdict="correct", index=0)],
            2,
        ),
    ],
)
def test_what_the_same_command_would_add(
    settings: Mapping[str, object], samples: list[Sample], missing: int, tmp_path: Path
) -> None:
    write_run(tmp_path, samples, **settings)
    assert missing_records(tmp_path, samples) == missing


def test_without_settings_nothing_is_said_to_be_missing(tmp_path: Path) -> None:
    write_run(tmp_path, [record(0)])
    (tmp_path / RUN_FILE).unlink()
    assert missing_records(tmp_path, [record(0)]) == 0


@pytest.mark.parametrize("command", [["report"], ["view", "--output", "page.html"]])
def test_a_record_that_an_interruption_cut_off_is_reported(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "run"
    run.mkdir()
    write_run(run, [record(0, verdict="correct"), record(1, verdict="correct")])
    whole = (run / SAMPLES_FILE).read_bytes()
    (run / SAMPLES_FILE).write_bytes(whole[:-50])
    assert main([*command, "run"]) == 0
    told = "run: 1 record of the run is missing; the same `spellout run` with --output run resumes it\n"
    assert told in capsys.readouterr().err
