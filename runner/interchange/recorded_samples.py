"""Recorded outputs of any harness as samples of a run: matched with programs, graded by execution.

An output that is a trace is graded and diagnosed as in `spellout run`. Any other output is graded by the value that it
predicts (`analyze.diagnosis.direct_values`), and has no first divergence. A sample is identified by program and call,
so that files of two harnesses can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from analyze import Diagnosis, Trace, diagnose, trace_call
from analyze.diagnosis.answer_comparison import final_answer
from analyze.diagnosis.direct_values import grade_output
from analyze.diagnosis.divergence import NO_TRACE
from analyze.diagnosis.parse_output import parse_output
from analyze.diagnosis.predicted_steps import diagnose_steps
from analyze.diagnosis.truncation import is_reference, is_truncated
from analyze.gold_trace.frames import EVENT_SEP, FRAME_SEP
from corpora import BadRow, Case, Row, dependences
from corpora.outputs.format import PREDICTS, text_of
from corpora.outputs.matching import CaseIndex
from corpora.outputs.reading import read_outputs
from runner.records.samples import (
    ORIGINAL,
    UNREAD,
    Divergence,
    HallucinatedAction,
    Sample,
    Verdict,
    case_key,
    sample_key,
)
from runner.runs.grading import action_of, divergence_of, is_raised

TRACE = "trace"
"""How an answer was read, besides the rules of `direct_values`."""
Track = Callable[[list[tuple[Row, Case]]], Iterable[tuple[Row, Case]]]
_Key = tuple[str, str, str, int | None]


@dataclass
class RecordedRun:
    """The graded outputs of a file.

    Attributes:
        format: name of the harness.
        samples: one for each output that could be graded.
        unmatched: outputs that could not be, with the reason.
        repeated: number of outputs that repeat another one for the same program and call, and do not count.
        read_by: number of outputs by what their answer was read from; "" if it could not be read.
    """

    format: str
    samples: list[Sample] = field(default_factory=list)
    unmatched: list[BadRow] = field(default_factory=list)
    repeated: int = 0
    read_by: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class OutputGrade:
    """The grade of an output.

    Attributes:
        verdict: by execution.
        predicted: the value that it predicts; None if it cannot be read.
        read_by: what the value was read from; "" if it cannot be read.
        divergence: the first divergence of a trace.
        action: its first hallucinated action.
        reason: why nothing can be read, if so.
    """

    verdict: Verdict
    predicted: str | None
    read_by: str
    divergence: Divergence | None = None
    action: HallucinatedAction | None = None
    reason: str = UNREAD


def read_recorded(path: Path, cases: Iterable[Case] = (), track: Track = iter) -> RecordedRun:
    """Grades the recorded outputs of a file by executing their programs.

    Args:
        path: as `corpora.outputs.reading.read_outputs` takes it.
        cases: those that outputs without a program of their own may be about.
        track: passes the outputs on as they are graded, to show progress (default: shows none).

    Raises:
        InputError: the file cannot be read, or no program can be run.
    """
    outputs = read_outputs(path)
    run = RecordedRun(outputs.format)
    references: dict[str, Trace | str] = {}
    for row, case in track(list(_matched(outputs.rows, CaseIndex(cases), run))):
        key = _program_key(case)
        trace = references[key] if key in references else references.setdefault(key, _reference(case))
        graded = trace if isinstance(trace, str) else _graded(str(row.fields["output"]), trace, row.fields)
        if isinstance(trace, str) or isinstance(graded, str):
            run.unmatched.append(BadRow(row.number, row.where, str(graded)))
            continue
        run.read_by[graded.read_by] += 1
        run.samples.append(_sample(row, case, trace, graded, path))
    return run


def _matched(rows: Iterable[Row | BadRow], index: CaseIndex, run: RecordedRun) -> Iterator[tuple[Row, Case]]:
    """The outputs with their cases.

    Of several for the same program, call, attempt, model and number, the first counts if all are equal; otherwise all
    are bad.
    """
    found: dict[_Key, list[tuple[Row, Case]]] = {}
    for row in rows:
        if isinstance(row, Row) and row.fields.get("verdict") == "not asked":
            continue  # a record of a run without an answer
        case = row if isinstance(row, BadRow) else index.case_of(row)
        if isinstance(case, BadRow):
            run.unmatched.append(case)
        elif isinstance(row, Row):
            number = row.fields.get("answer_index")
            attempt = str(row.fields.get("attempt", ORIGINAL))
            model = str(row.fields.get("model", ""))
            key = (_program_key(case), attempt, model, number if isinstance(number, int) else None)
            found.setdefault(key, []).append((row, case))
    for same in found.values():
        first = same[0][0]
        if all(row.fields["output"] == first.fields["output"] for row, _ in same):
            run.repeated += len(same) - 1
            yield same[0]
            continue
        reason = f"other output for the program and call of {first.where}: number them (answer_index)"
        run.unmatched.extend(BadRow(row.number, row.where, reason) for row, _ in same)


def _program_key(case: Case) -> str:
    """Equal for equal programs and calls, whatever their ids are."""
    return case_key(Case("", case.source.strip(), case.call.strip(), grading=case.grading))


def _reference(case: Case) -> Trace | str:
    """The reference trace of a case, or why there is none."""
    depends = dependences(case.source, case.call)
    if depends:
        return f"nondeterministic: its result depends on {' and '.join(depends)}"
    return trace_call(case.source, case.call, case.grading)


def _graded(output: str, trace: Trace, fields: Mapping[str, object]) -> OutputGrade | str:
    """The grade of an output, or why it has none."""
    predicts = fields.get(PREDICTS)
    if predicts is not None:
        return grade_steps(diagnose_steps(trace, output, predicts), str(predicts))
    found = diagnose(trace, output)
    if not is_reference(trace, found):
        return trace.missing_reason
    if is_value(output, found, trace):
        return grade_value(output, trace)
    cut = is_truncated(found.answer, found.kind, trace.grading, text_of(fields, "stopped") or "")
    verdict: Verdict = "correct" if found.correct else "truncated" if cut else "incorrect"
    return OutputGrade(verdict, found.answer, TRACE if output.strip() else "", divergence_of(found), action_of(found))


def is_value(output: str, found: Diagnosis, trace: Trace) -> bool:
    """Returns whether an output, diagnosed as this, is no trace, so that it is graded by the value that it predicts.

    `{}` could also begin a trace that was cut off; without a special token it is a value.
    """
    if not output.strip() or parse_output(output, None, trace).frames:
        return False
    return found.kind == NO_TRACE or not any(token in output for token in (FRAME_SEP, *EVENT_SEP.values()))


def grade_untraced(row: Row, output: object, found: Diagnosis, trace: Trace) -> OutputGrade | None:
    """Returns the grade of an output that is no trace, by the value that it predicts; None for any other output.

    A run asks for traces: what it recorded is graded as one.
    """
    if not isinstance(output, str) or "verdict" in row.fields or not is_value(output, found, trace):
        return None
    return grade_value(output, trace)


def grade_steps(found: Diagnosis, predicts: str) -> OutputGrade:
    """The grade of predicted steps, from their diagnosis.

    Args:
        found: The diagnosis (`analyze.diagnosis.predicted_steps`).
        predicts: What the output predicts.
    """
    if found.answer is None:
        return OutputGrade("not asked", None, "", reason=f"{UNREAD}: {found.predicted}")
    return OutputGrade("correct" if found.correct else "incorrect", found.answer, predicts, divergence_of(found))


def grade_value(output: str, trace: Trace) -> OutputGrade:
    """Grades an output that is no trace by the value that it predicts."""
    reference = _reference_value(trace)
    graded = grade_output(reference, output, trace.call)
    if graded is None:
        return OutputGrade("not asked", None, "")
    value, right = graded
    right = right or is_raised(trace, value.text)
    return OutputGrade("correct" if right else "incorrect", value.text, value.rule)


def _reference_value(trace: Trace) -> str:
    """The value that the program gives, also if its trace is too long to be recorded."""
    if trace.cut is not None and trace.grading == "return" and trace.outcome.value is not None:
        return trace.outcome.value
    return final_answer(trace.frames, trace.grading) or ""


def _sample(row: Row, case: Case, trace: Trace, graded: OutputGrade, path: Path) -> Sample:
    text = partial(text_of, row.fields)
    number = row.fields.get("answer_index")
    index = number if isinstance(number, int) else None
    model, attempt, of = text("model") or path.stem, text("attempt") or ORIGINAL, _program_key(case)
    return Sample(
        key=sample_key(model, attempt, 0, case.id, of, index),
        case_key=of,
        **asdict(replace(case, benchmark=case.benchmark or path.name)),
        attempt=attempt,
        model=model,
        reference=_reference_value(trace),
        verdict=graded.verdict,
        predicted=graded.predicted,
        answer_block=None,
        answer_verdict=None,
        reason="" if graded.verdict != "not asked" else graded.reason,
        prompt=text("prompt") or "",
        prompt_tokens=0,
        reference_tokens=None,
        max_tokens=0,
        output=str(row.fields["output"]),
        output_tokens=0,
        stopped=text("stopped") or "",
        decode="",
        diagnosis=graded.divergence,
        rewrite=None,
        caveats=trace.labels,
        isolation=trace.outcome.isolation,
        answer_index=index,
        action=graded.action,
    )


def with_names_of(samples: Iterable[Sample], others: Iterable[Sample]) -> list[Sample]:
    """The samples under the id and benchmark that the same program and call have among others.

    Two harnesses name a sample differently; comparisons pair samples by name, program and call.
    """
    names = {(other.source.strip(), other.call.strip()): other for other in others}
    found = []
    for sample in samples:
        other = names.get((sample.source.strip(), sample.call.strip()), sample)
        found.append(replace(sample, id=other.id, benchmark=other.benchmark, source=other.source, call=other.call))
    return found
