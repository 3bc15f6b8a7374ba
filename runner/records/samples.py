"""`samples.jsonl`: one record per sample and attempt, one JSON object a line, appended and never rewritten.

A record holds what reports and later analyses need: the program as asked, prompt, output, diagnosis, and how the
rewrite was checked. If a line repeats the key of an earlier one (an output that was recorded later), the later one
counts. The settings of the run are in `run.json` (`runner.records.run_folder`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from corpora import Case
from corpora.errors import InputError
from rewrite.baselines.placebo import PLACEBO

Verdict = Literal["correct", "incorrect", "truncated", "not asked"]
Mode = Literal["free", "forced-actions", "forced"]
MODES: tuple[Mode, ...] = ("free", "forced-actions", "forced")
ORIGINAL = "original"
REDRAW = "redraw"
"""Another sampled answer to the unchanged program: the control at temperatures above 0."""
CONTROLS = (PLACEBO, REDRAW)
"""Attempts that intervene in nothing. What they recover counts in no "after intervention"."""
UNRECORDED = "no recorded output"
VERSION = 6
"""Of the record format. Records of other versions are refused."""


@dataclass(frozen=True)
class Divergence:
    """The first divergence of an output from the reference trace.

    Attributes:
        kind: what differs, as `analyze.diagnosis.divergence.DivergenceKind`.
        frame: index in the trace, from 0; None if the output has no such frame.
        reference: the text of the reference trace there.
        predicted: the text of the output there.
    """

    kind: str
    frame: int | None
    reference: str
    predicted: str


@dataclass(frozen=True)
class Action:
    """The first hallucinated action of an output (`analyze.diagnosis.divergence.WrongAction`).

    Attributes:
        frame: index in the trace, from 0.
        reference: the action of the reference trace.
        predicted: the action of the output.
        after_wrong_state: whether a wrong state or value precedes it.
        in_program: whether it is a line of the program.
    """

    frame: int
    reference: str
    predicted: str
    after_wrong_state: bool
    in_program: bool


@dataclass(frozen=True)
class Predictions:
    """Predictions of mode `forced`, each judged alone: (correct, total) by kind.

    Attributes:
        event: of event tokens.
        state: of states.
        action: of source lines.
        value: of returned values.
        wrong: frame index and kind of each wrong one.
    """

    event: tuple[int, int]
    state: tuple[int, int]
    action: tuple[int, int]
    value: tuple[int, int]
    wrong: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Rewrite:
    """What a rewrite changed and how it was checked.

    Attributes:
        applied: intervention and line of each change.
        left: line and reason of each expression that was left alone.
        checked: "same" if both programs were executed and agreed.
        assumes: line, column, expression and fact of each assumption.
        tokens: of the rewritten program's reference trace, in the default vocabulary; None if too long to be counted.
        original_tokens: of the original's.
    """

    applied: tuple[tuple[str, int], ...]
    left: tuple[tuple[int, str], ...]
    checked: str
    assumes: tuple[tuple[int, int, str, str], ...] = ()
    tokens: int | None = None
    original_tokens: int | None = None


@dataclass(frozen=True)
class Sample:
    """One attempt at one case. Token counts use the model's own vocabulary and are 0 if nothing was asked.

    Attributes:
        key: of this attempt.
        id: of the sample in its benchmark or data set; not necessarily unique.
        case_key: of the original case, equal for all attempts at it.
        benchmark: name of the benchmark or file.
        kind: the benchmark's own category, or "".
        attempt: "original", the recipe that rewrote the program, or a control (`CONTROLS`).
        model: the value of `--model`.
        source: the program that was asked about.
        call: the call that was asked about.
        grading: whether the answer is the last returned value or the last state (S_n).
        expected: the benchmark's label, as a repr; None if it has none.
        reference: the result of executing the program, as a repr (S_n: the last state).
        verdict: the grade of `predicted` against `reference`.
        predicted: the result in the output, as a repr; None if there is none.
        answer_block: the content of the output's `[ANSWER]` block.
        answer_verdict: the grade of `answer_block` against `expected` (`reference` without a label), as in the paper;
            None if the prompt format asks for no such block.
        reason: why nothing was asked, or "".
        prompt: the prompt, with special tokens spelled out.
        prompt_tokens: its length.
        reference_tokens: length of the reference trace; None beyond `analyze.gold_trace.trace.MAX_COUNTED_TOKENS`.
        max_tokens: the limit of new tokens.
        output: what the model wrote, with special tokens spelled out.
        output_tokens: its length.
        stopped: what ended the output (`runner.asking.generation.Stopped`).
        decode: "verified" (speculative verification), "plain", or "" if nothing was asked.
        margin: the smallest margin of a chosen token over the next best, in nats; None if unknown.
        near_tie: whether `margin` is so small that another batch or machine may answer otherwise.
        temperature: of sampling; 0 is greedy decoding.
        answer_index: number of the sampled answer, from 0; None for the greedy one.
        mode: what was injected of the reference trace (`runner.asking.forced_modes`).
        diagnosis: the first divergence; None if nothing was asked, or no trace.
        action: the first hallucinated action, in mode `free`.
        predictions: in mode `forced`.
        rewrite: None for the original program.
        caveats: what of the reference trace may differ from CPython 3.10's.
        isolation: level of the sandbox.
        version: of the record format.
    """

    key: str
    id: str
    case_key: str
    benchmark: str
    kind: str
    attempt: str
    model: str
    source: str
    call: str
    grading: str
    expected: str | None
    reference: str
    verdict: Verdict
    predicted: str | None
    answer_block: str | None
    answer_verdict: Verdict | None
    reason: str
    prompt: str
    prompt_tokens: int
    reference_tokens: int | None
    max_tokens: int
    output: str
    output_tokens: int
    stopped: str
    decode: str
    diagnosis: Divergence | None
    rewrite: Rewrite | None
    caveats: tuple[str, ...]
    isolation: str
    margin: float | None = None
    near_tie: bool = False
    temperature: float = 0.0
    answer_index: int | None = None
    mode: Mode = "free"
    action: Action | None = None
    predictions: Predictions | None = None
    version: int = VERSION

    @property
    def of(self) -> str:
        """The case and the number of the answer: equal for all attempts that are compared with each other."""
        return self.case_key + ("" if self.answer_index is None else f"#{self.answer_index}")

    @property
    def asked(self) -> bool:
        """Whether there is an answer to grade."""
        return self.verdict != "not asked"


def case_key(case: Case) -> str:
    """A digest of benchmark, id, program, call and grading; two rows with one id and two programs differ."""
    return _digest([case.benchmark, case.id, case.source, case.call, case.grading])


def sample_key(
    model: str, attempt: str, max_tokens: int, case_id: str, case: str, answer_index: int | None = None
) -> str:
    """Equal for equal questions: model, attempt, limit of new tokens, id and key of the case, number of the answer."""
    return _digest([model, attempt, max_tokens, case_id, case, *([] if answer_index is None else [answer_index])])


def _digest(parts: list[Any]) -> str:
    """16 hexadecimal digits of a SHA-256."""
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class SampleFile:
    """The records of one run, in memory by key and on disk by line.

    One process at a time holds it (`runner.records.run_folder`).
    """

    def __init__(self, path: Path) -> None:
        """Reads what is there. A last line that was cut off by an interruption is dropped; others raise InputError."""
        self.path = path
        self.samples: dict[str, Sample] = {}
        if path.exists():
            if not path.is_file():  # a device would be read without end
                raise InputError("is no file", where=str(path))
            drop_cut_line(path)
            self.samples = {sample.key: sample for sample in read_samples(path)}

    def append(self, sample: Sample) -> None:
        """Writes one record through to the disk before it counts as done. Raises InputError where it cannot."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(sample)) + "\n")
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=str(self.path)) from error
        self.samples[sample.key] = sample


