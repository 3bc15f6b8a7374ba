"""`samples.jsonl`: one record per sample and attempt, one JSON object per line, append-only.

A record has the program that was asked about, the prompt, the output, its grade and first divergence, and the check of
the rewrite. If two lines have the same key, the later one counts. The settings of the run are in `run.json`
(`runner.records.run_folder`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import fastjsonschema
from fastjsonschema import JsonSchemaValueException

from corpora import Case
from corpora.errors import InputError
from corpora.program import program_text
from corpora.rows import one_line
from rewrite.baselines import PLACEBO

Verdict = Literal["correct", "incorrect", "truncated", "not asked"]
Mode = Literal["free", "forced-actions", "forced"]
MODES: tuple[Mode, ...] = ("free", "forced-actions", "forced")
ORIGINAL = "original"
REDRAW = "redraw"
"""Another sampled answer to the unchanged program: the control at temperatures above 0."""
CONTROLS = (PLACEBO, REDRAW)
"""Attempts that intervene in nothing. What they recover counts in no "after intervention"."""
UNRECORDED = "no recorded output"
UNREAD = "no answer can be read from its output"
"""Why a sample of recorded outputs is in no rate."""
VERSION = 6
"""Version of the record format. Records of other versions cannot be read."""


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
class HallucinatedAction:
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
class RewriteRecord:
    """The changes of a rewrite, and the result of its check.

    Attributes:
        applied: intervention and line of each change.
        left: line and reason of each expression that was left alone.
        checked: "same" if both programs were executed and agreed.
        assumes: line, column, expression and assumed property of each assumption.
        tokens: length of the rewritten program's reference trace in the default vocabulary; None if not counted.
        original_tokens: the same of the original program.
    """

    applied: tuple[tuple[str, int], ...]
    left: tuple[tuple[int, str], ...]
    checked: str
    assumes: tuple[tuple[int, int, str, str], ...] = ()
    tokens: int | None = None
    original_tokens: int | None = None


@dataclass(frozen=True, repr=False)
class Sample:
    """One attempt at one case. Token counts use the model's own vocabulary and are 0 if nothing was asked.

    Attributes:
        key: identifies the attempt.
        id: id of the sample in its benchmark or data set; not necessarily unique.
        case_key: identifies the original case; equal for all attempts at it.
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
        prompt: the prompt, with special tokens as text.
        prompt_tokens: its length.
        reference_tokens: length of the reference trace; None beyond `analyze.gold_trace.trace.MAX_COUNTED_TOKENS`.
        max_tokens: the limit of new tokens.
        output: the output of the model, with special tokens as text.
        output_tokens: its length.
        stopped: why the output ended (`runner.asking.generation.Stopped`).
        decode: "verified" (speculative verification), "plain", or "" if nothing was asked.
        margin: the smallest margin of a chosen token over the next best, in nats; None if unknown.
        near_tie: whether `margin` is so small that another batch size or machine may change the answer.
        temperature: sampling temperature; 0 for greedy decoding.
        answer_index: number of the sampled answer, from 0; None for the greedy one.
        mode: which parts of the reference trace were injected (`runner.asking.forced_modes`).
        diagnosis: the first divergence; None if nothing was asked, or no trace.
        action: the first hallucinated action, in mode `free`.
        predictions: in mode `forced`.
        rewrite: None for the original program.
        caveats: how the reference trace may differ from that of CPython 3.10.
        isolation: level of the sandbox.
        version: version of the record format.
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
    rewrite: RewriteRecord | None
    caveats: tuple[str, ...]
    isolation: str
    margin: float | None = None
    near_tie: bool = False
    temperature: float = 0.0
    answer_index: int | None = None
    mode: Mode = "free"
    action: HallucinatedAction | None = None
    predictions: Predictions | None = None
    version: int = VERSION

    @property
    def program(self) -> str:
        """Identifies the program, whose samples are a cluster in statistics."""
        return program_text(self.source)

    @property
    def pairing_key(self) -> str:
        """Identifies the case and the sampled answer; equal for all attempts that are compared with each other."""
        return self.case_key + ("" if self.answer_index is None else f"#{self.answer_index}")

    def __repr__(self) -> str:
        """Id, attempt and verdict, not the program and the output."""
        return f"Sample({self.id!r}, {self.attempt}: {self.verdict})"

    @property
    def asked(self) -> bool:
        """Whether there is an answer, which was graded."""
        return self.verdict != "not asked"

    @property
    def is_correct(self) -> bool:
        """Whether there is an answer that is right."""
        return self.verdict == "correct"

    def is_asked_again(self, *, full: bool) -> bool:
        """Whether a run rewrites the program and asks again. full: the value of `--full`."""
        return self.verdict in {"incorrect", "truncated"} or (full and self.asked)


