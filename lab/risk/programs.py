"""Programs of several benchmarks with the features of maps and the published outcomes of models.

    python -m lab.risk.programs --data DIR --output PROGRAMS

Needs the files that docs/published_data.md names and LiveCodeBench's forms as StateLens published them. Each program is
traced once, which takes about a second. The same command resumes.

Answers in words: CruxEval by the runs of the panel, LiveCodeBench by three models. Answers with states: CruxEval and
HumanEval by the 32B CWM, CruxEval and MBPP by the embedded model. Of HumanEval's calls that are not among the published
failures, HUMANEVAL are drawn at random; a few of them may be failures, since only half of these are known.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import log1p
from pathlib import Path

from analyze.diagnosis.divergence import diagnose
from analyze.gold_trace.trace import Trace
from analyze.risk.assessment import assess
from analyze.risk.panel import read_panel
from analyze.risk.program_map import program_features
from corpora import Row, read_rows
from corpora.benchmarks.humaneval import cases as humaneval_cases
from corpora.dataset import case_from_row
from corpora.errors import InputError
from corpora.outputs.state_lens import PRELUDE
from corpora.program import Case
from lab.evidence.pairs import ORIGINAL
from lab.pocket.answers import read_answers
from lab.populations import MBPP, POPULATIONS
from lab.published_data import add_data_option
from runner.records.samples import originals
from runner.terminal.console import note, progress_bar

CWM, POCKET = "cwm", "pocket"
MEASURED = Path(__file__).parents[1] / "pocket" / "measured"
"""The folder of the embedded model's published answers."""
HUMANEVAL = 300
SECONDS = 60.0
_CONDITIONS = (ast.If, ast.While, ast.IfExp, ast.BoolOp)
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class MeasuredProgram:
    """A program with its features and outcomes.

    Attributes:
        benchmark: "cruxeval", "livecodebench", "humaneval" or "mbpp".
        id: Of the sample.
        problem: The unit of resampling.
        features: As `analyze.risk.program_map.program_features`, without the panel.
        text: Features that need no trace (`text_features`).
        failed: By model or family of models, the share of its answers that are wrong.
        stated: Whether the answers have states.
    """

    benchmark: str
    id: str
    problem: str
    features: tuple[float, ...]
    text: tuple[float, ...]
    failed: Mapping[str, float]
    stated: bool


@dataclass(frozen=True)
class _ProgramOutcome:
    case: Case
    benchmark: str
    problem: str
    source: str
    failed: Mapping[str, float]
    """By model that answers in words."""
    asked_cwm: bool = False
    output: str | None = None
    """CWM's, if it is a published failure."""
    pocket: float | None = None
    """Whether the embedded model's answer is wrong (1.0), if it was asked."""


def text_features(source: str, call: str) -> tuple[float, ...]:
    """Nine features of the text: lengths, nesting of loops, names, conditions, methods, subscripts, negative numbers.

    >>> len(text_features("def f(a): return a", "f(1)"))
    9
    """
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    names = {node.id for node in nodes if isinstance(node, ast.Name)} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    counts = [
        sum(isinstance(node, kind) for node in nodes) for kind in (_CONDITIONS, ast.Attribute, ast.Subscript, ast.USub)
    ]
    short = sum(len(name) <= 2 for name in names) / max(1, len(names))
    return (log1p(len(source)), log1p(len(call)), float(_nesting(tree)), log1p(len(names)), short, *map(log1p, counts))


def _nesting(node: ast.AST) -> int:
    inner = max((_nesting(child) for child in ast.iter_child_nodes(node)), default=0)
    return inner + isinstance(node, _LOOPS)


def family(run: str) -> str:
    """The family of a run of the panel, by its name up to the first separator.

    >>> family("gpt-4-0613+cot@0.2"), family("Qwen2.5-7B")
    ('gpt', 'qwen2.5')
    """
    return re.split(r"[-_@+ ]", run.lower())[0]


def programs(data: Path) -> list[_ProgramOutcome]:
    """All programs, unmeasured. Raises InputError if a file is missing."""
    failures = {str(fields["id"]): str(fields["output"]) for fields in _fields(data / "cwm_failures_even.jsonl")}
    return [*_cruxeval(data, failures), *_livecodebench(data), *_humaneval(failures), *_mbpp(data)]


def _fields(path: Path) -> Iterator[Mapping[str, object]]:
    yield from (row.fields for row in read_rows(path) if isinstance(row, Row))


def _cruxeval(data: Path, failures: Mapping[str, str]) -> Iterator[_ProgramOutcome]:
    panel = read_panel(data / "panel_even.jsonl.gz")
    wrong = pocket_failures("experiment", "cruxeval")
    runs: dict[str, list[str]] = {}
    for run in panel.failed:
        runs.setdefault(family(run), []).append(run)
    for row in read_rows(data / "cruxeval_even.jsonl"):
        case = case_from_row(row, "cruxeval") if isinstance(row, Row) else None
        if isinstance(case, Case):
            rates = {
                name: sum(panel.failed[run][case.id] for run in some) / len(some)
                for name, some in runs.items()
                if all(case.id in panel.failed[run] for run in some)
            }
            failed = {**rates, "panel": panel.difficulty[case.id]}
            output, pocket = failures.get(case.id), wrong.get(case.id)
            yield _ProgramOutcome(
                case, "cruxeval", case.id, case.source, failed, asked_cwm=True, output=output, pocket=pocket
            )


