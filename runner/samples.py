"""`samples.jsonl`: a record per sample and attempt, one JSON object a line, appended and never rewritten.

A record holds everything that a report or a later look needs: the program as asked, prompt, output, diagnosis, and
how the rewrite was checked. Where a line repeats the key of an earlier one (an output that was recorded later), the
later one counts. What shapes all records of a run stands beside them (`runner.folder`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from corpora import Case
from corpora.errors import InputError

Verdict = Literal["correct", "incorrect", "truncated", "not asked"]
Mode = Literal["free", "forced-actions", "forced"]
MODES: tuple[Mode, ...] = ("free", "forced-actions", "forced")
ORIGINAL = "original"
UNRECORDED = "no recorded output"
VERSION = 4
"""Of the records' form. 1 had neither `version` nor `case`, and keyed what was not asked by its reason; 2 did not say
how an answer was decoded, and 3 not in which mode."""


@dataclass(frozen=True)
class Divergence:
    """Where an output first parts from the true trace: frame index (from 0), kind, and the two texts there."""

    kind: str
    frame: int | None
    true: str
    predicted: str


@dataclass(frozen=True)
class Action:
    """The first hallucinated action of an output, beside the true one (`analyze.diagnosis.divergence.WrongAction`)."""

    frame: int
    true: str
    predicted: str
    after_wrong_state: bool
    in_program: bool


@dataclass(frozen=True)
class Predictions:
    """Mode forced: every prediction judged alone. By kind, how many were right and how many there were.

    wrong: frame and kind of each that was wrong.
    """

    event: tuple[int, int]
    state: tuple[int, int]
    action: tuple[int, int]
    value: tuple[int, int]
    wrong: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Rewrite:
    """What a rewrite did and how it was checked. checked: "same" where both programs were executed and agreed.

    assumes: what it rests on, as the call showed it; tokens, original_tokens: of the true trace, in the default
    vocabulary, None where that is too long to be counted (and in records of before this was noted).
    """

    applied: tuple[tuple[str, int], ...]
    left: tuple[tuple[int, str], ...]
    checked: str
    assumes: tuple[tuple[int, int, str, str], ...] = ()
    tokens: int | None = None
    original_tokens: int | None = None


@dataclass(frozen=True)
class Sample:
    """One attempt at one case. Token counts are in the model's own vocabulary, 0 where nothing was asked.

    key: of this attempt; case: of the case as it came, the same for all attempts at it; truth, answer: the true result
    and the predicted one (reprs; S_n: the last state); block: what the `[ANSWER]` block says, which grading ignores;
    true_tokens: the true trace's length, to be held against max_tokens, None where it is beyond what is counted
    (`analyze.gold_trace.trace.COUNTED`); labels: what of the true trace need not be as CPython 3.10 has it; reason: why
    nothing was asked; isolation: the sandbox level; grading: where the answer is read from a trace; decode: "verified"
    (by drafts) or "plain" (token by token); gap: the least by which a token of the answer was ahead of the next best,
    in nats, None where it is not known; near_tie: whether that is so little that another batch or machine may answer
    otherwise; temperature: 0 for a greedy answer; seed: which of the answers drawn to this question it is, from 0, None
    for a greedy one; mode: what the model wrote, and what was injected (`runner.script`); action: in mode free;
    predictions: in mode forced; version: of the form of this record.
    """

    key: str
    id: str
    benchmark: str
    kind: str
    attempt: str
    model: str
    source: str
    call: str
    expected: str | None
    truth: str
    verdict: Verdict
    answer: str | None
    block: str | None
    reason: str
    prompt: str
    prompt_tokens: int
    true_tokens: int | None
    max_tokens: int
    output: str
    output_tokens: int
    stopped: str
    diagnosis: Divergence | None
    rewrite: Rewrite | None
    labels: tuple[str, ...]
    isolation: str
    case: str = ""
    grading: str = "return"
    decode: str = ""
    gap: float | None = None
    near_tie: bool = False
    temperature: float = 0.0
    seed: int | None = None
    mode: Mode = "free"
    action: Action | None = None
    predictions: Predictions | None = None
    version: int = VERSION

    @property
    def of(self) -> str:
        """The case that this is an attempt at, and which of the answers drawn, for telling samples apart."""
        return (self.case or f"{self.benchmark}/{self.id}") + ("" if self.seed is None else f"#{self.seed}")

    @property
    def asked(self) -> bool:
        """Whether there is an answer to judge: what was not asked, or not recorded, is in no share."""
        return self.verdict != "not asked"


def case_key(case: Case) -> str:
    """What tells cases apart: id, program, call and way of grading. Two rows with one id and two programs are two."""
    return _digest([case.benchmark, case.id, case.source, case.call, case.grading])


def sample_key(model: str, attempt: str, max_tokens: int, case_id: str, case: str, seed: int | None = None) -> str:
    """Equal for equal questions: model, attempt ("original" or a recipe), limit of tokens, id and key of the case.

    seed: of a sampled answer.
    """
    return _digest([model, attempt, max_tokens, case_id, case, *([] if seed is None else [seed])])


def _digest(parts: list[Any]) -> str:
    """16 hexadecimal digits of a SHA-256."""
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


class SampleFile:
    """The records of one run, in memory by key and on disk by line. One process at a time (`runner.folder`)."""

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
    """The records of a run, no key twice, those of version 1 too.

    A last line without its end, which an interruption cut off or a running process is writing, is no record. Raises
    InputError naming any other line that is none.
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
    return _with_cases(samples.values())


def _from_json(row: dict[str, Any]) -> Sample:
    version = row.setdefault("version", 1)
    if version not in range(1, VERSION + 1):
        raise ValueError(f"its version is {version!r}, and this Spellout reads up to {VERSION}")
    diagnosis, raw, labels = row.pop("diagnosis"), row.pop("rewrite"), row.pop("labels")
    action, judged = row.pop("action", None), row.pop("predictions", None)
    predictions = judged and Predictions(
        **{kind: tuple(judged[kind]) for kind in ("event", "state", "action", "value")},
        wrong=tuple((frame, kind) for frame, kind in judged["wrong"]),
    )
    rewrite = raw and Rewrite(
        applied=tuple((name, line) for name, line in raw["applied"]),
        left=tuple((line, reason) for line, reason in raw["left"]),
        checked=raw["checked"],
        assumes=tuple((line, column, text, what) for line, column, text, what in raw.get("assumes", ())),
        tokens=raw.get("tokens"),
        original_tokens=raw.get("original_tokens"),
    )
    return Sample(
        **row,
        diagnosis=diagnosis and Divergence(**diagnosis),
        rewrite=rewrite,
        labels=tuple(labels),
        action=action and Action(**action),
        predictions=predictions,
    )


def _with_cases(samples: Iterable[Sample]) -> list[Sample]:
    """The samples, those of version 1 with the case that they belong to, and each attempt at it once: the last."""
    cases: dict[tuple[str, str, str], str] = {}
    found: dict[tuple[str, str, int | None], Sample] = {}
    for sample in samples:
        if sample.version == 1:
            name = (sample.benchmark, sample.id, sample.call)
            own = _digest([*name, sample.source])  # a rewritten program is another text, and follows its original
            case = cases.setdefault(name, own) if sample.attempt != ORIGINAL else own
            cases[name] = case
            sample = replace(sample, case=case)
        found[sample.case or sample.key, sample.attempt, sample.seed] = sample
    return list(found.values())


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