def originals(samples: Iterable[Sample]) -> list[Sample]:
    """The attempts at original programs."""
    return [sample for sample in samples if sample.attempt == ORIGINAL]


def case_key(case: Case) -> str:
    """Digest of benchmark, id, program, call and grading, so that rows with the same id but other programs differ."""
    return _digest([case.benchmark, case.id, case.source, case.call, case.grading])


def sample_key(
    model: str, attempt: str, max_tokens: int, case_id: str, case: str, answer_index: int | None = None
) -> str:
    """Digest that is equal for equal questions: same model, attempt, token limit, case and answer index."""
    return _digest([model, attempt, max_tokens, case_id, case, *([] if answer_index is None else [answer_index])])


def _digest(parts: list[Any]) -> str:
    """The first 16 hexadecimal digits of a SHA-256 digest."""
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class SampleFile:
    """The records of one run. `runner.records.run_folder` locks the file for one process.

    Attributes:
        path: the file.
        samples: the records by key.
    """

    def __init__(self, path: Path) -> None:
        """Reads the file, if it exists. A truncated last line is dropped; other malformed lines raise InputError."""
        self.path = path
        self.samples: dict[str, Sample] = {}
        if path.exists():
            if not path.is_file():  # reading a device might never end
                raise InputError("is not a regular file", where=str(path))
            drop_truncated_line(path)
            self.samples = {sample.key: sample for sample in read_samples(path)}

    def append(self, sample: Sample) -> None:
        """Appends one record to the file. Raises InputError if it cannot be written."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(sample)) + "\n")
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=str(self.path)) from error
        self.samples[sample.key] = sample


def read_samples(path: Path) -> list[Sample]:
    """The records in a file; of several with one key, the last.

    A last line without a line end, which is truncated or still being written, is ignored.

    Raises:
        InputError: the file cannot be read, or another line is not a record of this version.
    """
    try:
        lines = path.read_bytes().split(b"\n")[:-1]
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from error
    samples: dict[str, Sample] = {}
    for number, line in enumerate(lines, 1):
        try:
            sample = sample_from_record(json.loads(line, parse_constant=_finite))
        except (ValueError, RecursionError) as error:
            raise InputError(f"not a record of a run ({one_line(error)})", where=f"{path}:{number}") from error
        samples[sample.key] = sample
    return list(samples.values())


def sample_from_record(record: Any) -> Sample:
    """A record from the JSON of one line of a file. Raises ValueError if it is no record of this version."""
    return _from_json(_checked(record))


def _finite(constant: str) -> float:
    """Infinity, which is the margin of a choice without an alternative. Raises ValueError for NaN."""
    if constant == "NaN":
        raise ValueError("NaN is no value")
    return float(constant)


def _checked(record: Any) -> dict[str, Any]:
    """The record, if it has the form that the schema says. Raises ValueError."""
    if isinstance(record, dict) and record.get("version") != VERSION:
        raise ValueError(f"its version is {record.get('version')!r}, not {VERSION}")
    try:
        checked: dict[str, Any] = _validator()(record)
    except JsonSchemaValueException as error:
        raise ValueError(error.message.replace("data", "the record", 1)) from None
    if checked["mode"] == "forced" and checked["verdict"] != "not asked" and checked["predictions"] is None:
        raise ValueError("the record of mode forced has no predictions")
    return checked


@cache
def _validator() -> Callable[[Any], Any]:
    compiled: Callable[[Any], Any] = fastjsonschema.compile(schema())
    return compiled


def schema() -> dict[str, Any]:
    """The JSON Schema of a record."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("samples.schema.json").read_text("utf-8"))
    return found


def _from_json(row: dict[str, Any]) -> Sample:
    diagnosis, raw, caveats = row.pop("diagnosis"), row.pop("rewrite"), row.pop("caveats")
    action, judged = row.pop("action"), row.pop("predictions")
    predictions = judged and Predictions(
        **{kind: tuple(judged[kind]) for kind in ("event", "state", "action", "value")},
        wrong=tuple((frame, kind) for frame, kind in judged["wrong"]),
    )
    rewrite = raw and RewriteRecord(
        **raw | {name: tuple(map(tuple, raw[name])) for name in ("applied", "left", "assumes")}
    )
    return Sample(
        **row,
        diagnosis=diagnosis and Divergence(**diagnosis),
        rewrite=rewrite,
        caveats=tuple(caveats),
        action=action and HallucinatedAction(**action),
        predictions=predictions,
    )


def drop_truncated_line(path: Path) -> None:
    """Truncates the file after its last complete line. Raises InputError if it cannot be written."""
    try:
        content = path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with path.open("r+b") as file:
                file.truncate(whole)
    except OSError as error:
        raise InputError(f"cannot be repaired ({error.strerror})", where=str(path)) from error
