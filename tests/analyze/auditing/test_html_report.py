"""The HTML page holds everything, and text of a data set stays text."""

from __future__ import annotations

import io
import json
import re
from dataclasses import asdict
from typing import Any

import pytest

from analyze import audit
from analyze.auditing.duplicates import DuplicateIndex
from analyze.auditing.findings import AuditSummary, HazardChange, HazardCount
from analyze.auditing.html_report import MAX_FINDINGS, sample_by_class, write_page
from analyze.auditing.label_errors import LabelCheck
from analyze.hazards.measured_effects import measured_effects
from analyze.tokens.token_strips import excerpt, token_strip
from analyze.tokens.tokenizer import Tokenizer, default_tokenizer
from corpora.dataset import BadRow, Row


def page(source: str) -> str:
    findings = [asdict(finding) for finding in audit([Row(1, "a.jsonl:1", {"code": source})], execute=False)]
    summary = AuditSummary(rows=1, units=1)
    summary.add_bad(BadRow(2, "a.jsonl:2", "</script><b>"))
    for finding in findings:
        key = tuple(finding[name] for name in ("tokenizer", "context", "hazard", "method", "field"))
        summary.counts[key] = HazardCount(1, 1, finding["severity"])
        summary.hazard_rows[key[:3]] = 1
    file = io.StringIO()
    write_page(file, findings, summary, "a.jsonl", [default_tokenizer()])
    return file.getvalue()


def test_a_string_that_closes_the_script_does_not() -> None:
    text = page("a = '</script><script>alert(1)</script>12345'")
    assert text.count("</script>") == 2
    assert "<b>" not in text


def test_labels_and_rows_that_repeat_others_are_in_the_page() -> None:
    summary, duplicates, file = AuditSummary(rows=1), DuplicateIndex(), io.StringIO()
    summary.add_label(LabelCheck(1, "a.jsonl:1", "f(2)", "</script>", "2", "wrong"))
    for number in (1, 2):
        duplicates.add(number, f"a.jsonl:{number}", "def f(): pass", "f()")
    write_page(file, [], summary, "a.jsonl", [default_tokenizer()], duplicates)
    text = file.getvalue()
    assert "Execution contradicts 1 of 1 label" in text and "f(2) gives 2, the label says \\u003c/script>" in text
    assert "1 row repeats a program, 1 of them with the same input" in text
    assert "a.jsonl:2: the program and input of a.jsonl:1" in text and "a.jsonl: 1 row, 0 strings" in text


def test_nothing_is_fetched() -> None:
    assert not re.search(r"(src|href)=|https?://|@import|url\(", page("a = '12345'"))


def test_findings_and_bad_rows_are_in_the_page() -> None:
    text = page("a = 'a-.-.b'.rsplit('-.')")
    start = text.index('id="data">') + len('id="data">')
    data = json.loads(text[start : text.index("</script>", start)])
    (cut,) = [finding for finding in data["findings"] if finding["hazard"] == "END_CUT"]
    assert (cut["alone"], cut["alone_ends"]) == ("-.", [2])
    assert data["badcount"] == 1
    assert {"name", "level", "summary", "findings", "rows", "worst", "worth"} == set(data["hazards"][0])


def test_strips_mark_bytes_and_boundaries() -> None:
    assert token_strip("a-.-.b", [1, 2, 4, 5, 6], 1, 3) == ("a│-│.-│.│b", "  ^ ^")
    assert token_strip("aéb", [1, 2, 3, 4], 1, 3) == ("a│é╎│b", "  ^")
    above, below = excerpt("x" * 200, [100, 200], 150, 151, room=20)
    assert len(above) == 22
    assert above[below.index("^")] == "x"


def test_a_page_has_a_bounded_sample_of_each_class_the_most_severe_first() -> None:
    names = {"tokenizer": "t", "context": "trace", "method": "", "pattern": None, "where": "a.jsonl:1"}
    rows = [names | {"hazard": "EDGE", "text": str(n), "severity": n / 5000, "count": 1} for n in range(2000)]
    rows += [names | {"hazard": "DIGITS", "text": "same", "severity": 0.05, "count": 2}] * 3
    sample = sample_by_class(rows, "cwm")
    edges = [one for one in sample if one["hazard"] == "EDGE"]
    assert [one["text"] for one in edges] == [str(n) for n in range(1999, 1999 - MAX_FINDINGS, -1)]
    assert [one["count"] for one in sample if one["hazard"] == "DIGITS"] == [6]


def test_classes_with_a_measured_effect_come_first() -> None:
    names = {"tokenizer": "t", "context": "trace", "method": "", "pattern": None, "where": "a.jsonl:1", "text": "x"}
    rows = [
        {**names, "hazard": code, "severity": worst, "count": 1} for code, worst in [("CASE", 1.0), ("ABSENT", 0.5)]
    ]
    assert [one["hazard"] for one in sample_by_class(rows, "cwm")] == ["ABSENT", "CASE"]


def test_a_page_has_the_effects_of_its_family_and_says_what_it_leaves_out() -> None:
    key = ("llama-3", "trace", "ABSENT", "rsplit", "operation")
    summary = AuditSummary(rows=9, counts={key: HazardCount(7, 9, 0.2)}, hazard_rows={key[:3]: 9})
    finding = asdict(next(one for one in audit([{"code": "'a-.-.b'.rsplit('-.')"}], execute=False)))

    def shown(**options: Any) -> dict[str, Any]:
        file = io.StringIO()
        write_page(file, [{**finding, "hazard": "ABSENT"}], summary, "a.jsonl", [default_tokenizer()], **options)
        data: dict[str, Any] = json.loads(file.getvalue().split('id="data">')[1].split("</script>")[0])
        return data

    cwm, llama, every = shown(), shown(family="llama-3"), shown(family="")
    measured = measured_effects().hazards["ABSENT"]
    assert cwm["hazards"][0]["worth"] == f"{measured.families['cwm']} / {measured.panel}"
    assert llama["hazards"][0]["worth"] == f"{measured.families['llama-3']} / {measured.panel}"
    assert [one["level"] for one in (*cwm["hazards"], *llama["findings"])] == ["warning", "info"]
    assert (llama["family"], every["hazards"][0]["worth"]) == ("llama-3", str(measured.panel))
    assert cwm["limits"].startswith("The list has 1 different finding, ") and cwm["limits"].endswith("with llama-3.")
    assert "baseline" in shown(has_baseline=True)["limits"] and "different" not in shown(has_baseline=True)["limits"]


@pytest.mark.medium
def test_a_page_compares_two_tokenizers() -> None:
    summary, file = AuditSummary(rows=1), io.StringIO()
    summary.add_change(HazardChange("EDGE", 3, 2, 1, 2, ("</script>",), ()))
    write_page(file, [], summary, "a.jsonl", [default_tokenizer(), Tokenizer(default_tokenizer().reference, "other")])
    assert '"changes": {"from": "llama-3", "to": "other"' in file.getvalue()
    assert file.getvalue().count("</script>") == 2
