"""Interventions from outside: by decorator, plug-in, entry point, and given directly."""

from importlib import metadata
from pathlib import Path
from typing import Any, ClassVar

import libcst as cst
import pytest
from libcst.codemod import VisitorBasedCodemodCommand

from corpora.errors import InputError
from rewrite.anf.intervention import StatementIntervention
from rewrite.anf.lowering import Lowering
from rewrite.anf.lowering_plan import LoweringPlan
from rewrite.interventions.branch_swap import BranchSwap
from rewrite.pipeline import registration
from rewrite.pipeline.recipes import recipe_names
from rewrite.pipeline.registration import intervention, load_plugin, recipe_name
from rewrite.rewriting import rewrite_source

SOURCE = "def f(n):\n    pass\n    return n + 1\n"


class OnePass(StatementIntervention):
    """`pass` as a string that says so."""

    name = "one_pass"
    statements: ClassVar[tuple[type[cst.CSTNode], ...]] = (cst.Pass,)

    def __init__(self, text: str = "pass") -> None:
        super().__init__()
        self.text = text

    def claims(self, node: cst.Pass, plan: LoweringPlan) -> bool:
        return True

    def expand(self, node: cst.Pass, steps: Lowering) -> cst.Expr:
        return cst.Expr(cst.SimpleString(repr(self.text)))


class MyCodemod(VisitorBasedCodemodCommand):
    """Replaces `pass` by `...`."""

    def leave_Pass(self, original_node: cst.Pass, updated_node: cst.Pass) -> cst.Expr:  # noqa: N802 - LibCST's name
        return cst.Expr(cst.Ellipsis())


class MyTransformer(cst.CSTTransformer):
    """Replaces `pass` by `0`."""

    def leave_Pass(self, original_node: cst.Pass, updated_node: cst.Pass) -> cst.Expr:  # noqa: N802 - LibCST's name
        return cst.Expr(cst.Integer("0"))


def without_pass(source: str) -> str:
    return source.replace("    pass\n", "")


@pytest.mark.parametrize("given", [1, object(), int, [], [without_pass, BranchSwap]])
def test_what_is_no_recipe_is_refused(given: Any) -> None:
    with pytest.raises(InputError):
        recipe_name(given)


def test_a_taken_name_is_refused() -> None:
    def decompose(source: str) -> str:
        return source

    with pytest.raises(InputError, match="built-in"):
        intervention(decompose)
    intervention(without_pass)
    other = type("Other", (OnePass,), {"name": "without_pass", "__module__": "elsewhere"})
    with pytest.raises(InputError, match="the name is taken by"):
        intervention(other)


def test_a_function_defined_again_replaces_the_first() -> None:
    for text in ("1", "2"):
        space: dict[str, Any] = {"__name__": "notebook"}
        exec(f"def again(source): return source.replace('pass', '{text}')", space)
        assert rewrite_source(SOURCE, space["again"]).source == SOURCE.replace("pass", text)


GATE: dict[str, tuple[Any, str]] = {
    "does not compile": (lambda source: source + "(", "does not compile"),
    "is not stable": (lambda source: source + "\n", "a second application"),
    "raises": (lambda source: str(1 // 0), "raised ZeroDivisionError"),
    "returns something else": (lambda source: 1, "returned int"),
    "does something else": (lambda source: source.replace("n + 1", "n + 2"), "it does something else"),
}


@pytest.mark.parametrize("fault", GATE)
def test_a_wrong_rewrite_is_refused_with_the_reason(fault: str) -> None:
    function, reason = GATE[fault]

    def named(source: str) -> Any:
        return function(source)

    named.__name__ = "wrong"
    result = rewrite_source(SOURCE, recipe=named, calls=["f(1)"])
    assert not result.changed and result.source == SOURCE
    assert reason in result.left[0].reason


class Unstable(OnePass):
    """Writes what it claims."""

    name = "unstable"
    statements: ClassVar[tuple[type[cst.CSTNode], ...]] = (cst.Pass, cst.Expr)

    def expand(self, node: Any, steps: Lowering) -> cst.Expr:
        return cst.Expr(cst.Tuple([cst.Element(getattr(node, "value", cst.Integer("1")))]))


def test_an_unstable_intervention_is_refused() -> None:
    result = rewrite_source(SOURCE, recipe=Unstable())
    assert not result.changed and "second application" in result.left[0].reason


def test_an_instance_keeps_its_settings() -> None:
    result = rewrite_source(SOURCE, recipe=[OnePass("later")])
    assert result.source == SOURCE.replace("pass", "'later'")
    assert [(change.intervention, change.line) for change in result.changes] == [("one_pass", 2)]


def test_several_interventions_are_one_recipe() -> None:
    source = "def f(n):\n    if n:\n        pass\n    else:\n        return len(n) + 1\n"
    result = rewrite_source(source, recipe=[OnePass(), BranchSwap, "expressions"])
    assert result.source == (
        "def f(n):\n    if not n:\n        _t0 = len(n)\n        return _t0 + 1\n    else:\n        'pass'\n"
    )
    assert {change.intervention for change in result.changes} == {"one_pass", "branch_swap", "temporaries"}


@pytest.mark.parametrize(("given", "written"), [(MyCodemod, "..."), (MyTransformer, "0"), (MyTransformer(), "0")])
def test_a_codemod_is_a_recipe(given: Any, written: str) -> None:
    result = rewrite_source(SOURCE, recipe=given, calls="f(1)")
    assert result.source == SOURCE.replace("pass", written)
    assert result.changes[0].line == 2 and result.origins == (1, 2, 3, 4)


def test_a_function_knows_the_lines_it_changed() -> None:
    result = rewrite_source(SOURCE, recipe=without_pass, calls="f(1)")
    assert result.source == "def f(n):\n    return n + 1\n"
    assert result.origins == (1, 3, 4)
    assert [(change.intervention, change.line) for change in result.changes] == [("without_pass", 2)]


def test_a_decorated_class_belongs_to_the_recipes_that_it_names() -> None:
    members = {"name": "joined", "recipes": ("decompose",), "__init__": StatementIntervention.__init__, "text": "in"}
    intervention(type("Joined", (OnePass,), members))
    assert "'in'" in rewrite_source(SOURCE).source
    assert "joined" in recipe_names()


PLUGIN = "import spellout\n\n@spellout.intervention\ndef plugged(source):\n    return source.replace('pass', '0')\n"


def test_a_plugin_file_registers(tmp_path: Path) -> None:
    path = tmp_path / "my_plugin.py"
    path.write_text(PLUGIN)
    load_plugin(str(path))
    assert rewrite_source(SOURCE, "plugged").changed


@pytest.mark.parametrize(("text", "reason"), [("x = 1\n", "registers no"), ("1 / 0\n", "ZeroDivisionError")])
def test_a_plugin_that_registers_nothing_is_an_error(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "empty_plugin.py"
    path.write_text(text)
    with pytest.raises(InputError, match=reason):
        load_plugin(str(path))
    with pytest.raises(InputError, match="No module named"):
        load_plugin("no_such_plugin")


def test_an_entry_point_registers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pointed.py").write_text(PLUGIN.replace("plugged", "pointed_at"))
    folder = tmp_path / "pointed-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: pointed\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[spellout.interventions]\npointed = pointed\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert "pointed" in {point.name for point in metadata.entry_points(group=registration.GROUP)}
    registration._load_entry_points.cache_clear()
    assert rewrite_source(SOURCE, "pointed_at").changed
