"""Long sequences of calls: what they are made of, and that there is a bound to them."""

import ast

from rewrite.equivalence.state_walks import state_walks

STORE = "class Store:\n    def put(self, k, v): pass\n    def get(self, k): pass\n    size = property(len)\n"
CALLS = ["Store().put(1, 5)", "Store().put('a', 7)", "Store().get([2])", "Store().get(3)"]


def test_programs_without_state_have_no_sequences() -> None:
    assert state_walks(ast.parse("LIMIT = 3\ndef f(x): pass\ndef g(x): pass\n"), ["f(1)", "g(2)"], 5) == []
    assert state_walks(ast.parse(STORE), ["f(", "unknown().m(1)"], 5) == []


def test_one_instance_gets_many_calls_whose_arguments_meet() -> None:
    found = state_walks(ast.parse(STORE), CALLS, 9)
    assert len(found) == 9
    assert all(text.startswith("made = Store(); ") for text in found)
    assert found[0].split("; ")[1:4] == ["made.put(1, 7)", "made.put('a', 5)", "made.put(3, 7)"]
    assert any("made.get(1)" in text and "made.put(1" in text for text in found)


def test_functions_of_a_module_with_state_are_called_in_a_row() -> None:
    tree = ast.parse("items = []\ndef push(x): items.append(x)\ndef pop(): return items.pop()\n")
    assert state_walks(tree, ["push(1)", "push(2)", "push(3)", "pop()"], 1) == [
        "push(1); push(2); push(3); pop(); pop()"
    ]


def test_inherited_methods_and_properties_are_used() -> None:
    tree = ast.parse("class A:\n    def m(self, x): pass\nclass B(A):\n    @property\n    def p(self): pass\n")
    assert state_walks(tree, ["B().m(1)", "B().p"], 1) == [
        "made = B(); made.m(1); made.m(1); made.m(1); made.p; made.p"
    ]
