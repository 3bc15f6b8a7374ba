"""The catalogue of the interventions has examples; the examples of the README and of the Python API run."""

import ast
import re
import runpy
import shlex
from pathlib import Path
from typing import Any

import pytest

from rewrite.baselines import PAPER
from rewrite.interventions.available_value import SharedValue
from rewrite.pipeline.builtin_interventions import PLANNED, REPAIR, builtin_interventions
from rewrite.pipeline.recipes import all_interventions
from rewrite.string_methods.expansion import StringOperationIntervention
from runner.cli import build_parser, main
from runner.inputs.examples import write_examples
from tests.models import SMALL_TRACER
from tests.places import ROOT

DOCS = ROOT / "docs"


@pytest.mark.medium
def test_the_catalogue_shows_every_intervention() -> None:
    shown = runpy.run_path(str(ROOT / "bench" / "interventions.py"))["page"]()
    assert [one.name for one in all_interventions() if f"# {one.name}\n" not in shown] == []


def test_the_page_about_rewriting_lists_every_recipe() -> None:
    section = (DOCS / "rewrite.md").read_text(encoding="utf-8").partition("## Recipes")[2].partition("\n## ")[0]
    known = {recipe for one in builtin_interventions() for recipe in one.recipes}
    assert set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == {*known, PAPER, PLANNED, REPAIR}


def test_every_intervention_has_an_example_and_says_when_it_stays_away() -> None:
    told = [one for one in all_interventions() if not issubclass(one, StringOperationIntervention)]
    told.remove(
        SharedValue
    )  # needs the temporary of another intervention: tests/rewrite/anf/test_available_expressions.py
    assert [i.name for i in told if not i.UNTOUCHED] == []
    assert [i.name for i in told if not i.EXAMPLES] == ["other_recipes", "remaining"], "which only report"


def test_the_readme_shows_what_the_audit_of_figure_3_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"\$ spellout (audit figure3.py [^\n]*)\n(.*?)```", readme, re.DOTALL)
    program = re.search(r"Figure 3: in `(.*?)`", readme)
    assert shown and program
    monkeypatch.chdir(tmp_path)
    (tmp_path / "figure3.py").write_text(program[1] + "\n")
    assert main(shown[1].split()) == 0
    assert capsys.readouterr().out.startswith(shown[2])


def test_every_command_of_the_readme_parses() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"(?:^|`)\$?\s*spellout ([^`\n|]*(?:\n[^`\n|]+(?=`))?)", readme, re.MULTILINE)
    assert len(commands) > 8
    for words in (shlex.split(command.partition(" && ")[0], comments=True) for command in commands):
        if len(words) > 1:  # a command alone is only mentioned
            build_parser(words[:1]).parse_args(words)


@pytest.mark.slow
def test_the_checked_rewrite_of_the_readme_is_refused() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## Design an intervention")[2]
    names: dict[str, Any] = {}
    lines = section.split("```")[1].removeprefix("python\n").rstrip().splitlines()
    exec("\n".join(lines[:-1]), names)
    assert not names["report"].passed and names["report"].failures
    assert eval(lines[-1].partition("#")[0], names)


@pytest.mark.medium
@pytest.mark.model
def test_the_example_of_the_python_api_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="torch is missing (extra model)")
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    code = page.partition("## Example")[2].split("```")[1].removeprefix("python\n")
    code = code.replace('"pocket"', repr(str(SMALL_TRACER)))  # which is faster
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)
    assert names["rewritten"].changed and len(names["read_run"]("runs/mine")) >= 1


@pytest.mark.medium
def test_every_result_as_a_data_frame(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    page = (DOCS / "reference" / "api.md").read_text(encoding="utf-8")
    code = page.partition("## Results as data frames")[2].split("```")[1].removeprefix("python\n")
    monkeypatch.chdir(tmp_path)
    list(write_examples(tmp_path))
    asked = ["run", "cases.jsonl", "--model", "replay:outputs.jsonl", "--recipe", "none", "--output", "runs/a"]
    assert main(asked) == 0
    names: dict[str, Any] = {}
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.Expr):
            frame = eval(compile(ast.Expression(statement.value), "api.md", "eval"), names)
            assert isinstance(frame, pandas.DataFrame)
            assert len(frame) or "undecided" in ast.unparse(statement), ast.unparse(statement)
        else:
            exec(compile(ast.Module([statement], []), "api.md", "exec"), names)
