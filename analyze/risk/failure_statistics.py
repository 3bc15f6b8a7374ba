"""The paper's failure analyses, for the diagnoses of any run and of the published outputs.

    type_table     output types among the wrong answers, compared with the benchmark (Tables 2 and 3)
    taxonomy       wrong and truncated answers by type and first divergence (Figure 2)
    catalogue      failures by type and cause (Appendix E)
    truncations    truncated outputs by whether the reference trace fits, and why it is long (Table 9)

Causes are derived from the line whose frame is the first wrong one. They describe the model's first error and are not a
human judgement.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, get_args

from analyze.cost.token_budget import trace_budget
from analyze.cost.truncation_patterns import patterns
from analyze.diagnosis.answer_comparison import same_value
from analyze.diagnosis.divergence import DIVERGENCE_KINDS, Diagnosis, DivergenceKind
from analyze.diagnosis.truncation import is_truncated
from analyze.gold_trace.trace import Trace
from analyze.operations.catalogue import methods
from analyze.operations.operation import Kind, Operation
from corpora.literals import parse_literal
from corpora.program import Case

Status = Literal["right", "wrong", "truncated"]
Cause = Literal[
    "method semantics",
    "index and slice",
    "list mutation",
    "counter and range",
    "dictionary and format",
    "copying and joining",
    "condition",
    "other",
    "none: the trace is right",
]
CAUSES: tuple[Cause, ...] = get_args(Cause)
"""In the order of Tables 4 to 8; the last four are not in the paper."""


def _is_change(method: Operation) -> bool:
    return method.mutates is not None


_OF_DICTS = (methods("dict") - methods("list")) | {"format"}
_CHANGES = (methods("list", _is_change) | methods("set", _is_change)) - _OF_DICTS
_CHANGES_ITS_RECEIVER = _CHANGES | methods("dict", _is_change)
_OF_STRINGS = methods("str", lambda one: one.kind not in (Kind.JOIN, Kind.FORMAT, Kind.ENCODE))


@dataclass(frozen=True)
class FailureCase:
    """One output, classified.

    Attributes:
        id: Id of the program.
        benchmark: Name of the benchmark.
        type: Type of the reference result, such as "str".
        status: "right", "wrong", or "truncated" if the output reached no final answer.
        kind: Kind of the first divergence.
        cause: The cause, by the statement in `line`.
        line: The statement whose effect the first wrong frame shows.
        expected: The reference result.
        predicted: The answer; None if there is none.
        fits: Whether the reference trace is within the budget.
        patterns: Patterns of Table 9 in the reference trace of a truncated output.
    """

    id: str
    benchmark: str
    type: str
    status: Status
    kind: DivergenceKind
    cause: Cause
    line: str
    expected: str
    predicted: str | None
    fits: bool
    patterns: tuple[str, ...] = ()


@dataclass(frozen=True)
class TypeRow:
    """A row of Table 2 or 3.

    Attributes:
        type: The type.
        benchmark: Its share of the benchmark.
        failures: Its share of the failures.
        ratio: Failures divided by benchmark; None without a failure.
    """

    type: str
    benchmark: float
    failures: float
    ratio: float | None


def failure_case(
    case: Case, trace: Trace, diagnosis: Diagnosis, stopped: str = "", *, by_answer_block: bool = False
) -> FailureCase:
    """Classifies one output.

    Args:
        case: The program and call.
        trace: Its reference trace.
        diagnosis: The diagnosis of the output, made with a budget.
        stopped: Why generation ended, as records say it (default: unknown).
        by_answer_block: Whether to grade the `[ANSWER]` block against the label, as the paper does (default: the last
            RETURN frame against execution). Rows without a label are then graded against execution.
    """
    cut = is_truncated(diagnosis.answer, diagnosis.kind, case.grading, stopped)
    status: Status = "right" if diagnosis.correct else "truncated" if cut else "wrong"
    step = None if diagnosis.kind == "none" else _step(trace, diagnosis)
    expected = trace.outcome.value or diagnosis.truth or case.expected or ""
    predicted = diagnosis.answer
    if by_answer_block:
        expected, predicted = case.expected or expected, diagnosis.block
        is_right = predicted is not None and same_value(expected, predicted)
        status = "right" if is_right else "truncated" if predicted is None else "wrong"
    long = patterns(trace, trace_budget(trace, most=0)) if status == "truncated" else ()
    return FailureCase(
        id=case.id,
        benchmark=case.benchmark,
        type=type_of(expected),
        status=status,
        kind=diagnosis.kind,
        cause="none: the trace is right" if diagnosis.kind == "none" else classify_cause(step) if step else "other",
        line=_shown(step),
        expected=expected,
        predicted=predicted,
        fits=bool(diagnosis.fits),
        patterns=tuple(dict.fromkeys(found.name for found in long)),
    )


def type_of(shown: str) -> str:
    """Returns the type of a shown value, by the names of Tables 2 and 3; "other" if it is not a literal.

    >>> type_of("'a'"), type_of("None"), type_of("[1]"), type_of("set()"), type_of("<A object>")
    ('str', 'NoneType', 'list', 'set', 'other')
    """
    if shown == "set()":
        return "set"
    try:
        return type(parse_literal(shown)).__name__
    except ValueError:
        return "float" if shown in ("inf", "-inf", "nan") else "other"


def type_table(failures: Iterable[str], benchmark: Iterable[str]) -> tuple[TypeRow, ...]:
    """Compares the types of the wrong answers with those of the whole benchmark, most frequent in the benchmark first.

    Types that occur in failures only come last, without a ratio.
    """
    wrong, every = Counter(failures), Counter(benchmark)
    names = [name for name, _ in every.most_common()] + [name for name in wrong if name not in every]
    rows = []
    for name in names:
        share, failed = every[name] / max(1, every.total()), wrong[name] / max(1, wrong.total())
        rows.append(TypeRow(name, share, failed, failed / share if share and failed else None))
    return tuple(rows)


def taxonomy(found: Iterable[FailureCase]) -> dict[tuple[Status, str], dict[DivergenceKind, int]]:
    """Counts the first divergences of incorrect outputs, by (status, type); most frequent first."""
    counts: dict[tuple[Status, str], Counter[DivergenceKind]] = {}
    for one in found:
        if one.status != "right":
            counts.setdefault((one.status, one.type), Counter())[one.kind] += 1
    ordered = sorted(counts.items(), key=lambda entry: (entry[0][0] == "truncated", -entry[1].total(), entry[0][1]))
    return {key: {kind: counter[kind] for kind in DIVERGENCE_KINDS if counter[kind]} for key, counter in ordered}


def catalogue(found: Iterable[FailureCase]) -> dict[tuple[str, Cause], tuple[FailureCase, ...]]:
    """Groups the wrong answers by (type, cause): most frequent types first, causes in the order of CAUSES."""
    wrong = [one for one in found if one.status == "wrong"]
    sizes = Counter(one.type for one in wrong)

    def place(one: FailureCase) -> tuple[int, str, int]:
        return -sizes[one.type], one.type, CAUSES.index(one.cause)

    ordered = sorted(wrong, key=place)
    return {(group[0].type, group[0].cause): group for _, same in groupby(ordered, key=place) if (group := tuple(same))}


def truncations(found: Iterable[FailureCase]) -> dict[tuple[bool, str], tuple[FailureCase, ...]]:
    """Groups truncated outputs by (whether the reference trace fits, pattern of Table 9 or "none of Table 9").

    An output with several patterns is in several groups.
    """
    groups: dict[tuple[bool, str], tuple[FailureCase, ...]] = {}
    for one in found:
        if one.status == "truncated":
            for pattern in one.patterns or ("none of Table 9",):
                groups[one.fits, pattern] = (*groups.get((one.fits, pattern), ()), one)
    return dict(sorted(groups.items(), key=lambda entry: (entry[0][0], -len(entry[1]))))


def classify_cause(step: ast.stmt | ast.expr) -> Cause:
    """Returns the cause that a statement indicates; of several, the first in the order of CAUSES.

    Of a compound statement only the head counts. A loop whose body changes what it iterates over is list mutation.

    >>> [classify_cause(ast.parse(line).body[0]) for line in ("a.rsplit(b)", "x = s[::-1]", "while a == b: pass")]
    ['method semantics', 'index and slice', 'condition']
    """
    nodes = [node for part in _head(step) for node in ast.walk(part)]
    methods = {node.func.attr for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)}
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    kinds = {type(node) for node in nodes}
    counts = isinstance(step, ast.AugAssign) and isinstance(step.value, ast.Constant) and type(step.value.value) is int
    holds: Mapping[Cause, bool] = {
        "method semantics": bool(methods & _OF_STRINGS),
        "index and slice": ast.Subscript in kinds,
        "list mutation": bool(methods & _CHANGES) or isinstance(step, ast.Delete) or _changes_what_it_goes_over(step),
        "counter and range": bool(called & {"range", "len", "sum"}) or counts or isinstance(step, ast.For),
        "dictionary and format": bool(methods & _OF_DICTS) or bool(kinds & {ast.Dict, ast.DictComp, ast.JoinedStr}),
        "copying and joining": "join" in methods or bool(kinds & {ast.Add, ast.Mult}),
        "condition": isinstance(step, ast.If | ast.While) or ast.Compare in kinds,
    }
    return next((cause for cause in CAUSES if holds.get(cause)), "other")


def _head(step: ast.stmt | ast.expr) -> list[ast.AST]:
    """Returns what a statement evaluates itself, without the body of a compound statement."""
    if not hasattr(step, "body") or isinstance(step, ast.Lambda):
        return [step, *ast.iter_child_nodes(step)]
    return [part for part in ast.iter_child_nodes(step) if isinstance(part, ast.expr | ast.withitem)]


def _changes_what_it_goes_over(step: ast.stmt | ast.expr) -> bool:
    if not isinstance(step, ast.For):
        return False
    over = {node.id for node in ast.walk(step.iter) if isinstance(node, ast.Name)}
    calls = (node.func for inner in step.body for node in ast.walk(inner) if isinstance(node, ast.Call))
    changed = {
        call.value.id
        for call in calls
        if isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.attr in _CHANGES_ITS_RECEIVER
    }
    return bool(over & changed)


def _step(trace: Trace, diagnosis: Diagnosis) -> ast.stmt | None:
    """Returns the statement whose effect the first wrong frame shows.

    For a result, that is the statement of the frame itself, else that of the frame before.
    """
    at = diagnosis.frame if diagnosis.kind == "return value" else diagnosis.frame - 1
    if not 0 <= at < len(trace.lines):
        return None
    line = trace.lines[at]
    covering = [
        node
        for node in ast.walk(ast.parse(trace.context))  # outermost first
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or line)
    ]
    return next((node for node in covering if node.lineno == line), covering[-1] if covering else None)


def _shown(step: ast.stmt | None) -> str:
    return "" if step is None else ast.unparse(step).splitlines()[0]
