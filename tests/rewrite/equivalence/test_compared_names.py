"""Which names of two modules are compared: what only the rewrite added is not, all else is."""

import pytest

from corpora.execute import run_calls
from rewrite.equivalence.compared_names import NameFilter, differing_globals, module_names
from rewrite.equivalence.observation import difference

CALL = "f(2)"


def seen(before: str, after: str, call: str = CALL, *, loaded: bool = False) -> str:
    """What differs of the two programs after the call, when what is not compared has been left out; "" for nothing."""
    outcomes = [run_calls(source, [call], sequences=True, seconds=10)[0] for source in (before, after)]
    return difference(*NameFilter(before, after).filtered(outcomes[0], outcomes[1], loaded=loaded))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(n):\n    return n + 1\n", "_t0 = 1\ndef f(n):\n    return n + _t0\n"),
        ("def f(n):\n    return n + 1\n", "def _g(n):\n    return n + 1\ndef f(n):\n    return _g(n)\n"),
        ("import re\ndef f(n):\n    return n\n", "def f(n):\n    return n\n"),
        ("def f(n):\n    return n\n", "from functools import cache\n@cache\ndef f(n):\n    return n\n"),
        (
            "A = [[]]\nB = A[0]\ndef f(n):\n    B.append(n)\n",
            "_t0 = [[]]\nA = _t0\nB = A[0]\ndef f(n):\n    B.append(n)\n",
        ),
    ],
    ids=["a temporary", "a helper", "an import that nothing needs", "a cache", "another name of a value"],
)
@pytest.mark.parametrize(("call", "loaded"), [(CALL, False), ("pass", True)])
def test_what_only_a_rewrite_has_is_not_compared(before: str, after: str, call: str, loaded: bool) -> None:
    assert seen(before, after, call, loaded=loaded) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("N = 1\ndef f(n):\n    return n\n", "N = 2\ndef f(n):\n    return n\n"),
        ("N = 1\ndef f(n):\n    return n\n", "def f(n):\n    return n\n"),
        ("def f(n):\n    return n\n", "def f(n, m=1):\n    return n\n"),
        (
            "def f(n):\n    try:\n        return N\n    except NameError:\n        return n\n",
            "N = 1\ndef f(n):\n    return n\n",
        ),
    ],
    ids=["a value", "a name that is gone", "a signature", "a name that the original looks for"],
)
def test_what_the_original_has_or_mentions_is_compared(before: str, after: str) -> None:
    assert seen(before, after, "pass", loaded=True)


INSTANCE = "class C:\n    def __init__(self, n):\n        self.n = n\n{}def f(n):\n    return C(n)\n"
DATACLASS = "from dataclasses import dataclass\n{}\nclass C:\n    n: int\ndef f(n):\n    return C(n)\n"


@pytest.mark.parametrize(
    "added",
    ["    def part(self):\n        return 1\n", "    @property\n    def part(self):\n        return 1\n"],
    ids=["a method", "a property"],
)
def test_what_only_a_rewritten_class_has_and_nothing_looks_up_is_not_compared(added: str) -> None:
    assert seen(INSTANCE.format(""), INSTANCE.format(added)) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DATACLASS.format("@dataclass"), DATACLASS.format("@dataclass(frozen=True)")),
        (INSTANCE.format(""), INSTANCE.format("    __hash__ = None\n")),
        (INSTANCE.format(""), INSTANCE.format("    def __eq__(self, other):\n        return True\n")),
        (INSTANCE.format(""), INSTANCE.format("    __slots__ = ('n',)\n")),
        (INSTANCE.format("    n2 = property(abs)\n"), INSTANCE.format("")),
        (
            INSTANCE.format("    @staticmethod\n    def g(n):\n        return n\n"),
            INSTANCE.format("    @classmethod\n    def g(n):\n        return n\n"),
        ),
    ],
    ids=["a frozen dataclass", "no hash", "equality", "slots", "a property", "a class method"],
)
def test_what_instances_of_a_returned_class_can_do_is_compared(before: str, after: str) -> None:
    assert seen(before, before) == seen(after, after) == ""
    assert seen(before, after) == "value"


def test_names_in_texts_count_where_the_program_can_reach_them_by_text() -> None:
    assert "total" in module_names("def f():\n    return globals()['total']\n")
    assert "total" not in module_names("def f():\n    return 'total'\n")


def test_a_program_that_does_not_compile_has_no_names() -> None:
    assert module_names("def f(a):\n    return [x for x in (n := 3, *a)]\n") == set()


def test_the_modules_own_names_are_told_whose_descriptions_differ() -> None:
    before, after = (
        run_calls(source, ["pass"], sequences=True, seconds=10)[0] for source in ("A = B = 1\n", "A = 1\nB = 2\n")
    )
    assert differing_globals(before, after) == ["B"]


def test_a_cache_that_takes_no_lists_tells_nothing() -> None:
    before, after = "def f(x):\n    return 1\n", "from functools import cache\n@cache\ndef f(x):\n    return 1\n"
    outcomes = [run_calls(source, ["f([])"], sequences=True, seconds=10)[0] for source in (before, after)]
    assert NameFilter(before, after).is_rejected_by_added_cache(outcomes[0], outcomes[1])
    assert not NameFilter(after, after).is_rejected_by_added_cache(outcomes[1], outcomes[0])
