"""The border: whatever a program's process says, the caller has an Outcome of the right types and goes on."""

import contextlib
import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace.record_reader import read_records
from analyze.gold_trace.trace import trace_call
from corpora import run_call, run_calls
from corpora.program import Isolation
from corpora.sandbox.reporting import json_shape, report_parser
from corpora.sandbox.reporting.protocol import REPR_LIMIT, Job
from corpora.sandbox.reporting.report_parser import CallReport, ForgedReportError
from corpora.sandbox.reporting.report_reader import JobReport, ReportReader
from corpora.sandbox.reporting.report_writer import ReportWriter
from corpora.sandbox.workers import pool
from rewrite.equivalence.check import check_equivalence

NONCE = "0123456789abcdef"
SNAPSHOT = '{"capped":false,"ok":["int","1"],"arguments":[],"globals":{}}'
# Finds the reporter of its own process, as any program can.
FORGER = """
import sys
def report():
    frame = sys._getframe()
    while frame:
        for held in list(frame.f_locals.values()):
            if type(held).__name__ == 'ReportWriter':
                return held
        frame = frame.f_back
def f(x):
    {act}
    return x
"""


def forged(act: str) -> str:
    return FORGER.format(act=act)


def written(*messages: dict[str, Any]) -> bytes:
    """What the reporter writes for these results."""
    report = ReportWriter(NONCE)
    lines: list[str] = []
    report._write = lines.append  # type: ignore[assignment, method-assign]
    for message in messages:
        report.write_result(message)
    return "".join(lines).encode("ascii")


def read(data: bytes, expected: int = 1, *, observed: bool = True) -> JobReport:
    """What the caller makes of a report."""
    watched = JobReport(status=0)
    reader = ReportReader(NONCE, watched, expected, observed=observed)
    out, into = os.pipe()
    os.set_blocking(out, False)
    try:
        for start in range(0, max(1, len(data)), 4096):
            os.write(into, data[start : start + 4096])
            while reader.read(out):
                continue
    finally:
        os.close(out)
        os.close(into)
    return watched


TEXTS = st.text(st.characters() | st.sampled_from('"\\\t\n\ud800'), max_size=12)
RESULTS = st.builds(
    CallReport,
    status=st.sampled_from(["ok", "raised"]),
    seconds=st.floats(0, 1e6).map(lambda seconds: round(seconds, 6)),
    stdout_end=st.integers(0, 1 << 20),
    detail=TEXTS,
    arguments=st.lists(TEXTS, max_size=4).map(tuple),
    globals=st.dictionaries(TEXTS, TEXTS, max_size=4),
    snapshot=st.sampled_from(["", SNAPSHOT]),
    stderr=TEXTS,
).flatmap(
    lambda told: st.builds(
        replace,
        st.just(told),
        value=TEXTS if told.status == "ok" else st.none(),
        exception=st.tuples(TEXTS, TEXTS) if told.status == "raised" else st.none(),
    )
)


def told(result: CallReport) -> dict[str, Any]:
    return {name: part for name, part in asdict(result).items() if part is not None}


@given(RESULTS)
def test_what_the_reporter_writes_is_read_back(result: CallReport) -> None:
    expected = json.loads(json.dumps(told(result)))
    watched = read(written(told(result)))
    assert not watched.problem
    assert json.loads(json.dumps(told(watched.calls[0]))) == expected


@given(st.binary(max_size=200) | st.lists(st.sampled_from([NONCE, " ", "R", "L", "ok", "\t", '"', "0", "\n", "{}"])))
def test_bytes_of_any_kind_are_a_problem_and_no_exception(data: bytes | list[str]) -> None:
    raw = data if isinstance(data, bytes) else "".join(data).encode()
    for line in (raw, f"{NONCE} R ".encode() + raw + b"\n", f"{NONCE} L ".encode() + raw + b"\n"):
        watched = read(line)
        assert all(type(result) is CallReport for result in watched.calls)
        assert all(type(line) is str for line in watched.lines)


