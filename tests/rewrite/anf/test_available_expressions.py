"""Available expressions: where a variable is read, and where the value is computed again because it may differ."""

from textwrap import dedent, indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import gather_evidence
from rewrite.pipeline.driver import rewrite_once
from rewrite.rewriting import rewrite_source
from tests.rewrite.drawn import call_outcome

CALL = "f('banana', 'an')"
BOUND_SINCE = {
    "an operand": "a = a + b",
    "an operand in a loop before": "for a in b: pass",
    "the variable": "n = 0",
    "an operand, sometimes": "if b: a = b",
    "an operand, as the target of an augmented assignment": "a += b",
    "an operand in a tuple": "a, c = b, a",
    "an operand by with": "with open('/dev/null') as a: a = b",
    "an operand by an import": "import string as a\na = b",
    "an operand by a pattern": "match b:\n    case a: pass",
    "an operand by a walrus": "print(a := b)",
    "an operand, deleted": "del a\na = b",
    "an operand by another function": "def g():\n    nonlocal a\n    a = b\ng()",
    "the variable by another function": "def g():\n    nonlocal n\n    n = 0\ng()",
    "an operand by a handler": "try: b.index('c')\nexcept ValueError as a: pass\na = b",
}
ELSEWHERE = {
    "in a branch that may not run": "if b:\n    n = a.find(b)\nelse:\n    n = 0\nreturn n, a.find(b)",
    "in a loop that may not run": "n = 0\nfor c in b:\n    n = a.find(b)\nreturn n, a.find(b)",
    "before an error": "n = 0\ntry:\n    b.index('c')\n    n = a.find(b)\nexcept ValueError: pass\nreturn n, a.find(b)",
    "in a handler of what bound an operand": "n = a.find(b)\ntry:\n    a = b\n    b.index('c')\nexcept ValueError:\n"
    "    return n, a.find(b)",
    "in a loop that binds an operand later": "n = a.find(b)\nfor c in b:\n    m = a.find(b)\n    a = a[1:]\nreturn m",
    "in the test of a loop that binds an operand": "n = a.find(b)\nwhile a.find(b) >= 0:\n    a = a[1:]\nreturn n, a",
    "after an elif that binds an operand": "n = a.find(b)\nif (a := a[1:]) == b: return n\n"
    "elif a.find(b) > 0: return n, 1\nreturn n, 2",
    "of the variable of a comprehension": "n = a.find(b)\nreturn n, [a.find(b) for a in (b, a)]",
    "in another function": "n = a.find(b)\ndef g(a): return a.find(b)\nreturn n, g(b)",
    "of an operand that the assignment binds": "a = a.strip(b)\nreturn a, a.strip(b)",
    "of a variable that may be unbound": "for c in a[:0]:\n    n = a.find(b)\nm = a.find(b)\nreturn m",
}
UNSUITABLE = {
    "an operation with a side effect": "n = a.find(str(print(b)))\nreturn n, a.find(str(print(b)))",
    "a list, which may change": "c = list(a)\nn = len(c)\nc.pop()\nreturn n, len(c)",
    "a new list": "n = a.split(b)\nm = a.split(b)\nn.append(b)\nreturn n, m",
    "a value that depends on the process": "n = hash(a)\nreturn n == hash(a)",
    "a module that observes identity": "n = a + b\nreturn n is a + b",
    "a module that observes addresses": "n = a + b\nm = a + b\nreturn id(n) == id(m)",
    "a module that compares objects": "from operator import is_\nn = a + b\nm = a + b\nreturn is_(n, m)",
    "a module that may compare objects": "import operator\nn = a + b\nreturn getattr(operator, 'is_')(n, a + b)",
    "a module that compares as object": "n = a + b\nm = a + b\nreturn object.__eq__(n, m)",
    "a module that writes an object once": "import pickle\nn = a + b\nreturn pickle.dumps([n, a + b])",
    "a module that counts references": "import sys\nn = a + b\nm = a + b\nreturn sys.getrefcount(n) + len(m)",
    "what the variable has already": "n = a.find(b)\nn = a.find(b)\nreturn n",
    "a builtin that is not one": "len = a.find\nn = len(b)\na = b\nreturn n, len(b)",
}


def function(body: str) -> str:
    return f"def f(a, b):\n{indent(body, '    ')}\n"


def with_values_read(body: str, call: str = CALL) -> str:
    """The body with available expressions read."""
    made = rewrite_source(function(body), "available_value", calls=[call])
    return dedent(made.source.partition("\n")[2]).rstrip()


