"""Which values of a snapshot are the same object, apart from what they contain."""

import json

import pytest

from corpora import run_call
from rewrite.equivalence.aliasing import content_hashes, describe_identity

SAME_CONTENT = {
    "a list twice, and two lists": ("a = []; return [a, a]", "return [[], []]"),
    "an argument and a copy": ("return x", "return list(x)"),
    "an object twice, and two objects": ("a = C(); return {1: a, 2: a}", "return {1: C(), 2: C()}"),
}
OTHER_CONTENT = {
    "an item more": ("a = []; return [a, a]", "return [[], [], []]"),
    "another item": ("a = [1]; return [a, a]", "return [[1], [2]]"),
    "another attribute of the class": ("C.n = 1; return C()", "return C()"),
    "another type": ("return [True]", "return [1]"),
    "a list that contains itself": ("a = []; a.append(a); return a", "return [[]]"),
}


def parts(body: str) -> dict[str, int]:
    source = f"class C:\n    n = 0\ndef f(x):\n    {body}\n"
    return content_hashes(json.loads(run_call(source, "f([3])").snapshot))


@pytest.mark.parametrize("bodies", SAME_CONTENT.values(), ids=SAME_CONTENT)
def test_an_identity_is_no_content(bodies: tuple[str, str]) -> None:
    assert parts(bodies[0]) == parts(bodies[1])


@pytest.mark.parametrize("bodies", OTHER_CONTENT.values(), ids=OTHER_CONTENT)
def test_content_is_told_apart(bodies: tuple[str, str]) -> None:
    assert parts(bodies[0])["ok"] != parts(bodies[1])["ok"]


def test_nodes_without_an_identity_have_no_words() -> None:
    assert describe_identity(["int", "1"], ["int", "2"], []) == ""
    assert describe_identity(["int", "1"], ["ref", 0], []) == ""


def test_an_instance_is_named_by_its_class() -> None:
    whole = {"ok": ["object", 0, "C", []], "arguments": [["ref", 0], ["ref", 7]]}
    assert describe_identity(["ref", 0], ["ref", 1], whole) == "the same C object again, number 0"
    assert describe_identity(["ref", 7], ["list", 2, []], whole) == "the same unknown object again"