@pytest.mark.medium
@given(RESULTS, st.data())
def test_a_report_that_was_changed_is_read_or_refused(result: CallReport, data: st.DataObject) -> None:
    line = bytearray(written(told(result)))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(line) - 1))
        line[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    watched = read(bytes(line) + b"\n")
    assert len(watched.calls) <= 1
    assert watched.problem or watched.calls or not bytes(line).strip(b"\n").count(b"\n")


GOOD = ["ok", "0.500000", "0", "0", "1", '""', '"1"', '""', '""', '""', '""', '"2"', '"x"', '"3"']


@pytest.mark.parametrize(
    ("place", "forgery"),
    [
        pytest.param(0, "fine", id="a status that there is not"),
        pytest.param(1, "1e400", id="a time without end"),
        pytest.param(1, "NaN", id="a time that is none"),
        pytest.param(1, "-1.000000", id="a time before the start"),
        pytest.param(1, "9" * 5000 + ".000000", id="a time of thousands of digits"),
        pytest.param(1, "\N{ARABIC-INDIC DIGIT ONE}.000000", id="a digit of another script"),
        pytest.param(3, "-5", id="an index from the end"),
        pytest.param(3, str(10**400), id="an index of hundreds of digits"),
        pytest.param(3, "1048577", id="an index beyond what is kept"),
        pytest.param(2, "1", id="a start after the end"),
        pytest.param(10, "[]", id="a list in place of standard error"),
        pytest.param(4, "4", id="more arguments than there are"),
        pytest.param(4, "2", id="a name without a value"),
        pytest.param(5, '"x"y', id="a text that goes on"),
        pytest.param(6, "null", id="null in place of text"),
        pytest.param(6, "1", id="a number in place of text"),
        pytest.param(6, '"\\x"', id="an escape that there is not"),
        pytest.param(9, '"[]"', id="a snapshot that is a list"),
        pytest.param(9, '"{"', id="a snapshot that is no JSON"),
        pytest.param(9, '"{\\"ok\\":1}"', id="a snapshot of another type"),
        pytest.param(9, '"{\\"ok\\":[NaN]}"', id="a snapshot with NaN"),
        pytest.param(9, '"{\\"ok\\":[1e999]}"', id="a snapshot with a fraction"),
        pytest.param(9, '"{\\"ok\\":' + "[" * 600 + "]" * 600 + '}"', id="a snapshot that is nested deeply"),
        pytest.param(9, '"' + "[" * 100_000 + '"', id="a snapshot that is nested without end"),
    ],
)
def test_a_field_of_another_type_is_refused(place: int, forgery: str) -> None:
    assert report_parser.parse_call_report("\t".join(GOOD)).globals == {"x": "3"}
    with pytest.raises(ForgedReportError):
        report_parser.parse_call_report("\t".join([*GOOD[:place], forgery, *GOOD[place + 1 :]]))


def test_a_result_with_parts_missing_or_too_many_is_refused() -> None:
    for line in ("", "ok", "\t".join(GOOD[:10]), "\t" * 60_000_000):
        with pytest.raises(ForgedReportError):
            report_parser.parse_call_report(line)


def test_longer_texts_than_are_kept_are_refused() -> None:
    for text in ("x" * (REPR_LIMIT + 1), "\\u0000" * (2 * REPR_LIMIT + 1)):
        with pytest.raises(ForgedReportError):
            report_parser.parse_call_report("\t".join([*GOOD[:6], f'"{text}"', *GOOD[7:]]))


def test_skeletons_are_made_in_linear_time_of_whatever_text() -> None:
    assert json_shape.skeleton('"' + '\\"' * 5_000_000) == ""
    assert json_shape.skeleton('["a\\"b", {"c": 1}]') == "[, {: 1}]"
    assert json_shape.nesting_depth("[[]{[]}]") == 3
    assert json_shape.nesting_depth("") == 0
    with pytest.raises(ValueError, match="NaN"):
        json_shape.decode("NaN")


ACTS = [
    pytest.param("report()._write(report()._nonce + ' R ok\\n')", id="a result of one field"),
    pytest.param("report()._write('[{},{}]\\n')", id="a line without the nonce"),
    pytest.param("report()._write(report()._nonce + ' X 1\\n')", id="a message of no kind"),
    pytest.param("report()._write(report()._nonce + ' R ' + '{},' * 20_000_000 + '\\n')", id="sixty megabytes"),
    pytest.param("report().write_line('x')", id="a line without an observer"),
    pytest.param("report().write_result({'status': 'ok', 'seconds': 10.0 ** 300})", id="a time without end"),
    pytest.param("report().write_result({'status': 'ok', 'stdout_end': -1})", id="an index from the end"),
    pytest.param("report().write_result({'status': 'ok', 'stdout_end': 9})", id="an index beyond the output"),
    pytest.param("report().write_result({'status': 'ok', 'snapshot': '[' * 10000})", id="a snapshot that is none"),
    pytest.param("[report().write_result({'status': 'ok'}) for _ in range(9)]", id="nine results of one call"),
]


@pytest.mark.parametrize("act", ACTS)
def test_a_forged_message_is_a_crash_with_its_reason(act: str) -> None:
    outcome = run_call(forged(act), "f(1)", seconds=60)
    assert outcome.status == "crashed"
    assert "tampered with" in outcome.detail
    assert run_call("def f(x): return x", "f(1)").value == "1"


@pytest.mark.parametrize(
    "line",
    [
        "[" + "{}," * 3_000_000 + "{}]",
        "[" * 100_000,
        '[["line",999,{},null]]',
        '[["line",-1,{},null]]',
        '[["line",0,{},null]]',
        '[["line",true,{},null]]',
        '[["line",1.5,{},null]]',
        '[["jump",1,{},null]]',
        '[["line",1,null,"x"]]',
        '[["return",1,{},null]]',
        '[["line",1,{"a":1},null]]',
        '[["line",1,{},null],]',
        '{"cut":5}',
        '{"cut":"another"}',
        "NaN",
        "",
    ],
    ids=lambda line: line[:24],
)
def test_a_forged_line_of_a_trace_is_a_crash(line: str) -> None:
    act = (
        f"sys.settrace(None); report().write_line({line!r})"
        if len(line) < 99
        else f"report().write_line({line[:4]!r} * 2_000_000)"
    )
    trace = trace_call(forged(act), "f(1)")
    assert (trace.outcome.status, trace.cut, trace.frames) == ("crashed", "crashed", ())
    assert "tampered with" in trace.outcome.detail


@given(st.data())
def test_no_trace_line_of_any_kind_raises_anything_else(data: st.DataObject) -> None:
    honest = ['[["call",1,{"a":"1"},null],["return",1,null,"2"]]', '{"cut":null}']
    line = data.draw(st.sampled_from(honest))
    at = data.draw(st.integers(0, len(line)))
    changed = line[:at] + data.draw(st.text('[]{}",:0123456789nul\\truefas', max_size=5)) + line[at + 1 :]
    try:
        records, cut = read_records(data.draw(st.permutations([changed, *honest])), 10, 1)
    except ValueError:
        return
    assert all(len(record) == 4 and record[1] == 1 for record in records)
    assert cut is None or type(cut) is str


def test_code_that_only_claims_to_be_the_programs_is_not_traced() -> None:
    source = (
        "def f(d):\n    exec(compile('\\n' * 1000 + 'def g(): return 1\\n', __file__, 'exec'), d)\n    return d['g']()"
    )
    trace = trace_call(source, "f({})")
    assert trace.outcome.value == "1"
    assert [frame.source.strip() for frame in trace.frames if frame.event == "return"] == [
        "return d['g']()",
        "return f({})",
    ]


def test_a_copy_of_the_programs_code_is_traced() -> None:
    source = "import types\n@types.coroutine\ndef g():\n    yield 7\ndef f():\n    return [*g()]"
    assert "    yield 7\n" in [frame.source for frame in trace_call(source, "f()").frames]


@pytest.mark.medium
@pytest.mark.parametrize("count", [1, 3])
def test_forged_results_buy_no_time(count: int) -> None:
    forge = "        time.sleep(0.2 * x)\n        report().write_result({'status': 'ok'})"
    source = forged(f"import time\n    for _ in range(12):\n{forge}\n    while True: pass")
    start = time.monotonic()
    outcomes = run_calls(source, [f"f({count})"], seconds=1)
    assert time.monotonic() - start < 11  # 12 results would have bought twelve seconds; the limit is one
    assert outcomes[0].status in ("crashed", "timeout")


@pytest.mark.medium
def test_a_result_that_is_not_followed_by_the_end_is_none() -> None:
    late = run_call(
        forged("report().write_result({'status': 'ok', 'value': '42'})\n    while True: pass"), "f(1)", seconds=0.3
    )
    assert (late.status, late.value) == ("timeout", None)
    ended = run_call(forged("report().write_result({'status': 'ok'})\n    __import__('os')._exit(3)"), "f(1)")
    assert (ended.status, ended.value) == ("crashed", None)


@contextlib.contextmanager
def reporting(report: bytes) -> Iterator[None]:
    """Every job of this process answered by this report."""

    def answer(job: Job, seconds: float, **_: Any) -> tuple[JobReport, Isolation]:
        return read(report, job.num_results, observed=bool(job.observer)), "A"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "run", answer)
        yield


def as_messages(data: bytes) -> bytes:
    return b"\n".join(f"{NONCE} {'RL'[len(part) % 2]} ".encode() + part for part in data.split(b"\n"))


@given(st.binary(max_size=300), st.booleans())
def test_no_report_ends_a_call_or_a_trace(data: bytes, named: bool) -> None:
    with reporting(as_messages(data) if named else data):
        assert run_call("def f(x): return x", "f(1)").status == "crashed"
        assert trace_call("def f(x): return x", "f(1)").outcome.status == "crashed"


HONEST = {"status": "ok", "value": "1", "snapshot": SNAPSHOT, "arguments": ["1"]}


@pytest.mark.parametrize("seed", range(30))
def test_no_report_ends_a_comparison(seed: int) -> None:
    chance = random.Random(seed)
    report = bytearray(written(HONEST))
    for _ in range(seed % 6):
        report[chance.randrange(20, len(report))] = chance.choice(b'[]{}",0\\\t\nn')
    with reporting(bytes(report)):
        verdict = check_equivalence("def f(x): return x", "def f(x): return x + 0", ["f(1)"], examples=0)
    assert verdict.tried <= 1