@pytest.mark.parametrize("body", BOUND_SINCE.values(), ids=BOUND_SINCE)
def test_what_was_bound_since_is_computed_again(body: str) -> None:
    body = f"n = a.find(b)\n{body}\nreturn n, a.find(b)"
    assert with_values_read(body) == body


@pytest.mark.parametrize("body", [*ELSEWHERE.values(), *UNSUITABLE.values()], ids=[*ELSEWHERE, *UNSUITABLE])
def test_what_is_not_available_is_computed(body: str) -> None:
    assert with_values_read(body) == body


def test_other_types_are_computed_again() -> None:
    body = "n = a + b\nreturn n, a + b"
    assert with_values_read(body, "f([1], [2])") == body


READ = {
    "as an operand": ("n = a.find(b)\nreturn a[a.find(b):]", "n = a.find(b)\nreturn a[n:]"),
    "whatever the layout": ("n = a.find( b )\nreturn (a.find(b))", "n = a.find( b )\nreturn n"),
    "as a condition": ("n = a < b\nif a < b:\n    return n", "n = a < b\nif n:\n    return n"),
    "in a branch, a loop and a handler": (
        "n = len(a)\nif b:\n    for c in b:\n        try:\n            return len(a)\n        except: pass\nreturn n",
        "n = len(a)\nif b:\n    for c in b:\n        try:\n            return n\n        except: pass\nreturn n",
    ),
    "before an operand is bound": ("n = a.strip(b)\na = a.strip(b)\nreturn n, a", "n = a.strip(b)\na = n\nreturn n, a"),
    "after other operands, which stay": (
        "n = len(a)\nc = [b]\nreturn c.pop() + a[len(a) - 1]",
        "n = len(a)\nc = [b]\nreturn c.pop() + a[n - 1]",
    ),
}


@pytest.mark.parametrize(("body", "expected"), READ.values(), ids=READ)
def test_an_available_value_is_read(body: str, expected: str) -> None:
    assert with_values_read(body) == expected


def planned(source: str, call: str) -> str:
    context = RewriteContext("assume", gather_evidence(source, [call]), {}, condensed=True)
    return rewrite_once(source, "planned", context, options={}).source


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ("c = a[: a.find(b, 0) + 1]\nreturn c + a[a.find(b, 0) + 1 :]", "find"),
        ("c = a.upper().count(b) + 1\nreturn c * a.upper().count(b)", "count"),
        ("return a[: len(b)] * (len(b) + 1)", "len(b"),
        ("c = a.upper()\nreturn c, a.upper() + b", "upper"),
    ],
)
def test_a_temporary_is_shared_whatever_computes_it(body: str, again: str) -> None:
    assert planned(function(body), CALL).count(again) <= 1


VALUES = ("a.find(b)", "len(a)", "a + b", "a[:2]", "b.upper()", "a.find(b) + 1", "a < b", "len(b) * 2")
SIMPLE = st.one_of(
    st.builds("{} = {}".format, st.sampled_from("xyab"), st.sampled_from([*VALUES, "a", "b", "x", "str(len(b))"])),
    st.builds("seen.append({})".format, st.sampled_from(VALUES)),
    st.sampled_from(["a += 'n'", "a, b = b, a", "b = str(x)", "if a[9]: pass", "seen.append((a := b))", "a = a[1:]"]),
)
HEADS = ("if {}:", "for c in b:", "for a in str({})[:2]:", "while len(a) > 2 and {}:\n    a = a[1:]", "try:")


def blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map("\n".join)
    heads = st.builds(str.format, st.sampled_from(HEADS), st.sampled_from(VALUES))
    ends = st.builds("except IndexError:\n{}".format, body.map(lambda text: indent(text, "    ")))
    whole = st.builds("{}\n{}".format, heads, body.map(lambda text: indent(text, "    ")))
    return st.builds(lambda block, end: f"{block}\n{end}" if block.startswith("try") else block, whole, ends)


STATEMENTS = st.lists(st.recursive(SIMPLE, blocks, max_leaves=6), min_size=2, max_size=6).map("\n".join)


@pytest.mark.medium
@settings(max_examples=30)
@given(STATEMENTS)
def test_programs_do_the_same(body: str) -> None:
    source = function(f"x = y = 0\nseen = []\n{body}\nreturn seen, x, y, a, b, len(str(a)), str(a) + str(b)")
    read = rewrite_source(source, "available_value", calls=[CALL]).source
    assert {call_outcome(one, CALL) for one in (read, planned(source, CALL))} == {call_outcome(source, CALL)}