def _livecodebench(data: Path) -> Iterator[_ProgramOutcome]:
    found: dict[str, tuple[Mapping[str, object], dict[str, float]]] = {}
    for fields in _fields(data / "livecodebench_forms_dev.jsonl.gz"):
        if fields.get("form") == ORIGINAL:
            known = found.setdefault(str(fields["id"]), (fields, {}))
            known[1][str(fields["model"])] = float(not fields["right"])
    for name, (fields, failed) in found.items():
        code, call = str(fields["code"]), str(fields["call"])
        case = Case(name, PRELUDE + code, call, benchmark="livecodebench")
        rates = {**failed, "panel": sum(failed.values()) / len(failed)}
        yield _ProgramOutcome(case, "livecodebench", str(fields["problem"]), code, rates)


def _humaneval(failures: Mapping[str, str]) -> Iterator[_ProgramOutcome]:
    every = list(humaneval_cases())
    others = [case for case in every if case.id not in failures]
    drawn = random.Random(0).sample(others, HUMANEVAL)
    for case in [*(case for case in every if case.id in failures), *drawn]:
        problem = case.id.rpartition("_")[0]
        yield _ProgramOutcome(case, "humaneval", problem, case.source, {}, asked_cwm=True, output=failures.get(case.id))


def _mbpp(data: Path) -> Iterator[_ProgramOutcome]:
    wrong = pocket_failures("repairs", MBPP)
    for one in POPULATIONS[MBPP](data):
        if one.id in wrong:
            case = Case(one.id, one.source, one.call, benchmark=MBPP)
            yield _ProgramOutcome(case, MBPP, one.id, one.source, {}, pocket=wrong[one.id])


def pocket_failures(file: str, population: str) -> dict[str, float]:
    """Whether the embedded model's published answers to unchanged programs are wrong (1.0), by the sample's id."""
    answers = originals(read_answers(MEASURED / f"{file}.jsonl.gz")[population])
    return {one.id: float(not one.is_correct) for one in answers if one.asked and one.answer_index is None}


def measure(program: _ProgramOutcome) -> list[MeasuredProgram]:
    """The program with its features: with answers in words, with states, both or (if its risk is unknown) neither."""
    case = program.case
    found = assess(case.source, case.call, seconds=SECONDS)
    if found.risk is None:
        return []
    features = program_features(found.trace, found.risk, found.string_operations)
    text = text_features(program.source, case.call)
    known = tuple(map(float, features[:-1]))
    measured = MeasuredProgram(program.benchmark, case.id, program.problem, known, text, program.failed, False)
    made = [measured] if program.failed else []
    stated = _stated_failures(program, found.trace)
    return [*made, replace(measured, failed=stated, stated=True)] if stated else made


def _stated_failures(program: _ProgramOutcome, trace: Trace) -> dict[str, float]:
    """By model that answers with states, whether its answer is wrong; without CWM's if it was cut off while right."""
    failed = {} if program.pocket is None else {POCKET: program.pocket}
    if program.asked_cwm:
        kind = "none" if program.output is None else diagnose(trace, program.output).kind if program.output else ""
        if kind != "cut off while right":
            failed[CWM] = float(kind != "none")
    return failed


def read_programs(path: Path) -> list[MeasuredProgram]:
    """The programs that `main` wrote. Raises InputError if there are none."""
    found = [
        MeasuredProgram(**{**fields, "features": tuple(fields["features"]), "text": tuple(fields["text"])})  # type: ignore[arg-type]
        for fields in _fields(path)
        if "benchmark" in fields
    ]
    if not found:
        raise InputError("has no programs", where=str(path))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the programs; returns 0."""
    parser = argparse.ArgumentParser(prog="python -m lab.risk.programs", description=(__doc__ or "").split("\n")[0])
    add_data_option(parser)
    parser.add_argument("--output", type=Path, required=True, metavar="PROGRAMS", help="JSON lines; appended to")
    arguments = parser.parse_args(argv)
    try:
        every = programs(arguments.data)
        done = (
            {(str(one["of"]), str(one["sample"])) for one in _fields(arguments.output) if "of" in one}
            if arguments.output.is_file()
            else set()
        )
    except InputError as error:
        parser.error(str(error))
    left = [one for one in every if (one.benchmark, one.case.id) not in done]
    with progress_bar() as progress, arguments.output.open("a", encoding="utf-8") as file:
        for one in progress.track(left, description="tracing"):
            rows: list[Mapping[str, object]] = [asdict(made) for made in measure(one)]
            rows.append({"of": one.benchmark, "sample": one.case.id})
            file.write("".join(json.dumps(row) + "\n" for row in rows))
            file.flush()
    note(f"{len(every)} programs in {arguments.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
