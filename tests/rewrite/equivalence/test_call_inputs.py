"""Inputs made from given calls, from annotations and from nothing."""

import ast
import re
from collections.abc import Sequence

import pytest

from corpora.errors import InputError
from rewrite.equivalence.argument_strategies import ConstantPool
from rewrite.equivalence.call_inputs import call_strategy, draw_distinct, generate_calls


def made(source: str, given: Sequence[str] = (), count: int = 150) -> list[str]:
    return draw_distinct(call_strategy(ast.parse(source), given), count)


def arguments(texts: list[str], place: int = 0) -> list[object]:
    """The values at one place, of calls that have no shared object."""
    nodes = [ast.parse(text, mode="eval").body for text in texts if not text.startswith("(lambda")]
    return [ast.literal_eval(node.args[place]) for node in nodes if isinstance(node, ast.Call)]


def test_a_call_of_what_the_program_does_not_define_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="the program does not define g"):
        made("def f(x): pass", ["f(1)", "g(1)"])


@pytest.mark.parametrize(
    "source", ["from math import *", "import m as g", "g = len", "for g in []: pass", "def g(): 1"]
)
def test_what_a_program_may_bind_can_be_called(source: str) -> None:
    assert made(source, ["g()"]) == ["g()"]
    assert made("", ["len()"]) == ["len()"]


def test_a_program_without_anything_public_is_only_loaded() -> None:
    assert made("x = 1\ndef _private(): pass") == ["pass"]


def test_a_program_of_classes_is_called_by_their_methods() -> None:
    source = (
        "class A:\n    def __init__(self, x, *, y): pass\n    def m(self, z: bool): pass\n    def _n(self): pass\n"
        "class B:\n    def m(self): pass"
    )
    texts = made(source)
    assert "B().m()" in texts
    calls = [text for text in texts if text.startswith("A(")]
    assert len(calls) > 50 and all(re.fullmatch(r"(?s)A\(.*, y=.*\)\.m\((True|False)\)", text) for text in calls)


def test_what_a_method_is_called_on_varies() -> None:
    texts = made("class A: pass", ["A(1).m(2)"])
    assert {text.partition(")")[0] for text in texts} > {"A(0", "A(1", "A(2"}


@pytest.mark.parametrize(("source", "given"), [("", ["f(1 + 2j)"]), ("def f(x: complex): pass", [])])
def test_complex_numbers_vary_in_both_parts(source: str, given: list[str]) -> None:
    drawn = {text.removeprefix("f(complex(") for text in made(source or "def f(x): pass", given) if "complex" in text}
    assert len(drawn) > 50 and {"0.0, 0.0))", "-0.0, 0.0))"} < drawn


def test_a_call_that_does_not_parse_is_the_users_mistake() -> None:
    with pytest.raises(InputError, match="not a call"):
        made("def f(x): pass", ["f(1"])


def test_a_call_without_literals_is_all_there_is() -> None:
    assert made("def f(): pass", ["f()"]) == ["f()"]


@pytest.mark.medium
def test_the_same_question_gives_the_same_inputs() -> None:
    source = "def f(s, n):\n    return s.find('-.', n)"
    assert made(source, ["f('a-.-b', 2)"]) == made(source, ["f('a-.-b', 2)"])


def test_inputs_are_different_and_as_many_as_asked_for() -> None:
    texts = made("def f(s): pass", ["f('abc')"], 100)
    assert len(texts) == len(set(texts)) == 100


@pytest.mark.medium
def test_types_follow_the_given_values_and_now_and_then_do_not() -> None:
    values = arguments(made("def f(x): pass", ["f([1, 2])"]))
    lists = [value for value in values if isinstance(value, list)]
    assert len(values) > len(lists) > len(values) / 2
    assert {type(item) for value in lists for item in value} >= {int}


@pytest.mark.medium
def test_an_annotated_parameter_gets_nothing_else() -> None:
    source = "def f(x: 'list[str] | None', n: int): pass"
    values = arguments(made(source))
    assert {type(value) for value in values} == {list, type(None)}
    assert {type(item) for value in values if isinstance(value, list) for item in value} == {str}


