"""The schema holds what runs write, and refuses what they do not."""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import pytest

from runner import evaluate
from runner.cli import main
from runner.records.samples import VERSION, Divergence, HallucinatedAction, Predictions, RewriteRecord, Sample, schema
from tests.models import SMALL_TRACER
from tests.runner.records.test_samples import SAMPLE

jsonschema = pytest.importorskip("jsonschema")

WHOLE: dict[str, Any] = {**json.loads(json.dumps(asdict(SAMPLE))), "key": "0" * 16}
ROWS = [
    {"id": "right", "code": "def f(x):\n    return x + 1\n", "input": "1"},
    {"id": "wrong", "code": "def f(x):\n    return (x + 1) * (x + 2)\n", "input": "1", "output": "7"},
    {"id": "raises", "code": "def f(x):\n    raise ValueError(x)\n", "input": "1"},
    {"id": "crashes", "code": "import os\ndef f(x):\n    os._exit(1)\n", "input": "1"},
    {"id": "time", "code": "import time\ndef f(x):\n    return time.time()\n", "input": "1"},
    {"id": "unrecorded", "code": "def f(x):\n    return x\n", "input": "2"},
]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a run in the full protocol writes about programs of every fate."""
    folder = tmp_path_factory.mktemp("records")
    cases, outputs = folder / "cases.jsonl", folder / "outputs.jsonl"
    cases.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    said = [{"id": row["id"], "output": "<|call_sep|>{"} for row in ROWS[:-1]]
    outputs.write_text("".join(json.dumps(row) + "\n" for row in said))
    options = ["--model", f"replay:{outputs}", "--full", "--output", str(folder / "run")]
    assert main(["run", str(cases), *options]) == 0
    return [json.loads(line) for line in (folder / "run" / "samples.jsonl").read_text().splitlines()]


@pytest.mark.medium
def test_every_record_of_a_run_holds_to_the_schema(records: list[dict[str, Any]]) -> None:
    for record in records:
        jsonschema.validate(record, schema())
    assert {record["verdict"] for record in records} >= {"not asked", "truncated"}
    assert any(record["rewrite"] for record in records) and any(record["diagnosis"] for record in records)


def test_the_schema_itself_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(schema())


def test_the_schema_has_the_fields_of_the_records_and_no_others() -> None:
    known = schema()["properties"]
    assert list(known) == schema()["required"] == [field.name for field in fields(Sample)]
    assert known["version"]["const"] == VERSION
    parts = (
        ("diagnosis", Divergence),
        ("rewrite", RewriteRecord),
        ("action", HallucinatedAction),
        ("predictions", Predictions),
    )
    for name, kind in parts:
        inside = known[name]
        assert list(inside["properties"]) == inside["required"] == [field.name for field in fields(kind)]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"verdict": "right"}, id="an unknown verdict"),
        pytest.param({"key": 1}, id="a key that is no text"),
        pytest.param({"more": 1}, id="a field that there is not"),
        pytest.param({"prompt_tokens": -1}, id="a negative count"),
        pytest.param({"rewrite": {"applied": [[1, "x"]], "left": [], "checked": ""}}, id="a pair the wrong way round"),
        pytest.param({"rewrite": {"applied": [["x", 1, 2]], "left": [], "checked": ""}}, id="a pair of three"),
        pytest.param({"diagnosis": {"kind": "state"}}, id="half a diagnosis"),
        pytest.param({"version": VERSION + 1}, id="a later version"),
    ],
)
def test_what_is_no_record_is_refused(wrong: dict[str, Any]) -> None:
    jsonschema.validate(WHOLE, schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(WHOLE | wrong, schema())


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_a_record_without_a_field_is_refused(name: str) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({key: value for key, value in WHOLE.items() if key != name}, schema())


@pytest.mark.medium
@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"mode": "forced-actions"}, id="true actions injected"),
        pytest.param({"mode": "forced"}, id="each prediction alone"),
        pytest.param({"temperature": 0.8, "num_samples": 2}, id="sampled"),
        pytest.param({"stop_at_divergence": True, "full": True}, id="given up at a divergence, all rewritten"),
        pytest.param({"stop_after": 1.1, "decode": "plain"}, id="given up at a length, plainly decoded"),
    ],
)
def test_every_mode_of_a_model_holds_to_it(tmp_path: Path, settings: dict[str, Any]) -> None:
    pytest.importorskip("torch")
    evaluate(str(SMALL_TRACER), ROWS[:2], output=tmp_path, max_tokens=100, **settings)
    records = [json.loads(line) for line in (tmp_path / "samples.jsonl").read_text().splitlines()]
    for record in records:
        jsonschema.validate(record, schema())
    asked = [record for record in records if record["verdict"] != "not asked"]
    assert asked and all(record["mode"] == settings.get("mode", "free") for record in records)
    assert any(record["predictions"] for record in asked) == (settings.get("mode") == "forced")
    assert {record["answer_index"] for record in asked} == ({0, 1} if "num_samples" in settings else {None})
