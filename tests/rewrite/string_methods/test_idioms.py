"""Idioms: what nothing shows to be a string stays; otherwise operations work on shared lists of characters."""

import subprocess
import sys

import pytest

from lab.hidden_values import is_hidden
from rewrite import check_equivalence, rewrite_source
from rewrite.equivalence.assumption_filter import AssumptionFilter
from rewrite.evidence.assumptions import Assumption, at_least
from tests.rewrite.hard_programs import PROGRAMS


def rewritten(body: str, call: str, parameters: str = "text, c") -> str:
    source = f"def f({parameters}):\n    {body}\n"
    made = rewrite_source(source, "idioms", calls=[call])
    assert not rewrite_source(made.source, "idioms", calls=[call]).changed, "a second rewrite changes something"
    return "".join(line[4:] + "\n" for line in made.source.splitlines()[1:])


@pytest.mark.parametrize(
    "body",
    [
        "return text.index(c)",  # without calls, it may be a list
        "return text.replace(c, '')",
        "return text[c:]",
        "return len(text)",
    ],
)
def test_without_calls_nothing_changes_and_no_type_is_tested(body: str) -> None:
    made = rewrite_source(f"def f(text, c):\n    {body}\n", "idioms")
    assert (made.changed, [one for one in made.left if is_hidden(one)]) == (False, [])


def test_values_that_are_no_strings_stay() -> None:
    assert rewritten("return text.index(c) + len(text)", "f([1, 2], 2)") == "return text.index(c) + len(text)\n"


def test_a_list_that_is_not_the_builtin_is_not_called() -> None:
    made = rewrite_source("def f(list):\n    return list.index('a')\n", "idioms", calls=["f('ba')"])
    assert not made.changed
    assert made.left[0].reason == "the name list is not the builtin here"


@pytest.mark.medium
def test_a_character_that_every_call_finds_is_looked_up_without_a_test() -> None:
    assert rewritten("return text.find(c)", "f('banana', 'n')") == "_t0 = list(text)\nreturn _t0.index(c)\n"
    missing = rewritten("return text.find(c)", "f('banana', 'x')")
    assert missing == ("_t0 = list(text)\nif c in _t0:\n    _t1 = _t0.index(c)\nelse:\n    _t1 = -1\nreturn _t1\n")


@pytest.mark.parametrize("bound", ["len(text)", "len(text) - len(c)", "2 * len(text)"])
def test_the_length_in_the_bounds_of_a_loop_is_not_that_of_a_list(bound: str) -> None:
    source = f"def f(text, c):\n    for i in range({bound}):\n        print(i)\n"
    assert "list(" not in rewrite_source(source, "len_listed", calls=["f('banana', 'na')"]).source


def test_a_tab_is_expanded_between_pieces_unless_the_string_has_several_lines() -> None:
    source = "def f(text, size):\n    return text.expandtabs(size)\n"
    made = rewrite_source(source, "idioms", calls=["f('a\\tb', 4)"])
    assert made.changed and {(one.expression, one.what) for one in made.assumes} == {
        ("text", "is exactly str"),
        ("text", "has no line feed or carriage return"),
        ("size", "is exactly int"),
        ("size", "is at least 1"),
    }
    assert not rewrite_source(source, "idioms", calls=["f('a\\tb\\r', 4)"]).changed
    assert not rewrite_source(source, "idioms", calls=["f('a\\tb', 0)"]).changed


def test_pieces_are_joined_where_a_string_is_replaced() -> None:
    expected = "_t0 = text.split(c)\nreturn '-'.join(_t0)\n"
    assert rewritten("return text.replace(c, '-')", "f('banana', 'an')") == expected


@pytest.mark.parametrize(
    "call",
    [
        "f('banana', 'ana')",  # replaced
        "f('banana', 'xn')",  # not replaced, but the lengths would be equal anyway
        "[f('banana', 'xnn'), f('ban', 'xnn')]",  # the lengths do not show it
        "f('banana', 'x')",  # one character
    ],
)
def test_a_string_is_not_tested_for_a_pattern_that_may_occur(call: str) -> None:
    assert "if" not in rewritten("return text.replace(c, '--')", call)