@pytest.mark.parametrize(
    ("annotation", "types"),
    [
        ("int", {int}),
        ("bool", {bool}),
        ("float", {float}),
        ("Optional[str]", {str, type(None)}),
        ("typing.List[int]", {list}),
        ("Dict[str, int]", {dict}),
        ("tuple[int, ...]", {tuple}),
        ("tuple[int, str]", {tuple}),
        ("set[int]", {set}),
        ("int | str", {int, str}),
    ],
)
def test_annotations_are_read_as_syntax(annotation: str, types: set[type]) -> None:
    texts = made(f"def f(x: {annotation}): pass")
    values = [eval(text, {"f": lambda x: x, "set": set}) for text in texts]
    assert {type(value) for value in values} == types


def test_strings_hold_what_the_program_mentions_in_both_cases() -> None:
    source = "def f(s):\n    return s.find('xY') + s.count('::')"
    whole = "".join(value for value in arguments(made(source, ["f('k')"])) if isinstance(value, str))
    for piece in ("xY", "XY", "xy", "::", "k", "\n", "ß"):
        assert piece in whole


@pytest.mark.parametrize(("parameter", "given"), [("b", ["f(b'ab')"]), ("b: bytes", [])])
def test_bytes_vary_and_may_be_no_ascii(parameter: str, given: list[str]) -> None:
    values = {one for one in arguments(made(f"def f({parameter}):\n    return b", given)) if isinstance(one, bytes)}
    assert b"" in values and len(values) > 50 and any(max(one, default=0) > 127 for one in values)


def test_numbers_stand_next_to_those_the_program_mentions() -> None:
    values = arguments(made("def f(n):\n    return n > 1000", ["f(3)"], 200))
    assert {999, 1000, 1001} <= {value for value in values if isinstance(value, int)}


@pytest.mark.medium
def test_two_lists_are_sometimes_one() -> None:
    texts = made("def f(a, b): pass", ["f([1], [2])"], 200)
    assert any(text.startswith("(lambda shared: f(shared, shared))(") for text in texts)


@pytest.mark.medium
def test_what_is_looked_for_is_often_in_what_it_is_looked_for_in() -> None:
    calls = [ast.parse(text, mode="eval").body for text in made("def f(s, t): pass", ["f('quoted', 'zyx')"])]
    pairs = [tuple(map(ast.literal_eval, call.args)) for call in calls if isinstance(call, ast.Call)]
    texts = [(s, t) for s, t in pairs if isinstance(s, str) and isinstance(t, str) and len(s) > 3 and len(t) > 1]
    assert sum(t in s for s, t in texts) > len(texts) / 10


@pytest.mark.medium
def test_dictionaries_keep_keys_that_were_given() -> None:
    values = arguments(made("def f(d): pass", ["f({'name': 1, 'age': 2})"]))
    assert sum(value == {"name": 1} for value in values) < sum(
        "name" in value for value in values if type(value) is dict
    )


def test_without_anything_known_many_kinds_are_tried() -> None:
    assert {int, str, list, type(None)} <= {type(value) for value in arguments(made("def f(x): pass"))}


def test_no_folder_is_left_in_the_working_directory(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    made("def f(x): pass", ["f('a')"], 30)
    assert list(tmp_path.iterdir()) == []


def test_words_are_the_constants_of_the_program_and_of_the_samples() -> None:
    words = ConstantPool.of(ast.parse("x = 'ab' if 7 else b'c'"), [["d", {1: ("e",)}]])
    assert words.strings == ("ab", "d", "e")
    assert words.integers == (7, 1)


@pytest.mark.parametrize(
    ("source", "call", "seen"),
    [
        pytest.param("def f(a, b): ...", "f(a=1, b=2)", False, id="named parameters have no order"),
        pytest.param("def f(**kw): ...", "f(a=1)", False, id="one keyword"),
        pytest.param("def f(**kw): ...", "f(a=1, b=2)", True, id="keywords have one"),
        pytest.param("@g\ndef f(a, b): ...", "f(a=1, b=2)", True, id="a decorator may see it"),
        pytest.param("class A:\n    def m(self, **kw): ...", "A().m(a=1, b=2)", True, id="a method"),
    ],
)
def test_keywords_come_in_another_order_if_the_function_can_see_it(source: str, call: str, seen: bool) -> None:
    tree = ast.parse(source)
    tree.body[0:0] = ast.parse("def g(function): return function").body
    turned = {made for made in generate_calls(tree, tree, [call], 60) if -1 < made.find("b=") < made.find("a=")}
    assert (len(turned) > 5) is seen
