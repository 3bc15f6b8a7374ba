"""What counts as a difference between two outcomes, and what proves nothing."""

from dataclasses import replace

import pytest

from corpora import Outcome, run_call
from corpora.program import Status
from rewrite.equivalence.observation import Counterexample, difference, undecided_reason

DIFFERENT = {
    "True and 1": ("return True", "return 1"),
    "0.0 and -0.0": ("return 0.0", "return -0.0"),
    "a list and a tuple": ("return [1]", "return (1,)"),
    "a list and a generator of the same items": ("return [1, 2]", "return (x for x in [1, 2])"),
    "a generator and a list iterator": ("return (x for x in [1, 2])", "return iter([1, 2])"),
    "one object twice and two equal ones": ("return [a, a]", "return [a, a[:]]"),
    "the argument and a copy of it": ("return a", "return a[:]"),
    "keys in another order": ("return {1: 1, 2: 2}", "return {2: 2, 1: 1}"),
    "printing and not": ("print('x')", "pass"),
    "an argument changed": ("a.append(1)", "pass"),
    "a global changed": ("global n; n = 1", "pass"),
    "a global set to an equal value of another type": ("global n; n = True", "global n; n = 1"),
    "exceptions of another type": ("raise KeyError('x')", "raise IndexError('x')"),
    "exceptions with another text": ("raise ValueError('x')", "raise ValueError('y')"),
    "exceptions with arguments of another type": ("raise ValueError(1)", "raise ValueError('1')"),
    "raising None's way out and returning it": ("raise SystemExit", "return None"),
    "a class attribute of the result": ("class C: x = 1\n    return C()", "class C: x = 2\n    return C()"),
    "a function kept in a global": ("global n; n = lambda: 1", "global n; n = 1"),
    "a global function exchanged": ("global g; g = f", "pass"),
    "an attribute of the result": ("class C: pass\n    c = C(); c.x = 1; return c", "class C: pass\n    return C()"),
}
SAME = {
    "sets built in another order": ("return {1, 9, 17}", "return {17, 9, 1}"),
    "the name of a local": ("x = 1; return x", "_t0 = 1; return _t0"),
    "a generator under another name": ("return (x for x in a)", "def g():\n        yield from a\n    return g()"),
    "equal strings made in another way": ("return 'ab'", "return ''.join(['a', 'b'])"),
    "an object without a repr of its own": (
        "class C: pass\n    return C()",
        "class C: pass\n    x = 1\n    return C()",
    ),
}


def outcomes(bodies: tuple[str, str]) -> list[Outcome]:
    return [run_call(f"n = 0\ndef f(a):\n    {body}\ndef g(): pass\n", "f([5])") for body in bodies]


@pytest.mark.parametrize("bodies", DIFFERENT.values(), ids=DIFFERENT)
def test_these_are_told_apart(bodies: tuple[str, str]) -> None:
    before, after = outcomes(bodies)
    assert difference(before, after)
    assert not undecided_reason(before, after)


@pytest.mark.parametrize("bodies", SAME.values(), ids=SAME)
def test_these_are_the_same(bodies: tuple[str, str]) -> None:
    before, after = outcomes(bodies)
    assert difference(before, after) == ""


@pytest.mark.parametrize("body", [body for pair in DIFFERENT.values() for body in pair])
def test_a_program_does_not_differ_from_itself(body: str) -> None:
    before, after = outcomes((body, body))
    assert difference(before, after) == ""


def test_an_object_that_claims_to_equal_everything_is_not_asked() -> None:
    liar = "class L:\n    def __eq__(self, other): return True\ndef f(): return L() if {} else 1\n"
    before, after = (run_call(liar.replace("{}", truth), "f()") for truth in ("True", "False"))
    assert difference(before, after) == "value"


def test_an_empty_set_keeps_no_repr_from_being_compared() -> None:
    source = "class C:\n    def __repr__(self): return 'one'\ndef f(): return C(), set(), frozenset(), {}\n"
    before, other = (run_call(text, "f()") for text in (source, source.replace("one", "two")))
    assert difference(before, other) == "repr of a value"
    members = source.replace("{}", "{1, 2}")
    before, other = (run_call(text, "f()") for text in (members, members.replace("one", "two")))
    assert difference(before, other) == "", "their order is not part of the value"


def test_a_repr_of_the_programs_own_is_compared() -> None:
    source = "class C:\n    def __repr__(self): return 'one'\ndef f(): return C()\n"
    before, after = run_call(source, "f()"), run_call(source.replace("one", "two"), "f()")
    assert difference(before, after) == "repr of a value"


@pytest.mark.parametrize("status", ["timeout", "memory", "output", "crashed", "refused"])
def test_a_run_that_was_stopped_proves_nothing(status: Status) -> None:
    done = Outcome("ok", value="1")
    stopped = replace(done, status=status)
    assert status in undecided_reason(done, stopped)
    assert status in undecided_reason(stopped, done)


@pytest.mark.medium
def test_a_result_too_large_to_describe_is_undecided_and_not_the_same() -> None:
    source = "def f():\n    return [0] * 300_000\n"
    before, after = run_call(source, "f()"), run_call(source + "\n", "f()")
    assert difference(before, after) == ""
    assert undecided_reason(before, after)


def test_a_counterexample_shows_where_texts_alone_look_the_same() -> None:
    before, after = outcomes(("return [a, a]", "return [a, a[:]]"))
    text = str(Counterexample("f([5])", difference(before, after), before, after))
    assert text.startswith("f([5])  # differs in: aliasing: which values are the same object\n")
    assert "#   before: in detail: the same list object again\n#   after:  -> [[5], [5]]\n" in text
    assert text.endswith("#   after:  in detail: another list object")
    compile(text, "pasted", "exec")


def test_a_counterexample_can_be_pasted_though_the_exception_spans_lines() -> None:
    before, after = outcomes(("raise ValueError('a\\nb')", "raise ValueError('a\\nc')"))
    compile(str(Counterexample("f([5])", difference(before, after), before, after)), "pasted", "exec")