def test_a_string_is_tested_for_a_pattern_that_does_not_occur() -> None:
    expected = "if c in text:\n    text = text.replace(c, '-')\nreturn text\n"
    assert rewritten("return text.replace(c, '-')", "f('banana', 'nn')") == expected


def test_a_list_is_made_once_for_operations_that_do_not_change_it() -> None:
    once = rewritten("return text.count(c) + text.index(c)", "f('banana', 'n')")
    assert once.count("list(text)") == 1


def test_a_list_that_was_reversed_is_not_used_again() -> None:
    twice = rewritten("return text.rindex(c) + text.index(c)", "f('banana', 'n')")
    assert twice.count("list(text)") == 2


def test_the_test_of_a_loop_makes_no_list_in_each_round() -> None:
    body = "while text.endswith(c):\n        text = text[:-1]\n    return text"
    assert rewritten(body, "f('banana', 'na')") == body.replace("\n    ", "\n") + "\n"


@pytest.mark.medium
def test_a_list_is_used_again_in_a_branch_whose_test_does_not_change_the_string() -> None:
    body = "n = text.count('a')\n    if n:\n        n += text.count(c)\n    return n"
    assert rewritten(body, "f('banana', 'n')").count("list(") == 1
    assert rewritten(body.replace("if n", "if (text := text + c)"), "f('banana', 'n')").count("list(") == 2
    assert rewritten(body.replace("if n", "for n in range(2)"), "f('banana', 'n')").count("list(") == 2
    assert rewritten(body.replace("if n:\n", "if n:\n        text += c\n"), "f('banana', 'n')").count("list(") == 2


def test_a_list_of_a_string_that_has_changed_is_not_used_again() -> None:
    made = rewritten("n = text.count(c)\n    text = text + c\n    return n + text.count(c)", "f('banana', 'n')")
    assert made.count("list(text)") == 2


def test_a_string_that_is_only_listed_again_is_not_joined() -> None:
    made = rewritten("return text[::-1].find(c)", "f('banana', 'b')")
    assert made == "_t0 = list(text)\n_t0.reverse()\nreturn _t0.index(c)\n"


@pytest.mark.medium
def test_kinds_are_known_in_a_process_that_has_rewritten_nothing() -> None:
    program = "from rewrite.pipeline.recipes import kind_of\nprint(kind_of('index_listed'), kind_of('temporaries'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "idioms expressions\n"


def test_an_assumption_about_a_call_that_raises_is_broken() -> None:
    source = "def f(text):\n    return text.index('a')\n"
    found = AssumptionFilter(source, [Assumption(2, 12, "text.index('a')", at_least(0))])
    assert list(found.broken_assumptions(["f('ba')", "f('bc')"], 10)) == ["f('bc')"]


@pytest.mark.parametrize("call", ["f(0, 1)", "f(-5, 1)", "f(True, 1)", "f(2 ** 70, 1)"])
def test_numbers_that_no_loop_halves_stay(call: str) -> None:
    assert rewritten("return bin(text)", call) == "return bin(text)\n"


def test_a_positive_number_is_halved_in_each_round() -> None:
    made = rewritten("return bin(text)", "f(10, 1)")
    assert "while _t1 > 0:\n    _t0 = str(_t1 % 2) + _t0\n    _t1 //= 2\n" in made
    assert made.endswith("return '0b' + _t0\n")


@pytest.mark.medium
def test_padding_is_a_string_of_its_own() -> None:
    assert rewritten("return text.rjust(c)", "f('ab', 4)") == "_t0 = ' ' * (c - len(text))\nreturn _t0 + text\n"
    assert rewritten("return text.ljust(c, '-')", "f('ab', 4)") == "_t0 = '-' * (c - len(text))\nreturn text + _t0\n"
    made = rewritten("return text.center(c)", "f('ab', 5)")
    assert made.endswith("return ' ' * _t1 + text + ' ' * (_t0 - _t1)\n")


