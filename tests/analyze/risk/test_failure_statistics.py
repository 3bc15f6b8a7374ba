"""The paper's analyses: types, taxonomy, catalogue and truncations of outputs made for it."""

import ast

import pytest

from analyze import diagnose, trace_call
from analyze.risk.failure_statistics import (
    CAUSES,
    FailureCase,
    catalogue,
    classify_cause,
    failure_case,
    taxonomy,
    truncations,
    type_of,
    type_table,
)
from corpora import Case

SOURCE = "def f(text):\n    y = text.upper()\n    for c in text:\n        y += c\n    return y[::-1]\n"


def one(change: tuple[str, str] = ("", ""), keep: int | None = None, source: str = SOURCE) -> FailureCase:
    """An output with a text changed; where anything is, its result is wrong too."""
    case = Case("a", source, "f('ab')", benchmark="b")
    trace = trace_call(case.source, case.call)
    output = trace.text.replace(*change)
    if change[0]:
        output = output.replace("\"'baBA'\"", "\"'no'\"")
    return failure_case(case, trace, diagnose(trace, output[:keep], budget=8192))


@pytest.mark.parametrize(
    ("change", "status", "kind", "cause"),
    [
        (("", ""), "right", "none", "none: the trace is right"),
        (("'AB'", "'AV'"), "wrong", "state", "method semantics"),
        (("'baBA'", "'baB'"), "wrong", "return value", "index and slice"),
        (("'ABa'", "'ABaa'"), "wrong", "state", "copying and joining"),
    ],
)
def test_the_cause_is_that_of_the_step_whose_effect_is_wrong(
    change: tuple[str, str], status: str, kind: str, cause: str
) -> None:
    found = one(change)
    assert (found.status, found.kind, found.cause, found.type) == (status, kind, cause, "str")


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("return text.rsplit(sep, maxsplit=2)", "method semantics"),
        ("t = str.maketrans(a, b)", "method semantics"),
        ("x = y[1:]", "index and slice"),
        ("for a in x:\n    x.remove(a)", "list mutation"),
        ("for a in x:\n    y.remove(a)", "counter and range"),
        ("count += 1", "counter and range"),
        ("x = dict(m.items())", "dictionary and format"),
        ("s += ''.join(x)", "copying and joining"),
        ("while a < b:\n    s = s.upper()", "condition"),
        ("with open(a) as g:\n    g.upper()", "other"),
        ("return x", "other"),
    ],
)
def test_the_causes_of_lines(line: str, cause: str) -> None:
    assert classify_cause(ast.parse(line).body[0]) == cause


def test_a_step_of_several_lines_and_a_block_on_one_line_have_a_cause() -> None:
    long = "def f(text):\n    return text[\n        1:\n    ]\n"
    assert one(("'b'\"<|frame_sep|>", "'c'\"<|frame_sep|>"), source=long).cause == "index and slice"
    short = "def f(text):\n    if text.isupper(): return 1\n    return 2\n"
    case = Case("a", short, "f('ab')")
    trace = trace_call(short, case.call)
    output = trace.text.replace("    return 2\n", "    if text.isupper(): return 1\n", 1)
    assert failure_case(case, trace, diagnose(trace, output, budget=8192)).cause == "method semantics"


@pytest.mark.medium
def test_what_is_cut_off_is_told_by_whether_it_would_have_fitted() -> None:
    cut = one(keep=200)
    assert (cut.status, cut.fits, cut.kind) == ("truncated", True, "cut off while right")
    assert list(truncations([cut, one()])) == [(True, "none of Table 9")]
    case = Case(
        "a", "def f(x):\n    for a in x:\n        x.append(a)\n        if len(x) > 200:\n            break", "f([1])"
    )
    trace = trace_call(case.source, case.call)
    long = failure_case(case, trace, diagnose(trace, trace.text[:300], budget=8192))
    assert list(truncations([long])) == [(False, "growing list")]


def test_types_against_the_benchmark_are_the_papers_columns() -> None:
    rows = type_table(["str"] * 3 + ["set"], ["str"] * 5 + ["int"] * 5)
    assert [(row.type, row.benchmark, row.failures, row.ratio) for row in rows] == [
        ("str", 0.5, 0.75, 1.5),
        ("int", 0.5, 0.0, None),
        ("set", 0.0, 0.25, None),
    ]
    assert type_table([], []) == ()


@pytest.mark.parametrize("shown", ["1", "'a'", "None", "{}", "set()", "1.5", "inf", "<A object>", "(", "b'a'", "-1j"])
def test_every_shown_value_has_a_type(shown: str) -> None:
    assert type_of(shown) in {"int", "str", "NoneType", "dict", "set", "float", "other", "bytes", "complex"}


def test_the_groups_hold_every_failure_once() -> None:
    found = [one(), one(("'AB'", "'AV'")), one(("'baBA'", "'baB'")), one(keep=200)]
    assert sum(sum(counts.values()) for counts in taxonomy(found).values()) == 3
    assert sum(map(len, catalogue(found).values())) == 2
    assert [cause for _, cause in catalogue(found)] == [
        cause for cause in CAUSES if cause in {c for _, c in catalogue(found)}
    ]
