"""The string interventions against CPython's own methods: arbitrary Unicode, bounds, counts, odd receivers."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from rewrite.rewriting import rewrite_source
from rewrite.string_methods.reference import OPERATIONS, references
from tests.samples import drawn_values


class Subclass(str):
    """Not exactly a str."""


# Case pairs that depend on neighbours (sigma), grow (ß, İ), have three cases (ǅ); a combining mark; a lone surrogate.
CHARACTERS = st.one_of(st.sampled_from("abAB -\t\u2028.ΣσςßİıǅDž\u0301\ud800"), st.characters())
TEXT = st.text(CHARACTERS, max_size=8)
ODD = st.sampled_from([b"ab-", ["a", "b"], ("a",), {"a": 1}, {"a"}, Subclass("a-b"), None, 5])
RECEIVERS: st.SearchStrategy[object] = st.one_of(TEXT, TEXT, TEXT, ODD)
ARGUMENTS: dict[str, st.SearchStrategy[object]] = {
    "text": st.one_of(TEXT, TEXT, TEXT, st.sampled_from([None, 3, b"a", Subclass("a"), ("a", "b")])),
    "bound": st.one_of(st.none(), st.integers(-12, 12), st.sampled_from([10**20, -(10**20), True, 1.5, "x"])),
    "width": st.one_of(st.integers(-5, 20), st.sampled_from([True, None, 10**19, 2.0])),
    "pieces": st.one_of(
        st.lists(st.one_of(TEXT, st.just(Subclass("q")), st.just(3)), max_size=4), st.tuples(TEXT, TEXT), TEXT
    ),
    "table": st.one_of(
        st.dictionaries(
            st.one_of(st.integers(60, 100), st.just("a")),
            st.one_of(TEXT, st.integers(-2, 1114120), st.none(), st.just(2.5)),
            max_size=5,
        ),
        st.sampled_from(["abc", [1]]),
    ),
}
SEARCH = [("text",), ("text", "bound"), ("text", "bound", "bound")]
SPLIT = [(), ("text",), ("text", "bound")]
STRIP = [(), ("text",)]
PART: list[tuple[str, ...]] = [("text",)]
PAD: list[tuple[str, ...]] = [("width",), ("width", "text")]
FORMS: dict[str, list[tuple[str, ...]]] = {
    **dict.fromkeys(("find", "rfind", "index", "rindex", "count", "startswith", "endswith"), SEARCH),
    **dict.fromkeys(("split", "rsplit"), SPLIT),
    **dict.fromkeys(("ljust", "rjust", "center"), PAD),
    **dict.fromkeys(("lstrip", "rstrip", "strip"), STRIP),
    **dict.fromkeys(("removeprefix", "removesuffix", "partition", "rpartition"), PART),
    "replace": [("text", "text"), ("text", "text", "bound")],
    "join": [("pieces",)],
    "zfill": [("width",)],
    "translate": [("table",)],
    "expandtabs": [(), ("width",)],
}


class Form(NamedTuple):
    """An expression over `s` and its arguments, the recipe that opens it, and the kinds of the arguments."""

    expression: str
    recipe: str
    kinds: tuple[str, ...]


def forms() -> list[Form]:
    methods = [method for method in references() if method not in OPERATIONS]
    found = []
    for method in methods:
        for kinds in FORMS.get(method, [()]):
            names = ", ".join(f"p{n}" for n in range(len(kinds)))
            found.append(Form(f"s.{method}({names})", "methods", kinds))
    for method in ("find", "rfind", "index", "rindex", "count"):
        one = f"(s.{method}('A'), s.{method}('a', p0), s.{method}(' ', p0, p1))"
        found.append(Form(one, "strings", ("bound", "bound")))
    found += [
        Form("(s.replace('a', p0), s.replace(' ', p0, p1), 'a' in s, '-' not in s)", "strings", ("text", "bound")),
        Form("('ab' in s, p0 in 'a-ab', p0 not in 'ab')", "methods", ("text",)),
        Form("(s.split(None), s.rsplit(None), s.split(sep=None), s.strip(None), s.rstrip(None))", "methods", ()),
        Form("(s.lstrip(None), s.split(None, p0), s.rsplit(None, p0))", "methods", ("bound",)),
        Form("(s.split(maxsplit=p0), s.rsplit(maxsplit=p0), s.split(sep=None, maxsplit=2))", "methods", ("bound",)),
        Form("(s.split(maxsplit=p0, sep=p1), s.rsplit(maxsplit=p0, sep=p1))", "methods", ("bound", "text")),
        Form("(s.split(maxsplit=p0, sep=None), s.rsplit(maxsplit=p0, sep=None))", "methods", ("bound",)),
        Form("(s.startswith(('a', '-b', str(5))), s.startswith(()), s.startswith(('ab', '')))", "methods", ()),
        Form("(s.endswith(('a', '-b', str(5))), s.endswith(()), s.endswith(('ab', '')))", "methods", ()),
        Form("(s[::-1], s[p0:p1:p2])", "methods", ("bound", "bound", "bound")),
    ]
    return found


def function(source: str) -> Callable[..., object]:
    names: dict[str, Callable[..., object]] = {}
    exec(source, names)
    return names["f"]


def outcome(function: Callable[..., object], arguments: tuple[object, ...]) -> tuple[type, str]:
    try:
        value = function(*arguments)
    except Exception as error:  # noqa: BLE001 - the error is the outcome
        return type(error), str(error)
    return type(value), repr(value)


@pytest.mark.parametrize("form", forms(), ids=[form.expression for form in forms()])
def test_the_loop_does_what_the_method_does(form: Form) -> None:
    names = "".join(f", p{n}" for n in range(len(form.kinds)))
    source = f"def f(s{names}):\n    return {form.expression}\n"
    result = rewrite_source(source, form.recipe)
    assert result.changed
    assert not rewrite_source(result.source, form.recipe).changed, "a second rewrite changes it again"
    before, after = function(source), function(result.source)
    random, values = Random(form.expression), [RECEIVERS, *(ARGUMENTS[kind] for kind in form.kinds)]
    for _ in range(60):
        given = tuple(random.choice(drawn_values(kind)) for kind in values)
        assert outcome(before, given) == outcome(after, given), given


@pytest.mark.parametrize("count", [10**20, -(10**20)])
def test_a_count_that_no_method_takes_is_still_refused(count: int) -> None:
    after = function(rewrite_source("def f(s, n):\n    return s.replace('a', '', n)\n").source)
    with pytest.raises(OverflowError):
        after("banana", count)


def test_outside_functions_a_longer_pattern_is_left_and_said() -> None:
    source = "import sys\ntext = sys.argv[0]\nfound = text.find('ab')\n"
    result = rewrite_source(source, "methods")
    assert not result.changed
    assert result.left[0].reason.startswith("outside functions")
    result = rewrite_source("import sys\ntext = sys.argv[0]\nfound = text.find('a')\n", "methods")
    assert result.changed and not rewrite_source(result.source, "methods").changed


def test_a_text_in_which_nothing_was_replaced_is_the_same_object() -> None:
    after = function(rewrite_source("def f(s):\n    return s.replace('a', '')\n").source)
    text = "".join(["xy", "z"])
    assert after(text) is text
