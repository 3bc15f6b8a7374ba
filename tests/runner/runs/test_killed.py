"""`kill -9` at random moments: the same command goes on, and no sample is lost or asked twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from analyze import trace_call
from corpora import Case, load
from runner.cli import main
from runner.records.samples import read_samples

# The command as it is, but for a pause behind each record, so that a kill comes between two of them, too.
SLOWLY = """
import sys, time
from runner.records import samples
from runner.cli import main
append = samples.SampleFile.append
def slowly(self, sample):
    append(self, sample)
    time.sleep(0.02)
samples.SampleFile.append = slowly
sys.exit(main(sys.argv[1:]))
"""
LENGTHS, SIZE = (1, 2), 12


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Right outputs for every other program of the experiment, wrong ones for the rest."""
    path = tmp_path_factory.mktemp("recording") / "outputs.jsonl"
    cases: list[Case] = [case for n in LENGTHS for case in load("permutations", length=n, size=SIZE)]
    with path.open("w") as file:
        for number, case in enumerate(cases):
            text = trace_call(case.source, case.call, "state").text + "<|end_of_text|>"
            row = {"id": case.id, "output": text if number % 2 else "{}"}
            file.writelines(json.dumps({**row, "answer_index": seed}) + "\n" for seed in (None, 0, 1))
    return path


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def killed(words: Sequence[str], records: Path, after: int, pause: float) -> None:
    """Run the command and kill it a little after it has written so many more records."""
    goal = lines(records) + after
    process = subprocess.Popen(
        [sys.executable, "-c", SLOWLY, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while process.poll() is None and lines(records) < goal:
            time.sleep(0.005)
        assert process.poll() in (None, 0), "the command failed by itself"
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()


# Of the long tests: SPELLOUT_KILLS=50 kills more often.
KILLS = int(os.environ.get("SPELLOUT_KILLS", "5"))
MANY = [pytest.param(KILLS, seed, marks=pytest.mark.slow) for seed in (1, 2)]


@pytest.mark.medium
@pytest.mark.parametrize(("kills", "seed"), [pytest.param(1, 0, id="once"), *MANY])
@pytest.mark.parametrize("command", ["experiment", pytest.param("run", marks=pytest.mark.exhaustive), "sampled"])
def test_a_killed_command_goes_on_without_losing_or_repeating_a_sample(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], recording: Path, command: str, kills: int, seed: int
) -> None:
    chance, out = random.Random(seed), tmp_path / "out"
    model = ["--model", f"replay:{recording}"]
    if command == "experiment":
        words = ["experiment", "permutations", *model, "--num-programs", str(SIZE), "--length", "1", "--length", "2"]
        records = out / "permutations" / "samples.jsonl"
    else:
        model += ["--temperature", "0.5", "--num-samples", "2"] if command == "sampled" else []
        words = [
            "run",
            "permutations",
            *model,
            "--num-programs",
            str(SIZE),
            "--length",
            "1",
            "--full",
            "--recipe",
            "none",
        ]
        records = out / "samples.jsonl"
    assert main([*words, "--output", str(tmp_path / "whole")]) == 0
    unbroken = (tmp_path / "whole" / records.relative_to(out)).read_text()
    told = capsys.readouterr().out
    for _ in range(kills):
        killed([*words, "--output", str(out)], records, chance.randrange(SIZE // 2), chance.random() * 0.05)
        if records.exists() and chance.random() < 0.5:  # as if the last record had been cut in the middle
            whole = records.read_bytes()
            records.write_bytes(whole[: len(whole) - chance.randrange(1, 200)] if whole else whole)
    assert main([*words, "--output", str(out)]) == 0
    assert capsys.readouterr().out == told
    again = records.read_text()
    assert sorted(again.splitlines()) == sorted(unbroken.splitlines()), "a record was lost, repeated or changed"
    assert len({sample.key for sample in read_samples(records)}) == len(again.splitlines())