def read_samples(path: Path) -> list[Sample]:
    """The records of a run, the last one of each key.

    A last line without a line end, cut off by an interruption or still being written, is ignored.

    Raises:
        InputError: the file cannot be read, or another line is no record of this version.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read ({error})", where=str(path)) from error
    samples: dict[str, Sample] = {}
    for number, line in enumerate(text.split("\n")[:-1], 1):
        try:
            sample = _from_json(json.loads(line))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise InputError(f"not a record of a run ({error})", where=f"{path}:{number}") from error
        samples[sample.key] = sample
    return list(samples.values())


def _from_json(row: dict[str, Any]) -> Sample:
    if row.get("version") != VERSION:
        raise ValueError(f"its version is {row.get('version')!r}, and this Spellout reads version {VERSION}")
    diagnosis, raw, caveats = row.pop("diagnosis"), row.pop("rewrite"), row.pop("caveats")
    action, judged = row.pop("action"), row.pop("predictions")
    predictions = judged and Predictions(
        **{kind: tuple(judged[kind]) for kind in ("event", "state", "action", "value")},
        wrong=tuple((frame, kind) for frame, kind in judged["wrong"]),
    )
    rewrite = raw and Rewrite(
        applied=tuple((name, line) for name, line in raw["applied"]),
        left=tuple((line, reason) for line, reason in raw["left"]),
        checked=raw["checked"],
        assumes=tuple((line, column, text, what) for line, column, text, what in raw["assumes"]),
        tokens=raw["tokens"],
        original_tokens=raw["original_tokens"],
    )
    return Sample(
        **row,
        diagnosis=diagnosis and Divergence(**diagnosis),
        rewrite=rewrite,
        caveats=tuple(caveats),
        action=action and Action(**action),
        predictions=predictions,
    )


def drop_cut_line(path: Path) -> None:
    """Cut the file after its last whole line. Raises InputError where it cannot be written."""
    try:
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with path.open("r+b") as file:
                file.truncate(whole)
    except OSError as error:
        raise InputError(f"cannot be mended ({error.strerror})", where=str(path)) from error
