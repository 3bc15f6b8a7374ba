"""`spellout trace` and what it refuses."""

import io
import json
from functools import partial
from pathlib import Path

import pytest

from analyze import trace_call
from runner.cli import main

SOURCE = "def f(x):\n    return x + 1\n"


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(SOURCE)
    return str(path)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["trace", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and len(captured.err.splitlines()) == 1
    return captured.err


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.py: no such file" in refusal(capsys, "nowhere.py", "--call", "f()")


def test_a_program_that_does_not_parse_is_named_with_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "broken.py"
    path.write_text("x = 1\ndef f(:\n")
    assert "broken.py:2:" in refusal(capsys, str(path), "--call", "f()")


def test_a_byte_order_mark_is_no_part_of_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "marked.py"
    path.write_text("def f(x): return x\n", encoding="utf-8-sig")
    assert main(["trace", str(path), "--call", "f(1)"]) == 0
    assert "def f(x): return x" in capsys.readouterr().out


def test_a_call_that_does_not_parse_is_named(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--call f(: is not a Python expression" in refusal(capsys, program, "--call", "f(")


def test_an_exception_of_the_program_is_told_and_no_error(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", program, "--call", "f('')"]) == 0
    captured = capsys.readouterr()
    assert "<|exception_sep|>" in captured.out and "raised: TypeError: can only concatenate" in captured.err


def test_the_model_s_format_is_the_default(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", program, "--call", "f(1)"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("<|call_sep|>{}<|action_sep|>def main(): # << START_OF_TRACE\n<|frame_sep|>")
    assert text.endswith('<|return_sep|><|action_sep|>    return f(1)\n<|arg_sep|>"2"<|frame_sep|>\n')


def test_json_has_a_line_a_frame(program: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", program, "--call", "f(1)", "--format", "json"]) == 0
    frames = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [frame["event"] for frame in frames] == ["call", "line", "call", "line", "return", "return"]
    assert frames[-1]["value"] == "2"


def test_a_program_comes_from_standard_input_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(SOURCE))
    assert main(["trace", "-", "--call", "f(1)", "--format", "table"]) == 0
    assert "return x + 1" in capsys.readouterr().out


def test_a_table_ends_at_its_limit_and_says_so(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.commands.trace.TABLE_FRAMES", 2)
    assert main(["trace", program, "--call", "f(1)", "--format", "table"]) == 0
    captured = capsys.readouterr()
    assert "the table shows the first 2 of 6 frames; --format json prints all" in " ".join(captured.err.split())
    assert "return x + 1" not in captured.out


@pytest.mark.medium
@pytest.mark.parametrize("line", ["x = sum(range(10**11))", "while True: pass"])
def test_the_frames_of_a_program_that_does_not_end_are_printed_up_to_the_line_that_does_not(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "endless.py"
    path.write_text(f"def f(n):\n    a = n\n    {line}\n")
    assert main(["trace", str(path), "--call", "f(3)", "--format", "json", "--seconds", "0.5"]) == 3
    captured = capsys.readouterr()
    frames = [json.loads(frame) for frame in captured.out.splitlines()]
    assert frames[-1] == {"event": "line", "source": f"    {line}\n", "state": [["n", ".."], ["a", "3"]], "value": None}
    remark = " ".join(captured.err.split())
    assert "5 frames" in remark and "time limit" in remark and "131072" not in remark


def test_a_trace_that_a_limit_cuts_is_no_success_and_the_limit_is_named(
    program: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runner.commands.trace.trace_call", partial(trace_call, max_frames=2))
    assert main(["trace", program, "--call", "f(1)"]) == 3
    assert "ok, trace incomplete: it exceeds the limit of 2 frames (max_frames)" in " ".join(
        capsys.readouterr().err.split()
    )


def test_the_block_of_a_script_does_not_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "script.py"
    path.write_text(SOURCE + "if __name__ == '__main__':\n    print(f(int(input())))\n")
    assert main(["trace", str(path), "--call", "f(1)", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["value"] == "2"
