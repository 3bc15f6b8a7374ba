"""`spellout run` and `spellout report` on recorded outputs: figures that agree, folders that hold one run."""

import fcntl
import json
import re
from pathlib import Path
from typing import Any

import pytest

from analyze import trace_call
from rewrite import rewrite_source
from runner.cli import main
from runner.records.samples import read_samples

ADD = "def f(x):\n    return x + 1\n"
NESTED = "def f(x):\n    return (x + 1) * (x + 2)\n"
TIMES = "def f(x):\n    return x * 3\n"
END = "<|end_of_text|>"


def right(source: str) -> str:
    return trace_call(source, "f(1)").text + END


def row(name: str, source: str, **more: object) -> dict[str, object]:
    return {"id": name, "code": source, "input": "1", **more}


class Setting:
    """A folder with a data set, a recording and a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cases, self.recording, self.out = folder / "cases.jsonl", folder / "outputs.jsonl", folder / "out"

    def write(self, path: Path, *rows: dict[str, object]) -> None:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def run(self, *options: str) -> int:
        return main(
            ["run", str(self.cases), "--model", f"replay:{self.recording}", "--output", str(self.out), *options]
        )

    def summary(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.out / "summary.json").read_text())["rows"][0]
        return found


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting(tmp_path)


@pytest.fixture
def done(setting: Setting, capsys: pytest.CaptureFixture[str]) -> Setting:
    """A run of two rows, one right, one wrong whose rewrite was not recorded."""
    setting.write(setting.cases, row("a", ADD), row("b", NESTED))
    outputs = row("a", ADD, output=right(ADD)), row("b", NESTED, output=right(NESTED).replace('"6"', '"7"'))
    setting.write(setting.recording, *outputs)
    assert setting.run() == 0
    capsys.readouterr()
    return setting


@pytest.mark.medium
def test_the_run_and_the_report_command_give_the_same_figures(
    done: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(done.out), "--json"]) == 0
    report, summary = json.loads(capsys.readouterr().out), json.loads((done.out / "summary.json").read_text())
    del report["run"], summary["run"]
    assert report == summary


@pytest.mark.medium
def test_rows_that_share_an_id_are_told_apart_by_their_programs(
    setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    setting.write(setting.cases, row("a", ADD), row("a", NESTED), row("a", TIMES))
    outputs = [row("a", ADD, output=""), row("a", NESTED, output=right(NESTED)), row("a", TIMES, output="")]
    setting.write(setting.recording, *outputs)
    assert setting.run() == 0
    assert "33.3% of 3 samples correct" in capsys.readouterr().out
    assert "33.3% of 3 samples correct" in (setting.out / "report.md").read_text()
    assert (setting.summary()["samples"], setting.summary()["correct"]) == (3, 1)
    assert main(["report", str(setting.out)]) == 0
    assert "33.3% of 3 samples correct" in capsys.readouterr().out
    records = read_samples(setting.out / "samples.jsonl")
    assert NESTED not in [sample.source for sample in records if sample.attempt != "original"], (
        "asked again, though right"
    )


def test_a_recording_by_id_alone_for_two_programs_is_refused_with_both_lines(
    setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    setting.write(setting.cases, row("a", ADD), row("b", TIMES), row("a", NESTED))
    setting.write(setting.recording, {"id": "a", "output": right(ADD)})
    assert setting.run() == 2
    said = capsys.readouterr().err
    assert "cases.jsonl:1 and" in said and "cases.jsonl:3 share the id a" in said


def test_a_row_that_repeats_another_is_asked_once_and_named(
    setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    setting.write(setting.cases, row("a", ADD), row("a", ADD), row("b", ADD))
    setting.write(setting.recording, row("a", ADD, output=right(ADD)))
    assert setting.run() == 0
    assert "cases.jsonl:2: duplicate of" in capsys.readouterr().err
    assert setting.summary()["samples"] == 2
    assert "cases.jsonl:2: duplicate of" in (setting.out / "report.md").read_text()


@pytest.mark.medium
@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--max-tokens", "100"], "--max-tokens 8192, not 100"),
        (["--limit", "1"], "--limit none, not 1"),
        (["--recipe", "strings"], "--recipe decompose, not strings"),
        (["--prompt", "bare"], "--prompt none, not bare"),
        (["--decode", "plain"], "--decode verified, not plain"),
        (["--stop-at-divergence"], "--stop-at-divergence off, not on"),
    ],
)
def test_another_run_in_the_same_folder_is_refused_and_says_why(
    done: Setting, capsys: pytest.CaptureFixture[str], options: list[str], difference: str
) -> None:
    before = (done.out / "samples.jsonl").read_bytes()
    assert done.run(*options) == 2
    assert difference in capsys.readouterr().err
    assert (done.out / "samples.jsonl").read_bytes() == before


@pytest.mark.medium
def test_another_model_in_the_same_folder_is_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    done.recording = done.recording.rename(done.folder / "other.jsonl")
    assert done.run() == 2
    assert "--model replay:" in capsys.readouterr().err


@pytest.mark.medium
def test_other_rows_under_the_same_name_are_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    done.write(done.cases, row("a", ADD), row("b", TIMES))
    assert done.run() == 2
    assert "other rows of the data set" in capsys.readouterr().err


@pytest.mark.medium
def test_another_recording_under_the_same_name_is_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    done.write(done.recording, row("a", ADD, output=""), row("b", NESTED, output=""))
    assert done.run() == 2
    assert "has another output for a (original)" in capsys.readouterr().err


@pytest.mark.medium
def test_the_same_command_again_changes_no_record(done: Setting) -> None:
    before = (done.out / "samples.jsonl").read_bytes()
    assert done.run() == 0
    assert (done.out / "samples.jsonl").read_bytes() == before


@pytest.mark.medium
def test_what_had_no_recorded_output_is_asked_once_the_recording_is_completed(
    done: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    assert done.summary()["recovered"] == 0
    rewritten = rewrite_source(NESTED).source
    more = {"id": "b", "attempt": "decompose", "source": rewritten, "call": "f(1)", "output": right(rewritten)}
    done.recording.write_text(done.recording.read_text() + json.dumps(more) + "\n")
    assert done.run() == 0
    said = capsys.readouterr().out
    assert "100.0% after rewriting, which recovered 1 of the 1 failed samples that were asked again" in said
    assert "no recorded output" not in said
    assert len((done.out / "samples.jsonl").read_text().splitlines()) == 4
    assert main(["report", str(done.out)]) == 0
    assert capsys.readouterr().out.splitlines()[0] == said.splitlines()[0], "a key was counted twice"


@pytest.mark.medium
def test_what_rewriting_did_to_the_traces_is_told_in_tokens(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    rewritten = rewrite_source(NESTED).source
    more = {"id": "b", "attempt": "decompose", "source": rewritten, "call": "f(1)", "output": "{}"}
    done.recording.write_text(done.recording.read_text() + json.dumps(more) + "\n")
    assert done.run() == 0
    before, after = trace_call(NESTED, "f(1)").tokens, trace_call(rewritten, "f(1)").tokens
    assert before is not None and after is not None
    said = f"changed the reference traces of 1 sample from {before:,} to {after:,} tokens (×{after / before:.2f};"
    assert re.search(r"decompose +1 +0 \(0–79 %\) +0 ", capsys.readouterr().out)
    assert said in (done.out / "report.md").read_text()


@pytest.mark.medium
def test_a_second_process_in_the_folder_is_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    with (done.out / "run.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert done.run() == 2
    assert "is locked by another process" in capsys.readouterr().err
    assert done.run() == 0, "the lock did not end with who held it"


@pytest.mark.medium
def test_a_folder_of_another_version_is_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    path = done.out / "samples.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({**row, "version": 4}) + "\n" for row in rows))
    assert done.run() == 2 and main(["report", str(done.out)]) == 2
    assert capsys.readouterr().err.count("its version is 4, not 6") == 2


@pytest.mark.medium
def test_a_cut_last_line_is_mended_by_report_too(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    path = done.out / "samples.jsonl"
    before = path.read_bytes()
    path.write_bytes(before + b'{"version": 2, "key": "ha')
    assert main(["report", str(done.out)]) == 0
    assert "50.0% of 2 samples correct" in capsys.readouterr().out
    assert path.read_bytes() == before


@pytest.mark.medium
def test_report_leaves_the_line_that_a_running_process_is_writing(
    done: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    path = done.out / "samples.jsonl"
    half = path.read_bytes() + b'{"version": 2, "key": "ha'
    path.write_bytes(half)
    with (done.out / "run.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["report", str(done.out)]) == 0
    assert path.read_bytes() == half


def test_samples_without_a_recorded_output_have_no_shares(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    setting.write(setting.cases, row("a", ADD), row("b", NESTED))
    setting.write(setting.recording, row("c", ADD, output=""))
    assert setting.run() == 0
    said = capsys.readouterr().out + (setting.out / "report.md").read_text()
    assert "none of the 2 samples was asked" in said and "2 not asked: no recorded output" in said
    assert "0.0%" not in said and "answers is correct" not in said and "cut off while right" not in said


@pytest.mark.medium
@pytest.mark.parametrize(
    "name", ["[/x]", "\x1b[31mred", "\ud800", "<script>alert(1)</script>", "a|b", "x\n\n# heading"]
)
def test_ids_and_names_are_text_in_the_terminal_and_in_the_report(
    setting: Setting, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    fields = {"benchmark": name, "kind": name}
    setting.write(setting.cases, row(name, ADD, **fields), row("b", TIMES, **fields | {"kind": "other"}))
    setting.write(setting.recording, row(name, ADD, output="{}"))
    assert setting.run() == 0
    report = (setting.out / "report.md").read_text()
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err + report and "<script>" not in report
    assert "\n# heading" not in report and "a|b" not in report


@pytest.mark.medium
@pytest.mark.parametrize("place", ["a file", "below a file"])
def test_a_place_that_can_be_no_folder_is_one_line(
    done: Setting, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    done.out = done.cases if place == "a file" else done.cases / "out"
    assert done.run() == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.medium
def test_records_that_are_a_device_are_not_read(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    records = done.out / "samples.jsonl"
    records.unlink()
    records.symlink_to("/dev/zero")
    assert done.run() == 2
    assert "samples.jsonl: is not a regular file" in capsys.readouterr().err


@pytest.mark.medium
def test_the_same_rows_by_another_path_are_the_same_run(done: Setting) -> None:
    done.cases = done.folder / ".." / done.folder.name / "cases.jsonl"
    assert done.run() == 0


@pytest.mark.medium
def test_cases_that_repeat_a_program_and_its_input_under_another_id_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{"id": name, "code": "def f(x):\n    return x", "input": value} for name, value in ("a1", "b1", "c2")]
    cases, outputs = tmp_path / "cases.jsonl", tmp_path / "outputs.jsonl"
    cases.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outputs.write_text("".join(json.dumps({"id": row["id"], "output": ""}) + "\n" for row in rows))
    assert main(["run", str(cases), "--model", f"replay:{outputs}", "--output", str(tmp_path / "run")]) == 0
    said = capsys.readouterr().err
    assert f"{cases}:2: the program and input of {cases}:1" in said
    assert "duplicates: 2 rows repeat a program, 1 of them with the same input" in said


def test_nothing_is_rewritten_where_no_recipe_is_asked_for(setting: Setting) -> None:
    setting.write(setting.cases, row("a", NESTED))
    setting.write(setting.recording, row("a", NESTED, output=right(NESTED).replace('"6"', '"7"')))
    assert setting.run("--recipe", "none") == 0
    assert [sample.attempt for sample in read_samples(setting.out / "samples.jsonl")] == ["original"]
    assert "No program was rewritten." in (setting.out / "report.md").read_text()


LOCAL = "def f(x):\n    y = x + 1\n    return y * (x + 2)\n"


@pytest.mark.medium
def test_the_full_protocol_asks_right_answers_again_too_and_all_after_the_placebo(
    setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = []
    for name, first, again, placebo in (("a", True, False, True), ("b", False, True, True), ("c", True, True, True)):
        source = LOCAL + f"# {name}\n"
        attempts = {
            "original": (source, first),
            "decompose": (rewrite_source(source).source, again),
            "placebo": (rewrite_source(source, "placebo", calls=["f(1)"]).source, placebo),
        }
        for attempt, (text, is_right) in attempts.items():
            output = right(text) if is_right else right(text).replace('"6"', '"7"')
            outputs.append(row(name, text, attempt=attempt, output=output))
    setting.write(setting.cases, *(row(name, LOCAL + f"# {name}\n") for name in "abc"))
    setting.write(setting.recording, *outputs)
    assert setting.run("--full") == 0
    said = capsys.readouterr().out
    assert re.search(r"decompose +3 +66\.7% \(.+\) +66\.7% \(.+\) +1 +1 +1\.000", said)
    assert re.search(r"placebo +3 +66\.7% \(.+\) +100\.0% \(.+\) +1 +0 +1\.000", said)
    gains = "of 3 samples asked before and after, 1 gained, 0 lost, +33.3 points"
    assert f"placebo (renames variables, at equal token count): {gains}" in said
    assert "decompose against the control: of 3 samples asked before and after, 0 gained, 1 lost" in said
    effects = json.loads((setting.out / "summary.json").read_text())["effects"]
    assert [effect["paired"]["lost"] for effect in effects] == [1, 0]
    assert setting.summary()["recovered"] == 1, "table 1 counts as the paper does, and not the placebo"
    assert setting.run() == 2
    assert "--full on, not off" in capsys.readouterr().err


@pytest.mark.parametrize("factor", ["1", "0", "-2", "nan", "inf", "much"])
def test_a_factor_that_would_cut_right_answers_is_refused(
    factor: str, setting: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refusal:
        setting.run("--stop-after", factor)
    assert refusal.value.code == 2
    assert "is not a factor greater than 1" in capsys.readouterr().err


def test_a_seed_for_a_file_is_refused(setting: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    setting.write(setting.cases, row("a", ADD))
    setting.write(setting.recording, row("a", ADD, output=right(ADD)))
    assert setting.run("--seed", "4") == 2
    assert "--seed 4: does not apply to a data set" in capsys.readouterr().err


@pytest.mark.medium
def test_a_folder_with_another_limit_is_refused(done: Setting, capsys: pytest.CaptureFixture[str]) -> None:
    assert done.run("--stop-after", "2") == 2
    assert "--stop-after" in capsys.readouterr().err


@pytest.mark.medium
def test_two_runs_are_compared_by_sample_and_say_in_what_they_differ(
    done: Setting, capsys: pytest.CaptureFixture[str]
) -> None:
    first = done.out
    done.out, done.recording = done.folder / "second", done.folder / "other.jsonl"
    done.write(done.recording, row("a", ADD, output=""), row("b", NESTED, output=right(NESTED)))
    assert done.run("--recipe", "none") == 0
    capsys.readouterr()
    assert main(["report", str(done.out), "--against", str(first)]) == 0
    said = capsys.readouterr().out
    assert "Their settings differ, so only samples of both are compared: --model: replay:" in said
    assert "--recipe: decompose, here none." in said
    assert re.search(r"cases\.jsonl +2 +50\.0% \(.+\) +50\.0% \(.+\) +1 +1 +1\.000", said)
    assert "  a (original): correct → truncated\n" in said and "incorrect → correct: 1" in said


@pytest.mark.medium
@pytest.mark.parametrize("content", [None, "", "{", "[]", "null", '"x"', '{"version": 2}'])
def test_a_run_whose_settings_are_not_known_is_compared_all_the_same(
    done: Setting, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    path = done.out / "run.json"
    path.unlink()
    if content is not None:
        path.write_text(content)
    assert main(["report", str(done.out), "--against", str(done.out)]) == 0
    said = capsys.readouterr().out
    known = content == '{"version": 2}'
    assert known or "Their settings are unknown" in said


@pytest.mark.medium
def test_a_record_says_how_its_answer_was_decoded(done: Setting) -> None:
    assert {sample.decode for sample in read_samples(done.out / "samples.jsonl") if sample.asked} == {"plain"}
