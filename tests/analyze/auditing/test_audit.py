"""Rows to findings: where strings are looked for, and every row that cannot be judged."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from analyze import audit
from analyze.auditing import audit as auditing
from analyze.auditing.audit import MAX_LISTED_CHARACTERS, AuditScope, audit_rows
from analyze.auditing.findings import AuditSummary, Finding
from analyze.auditing.label_errors import LabelCheck
from analyze.auditing.row_strings import AuditUnit, _record, audit_units
from analyze.tokens.engines import engine_for
from analyze.tokens.tokenizer import default_tokenizer
from corpora.dataset import BadRow, Row
from corpora.deadline import time_limit
from corpora.errors import InputError

CODE = "def f(text):\n    return text.rsplit('-.')"


def row(number: int = 1, **fields: Any) -> Row:
    return Row(number, f"rows.jsonl:{number}", fields)


def audited(rows: Iterable[Row | BadRow] | Path, execute: bool = True) -> tuple[list[Finding], list[BadRow]]:
    bad: list[BadRow] = []
    return list(audit(rows, on_bad=bad.append, execute=execute)), bad


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"text": "x"}, "no field 'source' or 'code'; it has text", id="no program"),
        pytest.param({"code": 3}, "field 'code' is int, not text", id="a program that is a number"),
        pytest.param({"code": "def f(:"}, "the program does not parse: invalid syntax (line 1)", id="no Python"),
        pytest.param({"code": "a = '\ud800'"}, "lone surrogates in field 'code'", id="a lone surrogate in the row"),
        pytest.param({"code": "a = 1", "call": "f("}, "the call does not parse", id="a call that does not parse"),
        pytest.param(
            {"code": "a = '\\ud800'"},
            "not checked: lone surrogates in a string of its literal, line 1",
            id="a lone surrogate in a literal",
        ),
        pytest.param({"code": "a = []", "call": "a[0]"}, None, id="a call that raises is an execution too"),
        pytest.param(
            {"code": "def g(x): return x", "input": "1"},
            "the program does not define f; it defines g",
            id="a call of what is not there",
        ),
        pytest.param(
            {"code": "def f():\n    while True: ''.strip()", "call": "f()"},
            "executed only in part: exceeded its time limit",
            id="a call without an end",
        ),
    ],
)
@pytest.mark.usefixtures("short_endless_loops")
def test_what_cannot_be_judged_is_listed_and_the_rest_goes_on(fields: dict[str, object], reason: str | None) -> None:
    findings, bad = audited([row(1, **fields), row(2, code="a = '12345'")])
    assert [entry.reason.startswith(reason) for entry in bad] == [True] if reason else bad == []
    assert all(entry.where == "rows.jsonl:1" for entry in bad)
    assert [finding.hazard for finding in findings if finding.row == 2] == ["DIGITS"]


def test_without_a_listener_each_bad_row_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="rows.jsonl:1: no field 'source' or 'code'"):
        assert list(audit([row(), row(2, code="a = 1")])) == []


def test_rows_of_which_none_can_be_read_are_an_error_at_the_end() -> None:
    seen: list[BadRow] = []
    with pytest.raises(InputError, match="none of the 2 rows could be read"):
        list(audit([row(), row(2, code="a = = 1")], on_bad=seen.append))
    assert len(seen) == 2


def test_lists_of_dicts_are_audited_and_their_labels_held_against_what_the_calls_give() -> None:
    right, wrong, raises = {"output": "2"}, {"output": "99"}, {"output": "None", "code": "def f(x): return [][x]"}
    rows = [{"code": "def f(x): return x", "input": "2", **fields} for fields in (right, wrong, raises, {})]
    checks: list[LabelCheck] = []
    list(audit(rows, on_label=checks.append))
    assert [(check.where, check.verdict, check.gives) for check in checks] == [
        ("row 2", "wrong", "2"),
        ("row 3", "wrong", "IndexError: list index out of range"),
    ]
    with pytest.warns(UserWarning, match="row 2: f\\(2\\) gives 2, the label says 99"):
        list(audit(rows[:2]))


def test_a_file_with_every_kind_of_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl.gz"
    lines = [b"not json", b'{"text": 1}', b"\xff\xfe", b'{"code": "\\ud800"}', b'{"code": "a = \'<|eot_id|>\'"}', b"[]"]
    file.write_bytes(gzip.compress(b"\n".join(lines) + b"\n"))
    findings, bad = audited(file)
    assert [entry.where for entry in bad] == [f"{file}:{number}" for number in (1, 2, 3, 4, 6)]
    assert {(finding.hazard, finding.where) for finding in findings} >= {("SPECIAL", f"{file}:5")}
    assert {finding.row for finding in findings} == {5}


def test_a_data_set_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(audit(tmp_path / "rows.jsonl"))


def test_strings_are_looked_for_in_literals_inputs_targets_operations_and_executions() -> None:
    fields: dict[str, Any] = {"code": CODE, "input": "'a-.-.b'", "output": "['a', '', 'b']"}
    units = [unit for unit in audit_units(row(**fields)) if isinstance(unit, AuditUnit)]
    assert [(unit.field, unit.line, unit.question.text) for unit in units] == [
        ("literal", 2, "-."),
        ("input", 0, "a-.-.b"),
        ("target", 0, "a"),
        ("target", 0, ""),
        ("target", 0, "b"),
        ("execution", 2, "a-.-.b"),
    ]
    static = [unit for unit in audit_units(row(**fields), execute=False) if isinstance(unit, AuditUnit)]
    assert [unit.field for unit in static] == ["literal", "input", "target", "target", "target", "operation"]


def test_the_finding_of_an_execution_says_where_and_why() -> None:
    findings, bad = audited([row(7, source=CODE, call="f('a-.-.b')", expected="['a', '', 'b']", id="x")])
    assert bad == []
    (finding,) = [entry for entry in findings if entry.hazard == "END_CUT"]
    assert (finding.row, finding.id, finding.field, finding.line, finding.step) == (7, "x", "execution", 2, 1)
    assert (finding.text, finding.pattern, finding.start, finding.end) == ("a-.-.b", "-.", 1, 3)
    assert finding.written.encode()[finding.written_start : finding.written_end] == b"-."
    assert "outranks" in finding.why


def test_a_target_that_is_no_expression_is_looked_at_as_text() -> None:
    findings, _ = audited([row(code="a = 1", output="<object 12345>")], execute=False)
    assert ("DIGITS", "target") in [(finding.hazard, finding.field) for finding in findings]


def test_a_program_that_forges_the_record_is_not_believed() -> None:
    forging = (
        "def f():\n    import gc\n    for o in gc.get_objects():\n"
        '        if type(o).__name__ == \'StringCallObserver\':\n            o._emit(\'{"step": 1, "line": "x"}\')\n'
    )
    _, bad = audited([row(source=forging, call="f()")])
    assert [entry.reason for entry in bad] == ["the execution's record was tampered with"]


def test_findings_are_plain_data() -> None:
    findings, _ = audited([row(source=CODE, call="f('a-.-.b')")])
    assert all(json.loads(json.dumps(vars(finding)))["why"] for finding in findings)


def test_verdicts_of_the_contexts_are_compared() -> None:
    scope = AuditScope((engine_for(default_tokenizer()),), ("bare", "trace"))
    rows = [row(code="'a-.'.find('-.')"), row(2, code="'x->y'.find('->')"), row(3, code="'abc'.find('z')")]
    _, summary = audit_rows(rows, scope)
    assert summary.verdicts == {("llama-3", "bare", "trace"): (2, 1)}


def test_the_text_of_a_special_token_in_a_comment_is_listed() -> None:
    findings, bad = audited([row(code="a = 1\nb = 2  # <|eot_id|>"), row(2, code="a = '<|eot_id|>'")])
    assert [(entry.number, entry.reason) for entry in bad] == [(1, "line 2: <|eot_id|> of llama-3 in a comment")]
    assert {finding.row for finding in findings if finding.hazard == "SPECIAL"} == {2}


@pytest.mark.parametrize(
    "change",
    [
        {"line": -1},
        {"step": 10**400},
        {"limit": 10**100},
        {"limit": True},
        {"window": [1, 2, 0]},
        {"window": [0]},
        {"index": []},
        {"index": [1, 2]},
        {"method": "no method"},
        {"method": ["split"]},
        {"text": None},
        {"pattern": 1.5},
        {"result": [[]]},
        {"another": 1},
    ],
    ids=str,
)
def test_a_record_that_the_program_wrote_itself_is_refused(change: dict[str, object]) -> None:
    honest = {"step": 1, "line": 2, "column": 0, "method": "split", "text": "a b", "pattern": " ", "limit": 1}
    assert _record(json.dumps(honest)) == honest
    assert _record(json.dumps(honest | change)) is None
    assert _record("[" * 100_000) is None


def test_a_row_that_breaks_the_audit_is_a_row_that_could_not_be_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    def units(row: Row, execute: bool = True) -> Iterator[AuditUnit | BadRow | LabelCheck]:
        if row.number == 3:
            raise ZeroDivisionError("a defect")
        yield from audit_units(row, execute=execute)

    rows = [row(number, source=CODE, call="f('a-.-.b')") for number in range(1, 6)]
    whole = [finding for finding in audited(rows)[0] if finding.row != 3]
    monkeypatch.setattr(auditing, "audit_units", units)
    findings, bad = audited(rows)
    assert [entry.number for entry in bad] == [3]
    assert bad[0].reason.startswith("not checked: internal error: ZeroDivisionError: a defect")
    assert findings == whole


@pytest.mark.medium
def test_of_many_findings_in_a_long_text_some_are_listed_and_all_are_counted() -> None:
    row = Row(1, "a.jsonl:1", {"code": f"a = {'<|eot_id|>' * 20_000!r}"})
    findings, summary = audit_rows([row], AuditScope((engine_for(default_tokenizer()),)))
    special = [count.findings for key, count in summary.counts.items() if key[2] == "SPECIAL"]
    assert sum(special) == 20_000
    assert summary.unlisted and len(findings) + summary.unlisted >= 20_000
    assert sum(len(finding.text) for finding in findings) < 20 * MAX_LISTED_CHARACTERS
    assert AuditSummary.from_json(summary.to_json()).unlisted == summary.unlisted


def test_a_string_that_is_too_long_is_told_and_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyze.auditing.row_strings.MAX_CHARACTERS", 50)
    bad: list[BadRow] = []
    source = f"def f(x):\n    a = x.rsplit('-.')\n    return {' ' * 51!r}"
    found = list(audit([{"source": source, "call": "f('a-.-.b')"}], on_bad=bad.append))
    assert "not checked: more than 50 characters in a string of its literal, line 3" in [row.reason for row in bad]
    assert "a-.-.b" in {finding.text for finding in found}


def test_a_string_on_which_the_tokenizer_fails_costs_its_row_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyze.tokens.tokenizer.MAX_CHARACTERS", 1000)
    bad: list[BadRow] = []
    source = "def f(x):\n    return x.rsplit('-.')"
    rows = [{"source": source, "call": f"f({text!r})"} for text in ("a-.-.b", "a" * 2000, "a-.-.b")]
    found = list(audit(rows, on_bad=bad.append))
    assert [(row.number, "characters is not tokenized" in row.reason) for row in bad] == [(2, True)]
    assert {finding.row for finding in found} == {1, 3}


def test_only_the_row_beyond_the_time_limit_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = auditing._judged

    def slow(places: Any, *rest: Any) -> Any:
        is_slow = any("slow" in row.fields["code"] for row, *_ in places)
        with time_limit(0 if is_slow else None) as deadline:
            deadline.check()
            return judged(places, *rest)

    monkeypatch.setattr(auditing, "_judged", slow)
    rows = [Row(number, f"{number}", {"code": f"{word!r}"}) for number, word in enumerate(("a-.b", "slow", "c-.d"), 1)]
    scope = AuditScope((engine_for(default_tokenizer()),), execute=False, seconds=60)
    _, summary = audit_rows(rows, scope)
    assert [(bad.number, bad.reason) for bad in summary.bad] == [
        (2, "not checked: its time limit of 0 s (--seconds) has passed")
    ]
    assert (summary.rows, summary.unread) == (3, 1)
