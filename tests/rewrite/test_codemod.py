"""The codemod commands, through LibCST's own runner."""

import pytest
from libcst.codemod import CodemodContext, TransformSuccess, transform_module

from corpora.errors import InputError
from rewrite.codemod import Decompose, command
from rewrite.recipe import known


def test_a_command_for_an_unknown_recipe_is_refused() -> None:
    with pytest.raises(InputError):
        command("typo")


def test_the_recipe_runs_as_a_codemod_and_warns_of_what_it_left() -> None:
    source = "def f(a):\n    return len(a) + 1\n\ndef g():\n    return len(str(locals()))\n"
    result = transform_module(Decompose(CodemodContext()), source)
    assert isinstance(result, TransformSuccess)
    assert result.code.startswith("def f(a):\n    _t0 = len(a)\n    return _t0 + 1\n")
    assert result.warning_messages == ["left alone: the scope uses locals"]


def test_every_intervention_has_a_command() -> None:
    for intervention in known():
        example = intervention.EXAMPLES[0]
        result = transform_module(command(intervention.name)(CodemodContext()), example.before)
        assert isinstance(result, TransformSuccess)
        assert result.code == example.after
