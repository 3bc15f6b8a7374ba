"""Readable names for temporaries: which keep their name, what the others are called, and what they may share."""

import pytest

from rewrite.anf.result import Rewritten
from rewrite.passes.cleanup.forms import readable_forms
from rewrite.passes.cleanup.readable_names import changes_type, name_temporaries, observed_temporaries
from rewrite.planner.trace_counter import TraceCounter


def body(*lines: str) -> str:
    return "\n".join(["def f(text, n=3):", *(f"    {line}" for line in lines), ""])


def named(*lines: str, call: str = "f('a b')", brief: bool = False) -> list[str]:
    source = body(*lines)
    traces = [run.trace for run in TraceCounter(source, [call]).before]
    return [line[4:] for line in name_temporaries(source, observed_temporaries(traces), brief=brief).split("\n")[1:-1]]


@pytest.mark.parametrize(
    "lines",
    [
        ["_t0 = text + '!'", "return lambda: _t0"],
        ["_t0 = text + '!'", "return list(c in _t0 for c in text)"],
        ["_t0 = text + '!'", "n = _t0 * 2", "del _t0", "return n"],
        ["global _t0", "_t0 = text + '!'", "return _t0 * 2"],
    ],
    ids=["closure", "generator expression", "del", "global"],
)
def test_a_temporary_that_something_else_sees_keeps_its_name(lines: list[str]) -> None:
    assert named(*lines) == lines


def test_a_temporary_outside_functions_keeps_its_name() -> None:
    source = "_t0 = len('ab')\nx = _t0 + 1\n"
    assert name_temporaries(source, {"_t0": [2]}) == source


def test_a_program_with_such_names_of_its_own_has_no_readable_form() -> None:
    original = body("_t0 = text", "return _t0 * len(text)")
    made = Rewritten(body("_t0 = text", "_t1 = len(text)", "return _t0 * _t1"), True)
    assert not list(readable_forms(made, {"_t0": ["a"], "_t1": [1]}, original, brief=False))


def test_a_name_of_the_program_or_a_builtin_is_not_taken() -> None:
    assert named("_t0 = list(text)", "characters = 1", "return _t0, characters") == [
        "characters_2 = list(text)",
        "characters = 1",
        "return characters_2, characters",
    ]
    assert named("_t0 = n + 1", "return [_t0, number]", brief=True, call="f('a')")[0] == "number_2 = n + 1"


def test_words_of_strings_and_comments_are_free_and_those_of_fstrings_are_not() -> None:
    assert named("'number'", "_t0 = n + 1  # number", "return _t0", brief=True)[1] == "number = n + 1  # number"
    lines = ["_t0 = n + 1", "return [_t0, f'{number}']"]
    assert named(*lines, brief=True, call="f('a')")[0] == "number_2 = n + 1"


def test_temporaries_of_one_name_share_a_variable_only_if_they_are_not_live_together() -> None:
    assert named("_t0 = list(text)", "_t1 = list(text[1:])", "return _t0 + _t1") == [
        "characters = list(text)",
        "characters_2 = list(text[1:])",
        "return characters + characters_2",
    ]
    assert named("_t0 = list(text)", "n = _t0.count('a')", "_t1 = list(text[n:])", "return _t1") == [
        "characters = list(text)",
        "n = characters.count('a')",
        "characters = list(text[n:])",
        "return characters",
    ]


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (["_t0 = text.split()", "return _t0"], "characters"),
        (["_t0 = (text + 'c').split()", "return _t0"], "pieces"),
        (["_t0 = text.count('a')", "return _t0"], "text_count"),
        (["_t0 = []", "for c in range(n):", "    _t0.append(c)", "return _t0"], "items"),
        (["_t0 = ''", "for c in text:", "    _t0 += c", "return _t0"], "joined"),
        (["_t0 = ''", "for c in text:", "    _t0, n = c + _t0, 1", "return _t0"], "joined"),
        (["_t0 = 0", "for c in text:", "    _t0 += 1", "return _t0"], "count"),
        (["_t0 = 0", "for c in text:", "    _t0 += len(c)", "return _t0"], "total"),
        (["_t0 = False", "for c in text:", "    if c:", "        _t0 = True", "return _t0"], "found"),
        (["_t0 = True", "for c in text:", "    if c:", "        _t0 = False", "return _t0"], "holds"),
        (["_t0 = text[::-1]", "return _t0"], "reversed_text"),
        (["_t0 = '-'.join(text)", "return _t0"], "joined"),
        (["_t0 = False", "if n:", "    _t0 = text > 'b'", "return _t0"], "text_above_b"),
        (["for _t0 in range(n):", "    print(_t0)"], "index"),
        (["for _t0 in text:", "    print(_t0)"], "character"),
        (["for _t0 in text.split(maxsplit=0):", "    print(_t0)"], "piece"),
        (["for _t0 in [2.5]:", "    print(_t0)"], "item"),
        (["_t0, _ = text.split()", "return _t0"], "value"),
    ],
)
def test_a_name_says_what_is_in_the_variable(lines: list[str], name: str) -> None:
    assert named(*lines) == [line.replace("_t0", name) for line in lines]


def test_a_name_is_made_of_the_new_names_of_its_operands() -> None:
    assert named("_t0 = text[1:]", "_t1 = _t0.find('b')", "return _t1") == [
        "part_of_text = text[1:]",
        "part_of_text_find = part_of_text.find('b')",
        "return part_of_text_find",
    ]


@pytest.mark.parametrize(
    ("value", "name"),
    [("text * 2", "part"), ("len(text)", "number"), ("n > 2", "flag"), ("(n, text)", "group"), ("object()", "value")],
)
def test_a_brief_name_is_one_word_by_type(value: str, name: str) -> None:
    assert named(f"_t0 = {value}", "return _t0", brief=True) == [f"{name} = {value}", f"return {name}"]


def test_none_and_other_numbers_are_no_change_of_type() -> None:
    assert not changes_type({"_t0": [None, 1, 2.5], "_t1": ["a"]})
    assert changes_type({"_t0": [1, True]})
    assert changes_type({"_t0": ["a", ["a"]]})
