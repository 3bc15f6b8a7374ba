"""A damaged folder of a run is one line that names the file and the line, in every command that reads runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from corpora import Case
from corpora.errors import InputError
from runner import read_run
from runner.cli import main
from runner.records.run_folder import ORDER, RUN_FILE, SAMPLES_FILE, RunManifest
from runner.records.samples import (
    VERSION,
    HallucinatedAction,
    Predictions,
    Sample,
    SampleFile,
    case_key,
)
from tests.runner.records.test_samples import SAMPLE

CASE = Case("a", SAMPLE.source, "f()", benchmark="b", expected="1")
MANIFEST = RunManifest("b", "c", (), None, "m", "w", "", 3, None, "plain", False, ("decompose",), "0.1")
WRONG_VALUES: tuple[Any, ...] = (
    *(None, True, -1, 1.5, 7, float("nan"), float("inf"), 10**400),
    *("", "odd", "\ud800\x1b[2J", [], [1], [[]], {}, {"a": 1}),
)


def sample(**changes: Any) -> Sample:
    whole = replace(
        SAMPLE,
        key="0" * 16,
        case_key=case_key(CASE),
        action=HallucinatedAction(1, "a", "b", after_wrong_state=False, in_program=True),
    )
    return replace(whole, **changes)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("runs") / "run"
    path.mkdir()
    file = SampleFile(path / SAMPLES_FILE)
    file.append(sample(rewrite=None))
    file.append(sample(key="1" * 16, attempt="decompose", verdict="correct", predicted="1"))
    predictions = Predictions((1, 2), (1, 1), (2, 2), (1, 1), ((1, "event"),))
    file.append(sample(key="2" * 16, attempt="placebo", predictions=predictions))
    (path / RUN_FILE).write_text(json.dumps({"version": VERSION, **asdict(MANIFEST), ORDER: [case_key(CASE)]}))
    return path


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all fields of a record, nested ones too."""
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, name)
        if isinstance(inner, dict | list):
            yield from leaves(inner, (*path, name))


def changed(record: dict[str, Any], path: tuple[Any, ...], value: Any) -> str:
    """The record as a line, with another value there; without the field if the value is `...`."""
    copy = json.loads(json.dumps(record))
    target = copy
    for step in path[:-1]:
        target = target[step]
    if value is ...:
        del target[path[-1]]
    else:
        target[path[-1]] = value
    return json.dumps(copy)


RECORD = json.loads(
    json.dumps(asdict(sample(predictions=Predictions((1, 2), (1, 1), (2, 2), (1, 1), ((1, "event"),)))))
)


def damaged_lines() -> Iterator[tuple[str, bytes]]:
    """Names and contents of lines that may be no records."""
    for path in leaves(RECORD):
        shown = ".".join(map(str, path))
        yield f"without {shown}", changed(RECORD, path, ...).encode()
        for number, value in enumerate(WRONG_VALUES):
            yield f"{shown} is wrong value {number}", changed(RECORD, path, value).encode()
    yield "another field", changed(RECORD, ("odd",), 1).encode()
    line = json.dumps(RECORD).encode()
    yield from (
        ("truncated", line[: len(line) // 2]), ("empty", b""), ("null bytes", b"\0" * 80), ("not UTF-8", b'"\xff"'),
        ("a list", b"[]"), ("a number", b"1"), ("null", b"null"), ("nested", b"[" * 100_000), ("text", b"Traceback"),
        ("two records", line + line), ("NaN", b"NaN"), ("byte order mark", b"\xef\xbb\xbf" + line),
    )  # fmt: skip


def refusal(folder: Path, lines: bytes) -> InputError | None:
    """Why the records are refused; None if they are read."""
    (folder / SAMPLES_FILE).write_bytes(lines)
    try:
        read_run(folder)
    except InputError as error:
        return error
    return None


@pytest.mark.medium
def test_every_damaged_line_is_named_and_whatever_is_read_can_be_shown(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (folder / SAMPLES_FILE).read_bytes()
    (tmp_path / "bad").mkdir()
    readable: list[bytes] = []
    for name, line in damaged_lines():
        found = refusal(tmp_path / "bad", good + line + b"\n")
        if found is None:
            readable.append(line)
            continue
        assert found.where == f"{tmp_path / 'bad' / SAMPLES_FILE}:4", name
        assert "not a record of a run" in found.message, name
        assert "\n" not in found.message, name
    assert len(list(damaged_lines())) - len(readable) > 600
    records = [json.loads(line) for line in readable]
    lines = [json.dumps(record | {"key": record["key"] + str(number)}) for number, record in enumerate(records)]
    (tmp_path / "bad" / SAMPLES_FILE).write_bytes(good + "".join(line + "\n" for line in lines).encode())
    for command, _, said in runs(folder, tmp_path, capsys):
        assert "internal error" not in said, command
        assert "Traceback" not in said, command


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("report", "{run}"),
    ("report", "{run}", "--json"),
    ("report", "{run}", "--html"),
    ("report", "{good}", "--against", "{run}"),
    ("report", "{run}", "--against", "{good}"),
    ("diagnose", "{run}/samples.jsonl"),
    ("export", "{run}", "--to", "inspect_ai", "--output", "{tmp}/log.json"),
    ("view", "{run}", "--output", "{tmp}/page.html", "--jobs", "1"),
)


def runs(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[tuple[str, int, str]]:
    """The output on standard error of every command about a folder."""
    for command in COMMANDS:
        words = [word.format(run=tmp_path / "bad", good=folder, tmp=tmp_path) for word in command]
        status = main(words)
        yield " ".join(command), status, capsys.readouterr().err


@pytest.mark.medium
@pytest.mark.parametrize(
    "line", ["1\n", "[]\n", '{"version": 6}\n', "\0\n", changed(RECORD, ("caveats",), {}) + "\n"], ids=range(5)
)
def test_every_command_names_a_damaged_line(
    line: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / SAMPLES_FILE).write_text((folder / SAMPLES_FILE).read_text() + line)
    for command, status, said in runs(folder, tmp_path, capsys):
        if command.startswith("diagnose"):
            assert "internal error" not in said
            continue
        assert status == 2, command
        assert f"{tmp_path / 'bad' / SAMPLES_FILE}:4: not a record of a run" in said, command
        assert len(said.splitlines()) == 1, command


def odd_manifests() -> Iterator[bytes]:
    content = {"version": VERSION, **json.loads(json.dumps(asdict(MANIFEST))), ORDER: [case_key(CASE)]}
    values: tuple[Any, ...] = (None, 7, [[]], {"a": []}, "\ud800")
    for name in content:
        yield from (json.dumps({**content, name: value}).encode() for value in values)
    yield from (b"", b"[]", b"\xff", b"[" * 100_000, b"{", b"\0" * 99, b"NaN")


@pytest.mark.medium
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.exhaustive)])  # in make test, every third
def test_no_command_fails_for_a_damaged_run_json(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], every: int
) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / SAMPLES_FILE).write_bytes((folder / SAMPLES_FILE).read_bytes())
    for number, content in enumerate([*odd_manifests()][::every]):
        (tmp_path / "bad" / RUN_FILE).write_bytes(content)
        chosen = COMMANDS if number % 10 == 0 else COMMANDS[4:5]
        for command in chosen:
            words = [word.format(run=tmp_path / "bad", good=folder, tmp=tmp_path) for word in command]
            status = main(words)
            said = capsys.readouterr().err
            assert status == 0 or "needs inspect_ai" in said, (content[:60], command)
            assert "internal error" not in said and "Traceback" not in said, (content[:60], command)
