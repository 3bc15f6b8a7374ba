"""`--plugin` and entry points on the real command line: interventions from outside of this package."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runner.cli import main

RULE = """
import libcst as cst

from rewrite import StatementIntervention, intervention


@intervention
class TwoReturns(StatementIntervention):
    name = "two_returns"
    statements = (cst.Return,)

    def claims(self, node, plan):
        return isinstance(node.value, cst.IfExp)

    def expand(self, node, steps):
        def block(value):
            return cst.IndentedBlock([cst.SimpleStatementLine([cst.Return(value)])])

        choice = node.value
        return cst.If(choice.test, block(choice.body), cst.Else(block(choice.orelse)))
"""
SOURCE = "def f(n):\n    return 1 if n else 2  # why\n"
REWRITTEN = "def f(n):\n    if n:  # why\n        return 1\n    else:\n        return 2\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for module in ("rules", "faulty", "missing"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    (tmp_path / "rules.py").write_text(RULE)
    (tmp_path / "program.py").write_text(SOURCE)
    (tmp_path / "rows.jsonl").write_text(json.dumps({"source": SOURCE, "call": "f(3)"}) + "\n")
    return tmp_path


def spellout(folder: Path, *words: str, path: str = "") -> subprocess.CompletedProcess[str]:
    checkout = str(Path(__file__).parents[3])
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([checkout, *([path] if path else [])])}
    command = [sys.executable, "-m", "spellout", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=120)


FAULTY = {
    "no such file": ("", "missing.py", "--plugin missing.py: no such Python file"),
    "no such module": ("", "missing", "--plugin missing: ModuleNotFoundError: No module named 'missing'"),
    "a syntax error": ("x = (\n", "faulty.py", "--plugin faulty.py: SyntaxError: '(' was never closed"),
    "nothing registered": ("x = 1\n", "faulty.py", "--plugin faulty.py: registers no intervention"),
    "a taken name": (
        "from rewrite import intervention\n\n\n@intervention\ndef decompose(source):\n    return source\n",
        "faulty.py",
        "intervention decompose: the name is that of a built-in recipe",
    ),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_a_faulty_plugin_is_one_line_and_exit_2(folder: Path, capsys: pytest.CaptureFixture[str], fault: str) -> None:
    text, plugin, said = FAULTY[fault]
    (folder / "faulty.py").write_text(text)
    assert main(["rewrite", "program.py", "--plugin", plugin]) == 2
    done = capsys.readouterr()
    assert said in done.err and done.err.count("\n") == 1 and not done.out


@pytest.mark.medium
@pytest.mark.parametrize("plugin", ["rules.py", "rules"])
def test_a_file_or_a_module_is_a_plugin(folder: Path, capsys: pytest.CaptureFixture[str], plugin: str) -> None:
    assert main(["rewrite", "program.py", "--plugin", plugin, "--recipe", "two_returns"]) == 0
    assert capsys.readouterr() == (REWRITTEN, "")


@pytest.mark.medium
def test_a_run_records_the_name(folder: Path) -> None:
    (folder / "outputs.jsonl").write_text(json.dumps({"id": "1", "output": "wrong"}) + "\n")
    plugin = ["--plugin", "rules.py", "--recipe", "two_returns"]
    assert main(["run", "rows.jsonl", "--model", "replay:outputs.jsonl", *plugin, "--output", "run"]) == 0
    records = [json.loads(line) for line in (folder / "run" / "samples.jsonl").read_text().splitlines()]
    assert [(one["attempt"], one["source"]) for one in records] == [("original", SOURCE), ("two_returns", REWRITTEN)]
    assert "two_returns" in (folder / "run" / "report.md").read_text()


def install(folder: Path, text: str) -> str:
    """A package with an entry point, as `pip install --target` leaves it; returns its folder."""
    target = folder / "target"
    (target / "pointed-1.0.dist-info").mkdir(parents=True)
    (target / "pointed-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: pointed\nVersion: 1.0\n")
    (target / "pointed-1.0.dist-info" / "entry_points.txt").write_text("[spellout.interventions]\nrule = pointed\n")
    (target / "pointed.py").write_text(text)
    return str(target)


@pytest.mark.medium
def test_an_installed_package_needs_no_option(folder: Path) -> None:
    done = spellout(folder, "rewrite", "program.py", "--recipe", "two_returns", path=install(folder, RULE))
    assert (done.returncode, done.stdout) == (0, REWRITTEN)


@pytest.mark.medium
def test_an_installed_package_that_fails_is_one_line_and_exit_2(folder: Path) -> None:
    done = spellout(folder, "rewrite", "program.py", path=install(folder, "import missing_module\n"))
    said = "spellout: entry point rule: ModuleNotFoundError: No module named 'missing_module'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)
