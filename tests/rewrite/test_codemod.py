"""The codemod commands, through LibCST's own runner."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from libcst.codemod import CodemodContext, TransformSuccess, transform_module

from corpora.errors import InputError
from rewrite import codemod
from rewrite.codemod import Decompose, command
from rewrite.pipeline.recipes import all_interventions
from rewrite.rewriting import rewrite_source
from tests.places import ROOT


def test_a_command_for_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(InputError):
        command("typo")


def test_a_class_that_there_is_not_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Typo'"):
        getattr(codemod, "Typo")  # noqa: B009 - as LibCST's runner asks


def test_commands_go_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(codemod.FindText)) is command("find_text")


@pytest.mark.medium
def test_libcsts_own_runner_finds_the_command_of_an_intervention(tmp_path: Path) -> None:
    before = "def f(text):\n    return text.find('-')\n"
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(before, encoding="utf-8")
    (tmp_path / ".libcst.codemod.yaml").write_text("formatter: ['cat']\nrepo_root: '.'\n", encoding="utf-8")
    words = ["-m", "libcst.tool", "codemod", "-x", "rewrite.codemod.Find", "a.py", "b.py"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, *words], cwd=tmp_path, env=env, check=True, capture_output=True)
    for name in ("a.py", "b.py"):
        assert (tmp_path / name).read_text(encoding="utf-8") == rewrite_source(before, "find").source != before


def test_the_recipe_runs_as_a_codemod_and_warns_of_what_it_left() -> None:
    source = "def f(a):\n    return len(a) + 1\n\ndef g():\n    return len(str(locals()))\n"
    result = transform_module(Decompose(CodemodContext()), source)
    assert isinstance(result, TransformSuccess)
    assert result.code.startswith("def f(a):\n    _t0 = len(a)\n    return _t0 + 1\n")
    assert result.warning_messages == ["left alone: the scope uses locals"]


@pytest.mark.medium
def test_every_intervention_has_a_command() -> None:
    for intervention in all_interventions():
        examples = [(one.before, one.after) for one in intervention.EXAMPLES if not one.with_call]
        for before, after in examples or [(one.source, one.source) for one in intervention.UNTOUCHED]:
            result = transform_module(command(intervention.name)(CodemodContext()), before)
            assert isinstance(result, TransformSuccess)
            assert result.code == after