@pytest.mark.parametrize(("method", "text"), [("lower", "ΟΔΟΣ"), ("upper", "Maß")])
def test_a_letter_outside_ascii_may_depend_on_its_word_or_become_two(method: str, text: str) -> None:
    source = f"def f(text):\n    return text.{method}().count('S')\n"
    converted = f"list(map(str.{method}, text))"
    assert converted not in rewrite_source(source, f"{method}_listed", calls=[f"f({text!r})"]).source
    made = rewrite_source(source, f"{method}_listed", calls=["f('Mass')"])
    assert converted in made.source and "text is ASCII only" in {f"{one.expression} {one.what}" for one in made.assumes}


@pytest.mark.medium
def test_the_digits_of_bin_need_no_prefix() -> None:
    made = rewritten("return bin(text)[2:]", "f(10, 1)")
    assert made.startswith("_t0 = ''\n") and "0b" not in made
    assert rewritten("return bin(text)[2:]", "f(0, 1)") != made  # zero has a digit
    assert "//" not in rewritten("bin = repr\n    return bin(text)[2:]", "f(10, 1)")


def test_an_index_beside_another_is_written_where_it_is_used() -> None:
    body = "i = 0\n    while text.find(c, i + 1) != -1:\n        i = text.find(c, i + 1)\n    return i"
    assert "i = _t0.index(c, i + 1)\n" in rewritten(body, "f('banana', 'n')")


def test_a_number_that_a_later_operand_changes_is_read_before() -> None:
    source = "def f(text):\n    i = 0\n    return text.find('n', i + 1, (i := 5))\n"
    call = "f('banana')"
    made = rewrite_source(source, "idioms", calls=[call])
    assert check_equivalence(source, made.source, [call], examples=20, assumes=made.assumes, inputs="any").equivalent


@pytest.mark.medium
@pytest.mark.parametrize(
    "source",
    [
        "text = 'banana'\ndef change():\n    global text\n    text = 'xya'\n"
        "def f(n):\n    a = text.find('a')\n    if n:\n        change()\n    return a, text.find('a')\n",
        "def f(n):\n    text = 'banana'\n    def change():\n        nonlocal text\n        if n: text = 'xya'\n"
        "    a = text.find('a')\n    change()\n    return a, text.find('a')\n",
        "def f(n):\n    text = 'banana'\n    a = text.find('a')\n    match ['xya', n]:\n        case [text, 1]:\n"
        "            pass\n    return a, text.find('a')\n",
        "def f(n):\n    text = 'banana2'\n    a = text.find('2')\n    if n: from string import digits as text\n"
        "    return a, text.find('2')\n",
    ],
    ids=["global", "nonlocal", "pattern", "import"],
)
def test_the_list_of_a_string_that_may_have_changed_is_made_again(source: str) -> None:
    made = rewrite_source(source, "idioms", calls=["f(0)"], cost=None)
    assert made.changed and check_equivalence(source, made.source, ["f(0)", "f(1)"], examples=0).equivalent


@pytest.mark.medium
@pytest.mark.parametrize("looked_up", ["index(c)", "rindex(c)", "index(c, 1)", "rindex(c, 0, 3)"])
def test_the_error_of_a_character_that_is_not_found_is_that_of_a_string(looked_up: str) -> None:
    tried = f"    try:\n        return text.{looked_up}\n    except ValueError as e:\n        return str(e)\n"
    source = f"def f(text, c):\n{tried}"
    made = rewrite_source(source, "idioms", calls=["f('banana', 'n')"], cost=None)
    calls = ["f('banana', 'n')", "f('banana', 'z')"]
    assert made.changed and check_equivalence(source, made.source, calls, examples=0).equivalent
    assert not any("at least" in str(one) for one in made.assumes)


@pytest.mark.medium
def test_what_is_stripped_behind_a_test_stays_in_a_second_rewrite() -> None:
    source, call, _ = PROGRAMS["a string that grows"]
    made = rewrite_source(source, "idioms", calls=[call], cost=None).source
    assert "[-1] == ','" in made
    assert rewrite_source(made, "idioms", calls=[call], cost=None).source == made
