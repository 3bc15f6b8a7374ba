"""The tutorial in docs/audit.md: its gates, settings and comments do what it says (its commands: `test_pages`)."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from runner.cli import main
from runner.inputs.examples import FILES
from runner.linting.settings import read_audit_settings
from tests.places import ROOT

PAGE = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ROWS = [{"code": f"def f(s):\n    return s + '{n}'\n", "input": "'ab'", "output": f"'ab{n}'"} for n in range(3)]


def blocks(language: str) -> list[str]:
    return [content for name, content in BLOCKS if name == language]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The repository and the data sets of the page."""
    (tmp_path / "src").mkdir()
    (tmp_path / "audits").mkdir()
    (tmp_path / "src" / "parts.py").write_text(blocks("python")[0])
    (tmp_path / "cases.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    pa = pytest.importorskip("pyarrow", reason="Parquet needs the extra datasets")
    import pyarrow.parquet as pq

    table = pa.Table.from_pylist([{"solution": row["code"], **row} for row in ROWS]).drop_columns(["code"])
    pq.write_table(table, tmp_path / "cases.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_gate_and_the_baseline_of_the_page_fail_on_an_added_hazard_only(project: Path) -> None:
    (lines,) = (block.splitlines() for block in blocks("sh") if "--update-baseline" in block)
    record, gate = [line.split()[1:] for line in lines]
    assert main(record) == 0
    assert main(gate) == 0
    parts = project / "src" / "parts.py"
    parts.write_text("# moved\n" + parts.read_text() + "OTHER = 'x'.rsplit('y')\n")
    assert main(gate) == 0
    parts.write_text(parts.read_text() + "ADDED = 'c-.-.d'.rsplit('-.')\n")
    assert main(gate) == 1


@pytest.mark.medium
@pytest.mark.parametrize("data", ["cases.jsonl", "cases.parquet"])
def test_gate_and_baseline_of_a_data_set(project: Path, data: str) -> None:
    column = ["--column", "code=solution"] if data.endswith("parquet") else []
    gate = ["audit", data, *column, "--baseline", "data.json", "--fail-on", "warning,labels", "--max-bad", "0"]
    assert main([*gate, "--update-baseline"]) == 0
    assert main(gate) == 0
    added = {"code": "def f(s):\n    return s.rsplit('-.')\n", "input": "'a-.-.b'", "output": "['a', '', 'b']"}
    wrong = {**ROWS[0], "output": "'wrong'"}
    for row in (added, wrong):
        rows = [*ROWS, row]
        if data.endswith("jsonl"):
            Path(data).write_text("".join(json.dumps(one) + "\n" for one in rows))
        else:
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(
                pa.Table.from_pylist([{"solution": one.pop("code"), **one} for one in map(dict, rows)]), data
            )
        assert main(gate) == 1


def test_the_shipped_folder_is_that_of_the_page() -> None:
    assert (FILES / "src" / "parts.py").read_text(encoding="utf-8") == blocks("python")[0]


def test_the_settings_of_the_page_are_settings(project: Path) -> None:
    (table,) = blocks("toml")
    (project / "pyproject.toml").write_text(table)
    settings = read_audit_settings(["src"])
    assert settings.values == {"profile": "cwm", "context": "trace"} and settings.fail_on == ("warning",)
    assert main(["audit", "src"]) == 1


def test_the_comment_of_the_page_suppresses_the_finding(project: Path) -> None:
    (project / "src" / "parts.py").write_text(blocks("python")[1])
    assert main(["audit", "src", "--fail-on", "warning"]) == 0


def test_the_python_example_of_the_page() -> None:
    pytest.importorskip("pandas")
    names: dict[str, object] = {}
    exec(blocks("python")[2].replace("result.to_frame()[", "frame = result.to_frame()["), names)
    assert "ABSENT" in set(names["frame"]["hazard"])  # type: ignore[index]


def test_hooks_and_action_have_the_names_of_the_page() -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    action = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"- id: (spellout-\w+)", PAGE)) == set(re.findall(r"^- id: (\S+)", hooks, re.MULTILINE))
    inputs = set(re.findall(r"^  ([\w-]+):$", action.partition("runs:")[0], re.MULTILINE))
    assert {"path", "fail-on"} <= inputs
    assert set(re.findall(r"inputs\.([\w-]+)", action)) == inputs
    assert tomllib.loads(blocks("toml")[0])
