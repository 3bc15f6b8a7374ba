"""The observer of string operations: programs do the same under it, and what met is recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from analyze.auditing.string_call_probes import StringCallObserver
from corpora.execute import run_call, run_observed
from corpora.program import trace_context

OBSERVER = "analyze.auditing.string_call_probes:StringCallObserver"


def observe(source: str, call: str, **options: int) -> tuple[object, list[dict[str, Any]]]:
    """The value and the records, in this process (only programs written here)."""
    lines: list[str] = []
    observer = StringCallObserver(options, lines.append)
    namespace: dict[str, Any] = {}
    exec(observer.compile(trace_context(source, call), "<program>"), namespace)
    value = observer.run(namespace["main"])
    return value, [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("source", "call"),
    [
        pytest.param("def f(x):\n    return x.index(2), x.count(1), 3 in x, x[0], x[1:]", "f([1, 2, 3])", id="lists"),
        pytest.param(
            "class S(str):\n    pass\ndef f(s):\n    return s.find('a'), s[0]", "f(S('ba'))", id="a subclass of str"
        ),
        pytest.param("def f(d):\n    return d['a'], 'a' in d", "f({'a': 1})", id="a dict"),
        pytest.param("def f(b):\n    return b.split(b'-'), b[0]", "f(b'a-b')", id="bytes"),
    ],
)
def test_what_is_no_plain_string_is_not_recorded(source: str, call: str) -> None:
    _, records = observe(source, call)
    assert records == [{"steps": 0, "kept": 0, "cut": 0}]


SUPER = """class A:
    def find(self, x):
        return x
class B(A):
    def find(self, x):
        return super().find(x)
def f(s):
    return B().find(s)"""
ANNOTATIONS = """def f(s: list[int]) -> 'str'[0:1]:
    x: dict[str, int] = {}
    return f.__annotations__, s"""
ORDER = """def f(s):
    log = []
    def g(x):
        log.append(x)
        return x
    g(s).replace(g('a'), g('b'))
    g(s)[g(0)]
    return log"""


@pytest.mark.parametrize(
    ("body", "argument"),
    [
        pytest.param("s.rsplit('-', 1), s.split(sep='-', maxsplit=1)", "'a-b-c'", id="limits"),
        pytest.param("s.find('a', 1), s.count('a', -3, 5), s.startswith(('x', 'b'), 1)", "'abab'", id="windows"),
        pytest.param("s.index('z')", "'abc'", id="an exception"),
        pytest.param("s[1], s[-1], s[::2], s[5:], {(0, 1): 2}[0, 1]", "'abc'", id="subscripts"),
        pytest.param("'a' in s, 'a' not in s, 'a' in s in [s]", "'abc'", id="in, not in and a chain"),
        pytest.param("'-'.join(c.upper() for c in s).strip(None)", "'ab'", id="join, case and strip"),
        pytest.param(SUPER, "'a'", id="super"),
        pytest.param(ANNOTATIONS, "'a'", id="annotations are evaluated as the program says"),
        pytest.param(ORDER, "'ab'", id="the order of operands"),
    ],
)
def test_a_program_does_the_same_under_the_observer(body: str, argument: str) -> None:
    source = body if "def f" in body else f"def f(s):\n    return {body}"
    outcome, lines = run_observed(trace_context(source, f"f({argument})"), OBSERVER, {})
    plain = run_call(source, f"f({argument})")
    assert (outcome.status, outcome.value, outcome.exception) == (plain.status, plain.value, plain.exception)
    assert "steps" in json.loads(lines[-1])


def test_the_values_that_met_in_their_order() -> None:
    source = "def f(s):\n    parts = s.rsplit('-.', 1)\n    return 'a' in parts[0], parts[0][0].upper()"
    _, records = observe(source, "f('a-.-.b')")
    shown = [
        (r["line"], r["method"], r["text"], r.get("pattern"), r.get("limit"), r.get("result")) for r in records[:-1]
    ]
    assert shown == [
        (2, "rsplit", "a-.-.b", "-.", 1, None),
        (3, "in", "a-.", "a", None, None),
        (3, "[]", "a-.", None, None, None),
        (3, "upper", "a", None, None, "A"),
    ]
    assert [r["step"] for r in records[:-1]] == [1, 2, 3, 4]
    assert records[-1] == {"steps": 4, "kept": 4, "cut": 0}


def test_repetitions_are_kept_once_and_what_is_beyond_the_caps_is_counted() -> None:
    source = "def f(s):\n    return [s.find(c) for c in s]"
    _, records = observe(source, "f('aaab')")
    assert records[-1] == {"steps": 4, "kept": 2, "cut": 0}
    _, records = observe(source, "f('abcd')", max_kept=3)
    assert records[-1] == {"steps": 4, "kept": 3, "cut": 1}
    _, records = observe(source, "f('ab' * 20)", max_characters=10)
    assert records[-1] == {"steps": 40, "kept": 0, "cut": 40}
