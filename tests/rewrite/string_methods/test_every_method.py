"""Every method of `str`, in each way in which programs call it: a loop over the characters, or left and named."""

import pytest

from corpora import run_call
from rewrite import rewrite_source
from rewrite.analysis.exact_types import STRING_METHODS
from tests.samples import sampled

CALL = "f('ab cab \\t d\\nab', ['ab', 'c', 'de'])"
LOOPS = {
    **{name: ["()"] for name in STRING_METHODS if name.startswith("is")},
    **{key: ["()"] for key in ("capitalize", "casefold", "lower", "swapcase", "title", "upper")},
    **{key: ["(20)", "(20, '*')"] for key in ("center", "ljust", "rjust")},
    **{key: ["()", "(None)", "('a')", "('ab')"] for key in ("lstrip", "rstrip", "strip")},
    **{key: ["('a')", "('ab')"] for key in ("partition", "rpartition")},
    **{key: ["('ab')", "(('a', 'b'))", "('a', 2)"] for key in ("startswith", "endswith")},
    **{key: ["('ab')"] for key in ("removeprefix", "removesuffix")},
    **{key: ["('a')", "('ab')", "('a', 1)", "('ab', 1, 14)"] for key in ("count", "index", "rindex")},
    **{key: ["('a')", "('ab')", "('a', 1)", "('a', 1, 5)", "('ab', 1, 9)"] for key in ("find", "rfind")},
    "expandtabs": ["()", "(4)", "(tabsize=4)"],
    "join": ["(t)", "(s)", "([c for c in s])", "(('a', s))", "(sorted(s))"],
    "replace": ["('a', 'x')", "('ab', 'x')", "('a', '')", "('a', 'x', 1)", "('ab', 'x', 1)"],
    "rsplit": ["()", "('a')", "('a', 1)", "(None, 1)", "(maxsplit=1)"],
    "split": ["()", "('a')", "('ab')", "('a', 1)", "(None, 1)", "(sep='a', maxsplit=1)", "(maxsplit=1)"],
    "splitlines": ["()"],
    "translate": ["({97: 98})", "({97: 98, 98: None})", "({97: 'x', 98: None})"],
    "zfill": ["(20)"],
}
SLICES = ["::-1", "::2", "1::2", "1:9:2", "-9:-1:2", "8:1:-1", "8::-1", ":1:-1", "::-2", "-2::-1"]
EXPRESSIONS = [
    *(f"s.{name}{arguments}" for name, some in sorted(LOOPS.items()) for arguments in some),
    *("'a' in s", "'ab' in s", "'a' not in s", "'ab' not in s", "','.join(t)", "''.join(t)"),
    *(f"s[{part}]" for part in SLICES),
]
NAMED = {
    "s.encode()": "without a reference implementation",
    "'{} {}'.format(s, 1)": "without a reference implementation",
    "'{a}'.format_map({'a': s})": "without a reference implementation",
    "s.maketrans('a', 'b')": "without a reference implementation",
    "str.upper(s)": "str itself",
    "list(map(str.upper, t))": "str itself",
    "'%s' % s": "operator %",
    "f'{s:>20}'": "format specification",
    "format(s, '>20')": "format specification",
    **dict.fromkeys(
        ("s.count('')", "s.find('')", "s.replace('', 'x')", "s.splitlines(True)"), "neither the source nor"
    ),
    **dict.fromkeys(("','.join(map(str, t))", "''.join(reversed(s))", "','.join({'a': 1})"), "neither the source nor"),
    "''.join(c for c in s)": "not proven to be a str",
}
# One operation that a step shows whole; nothing in it is hidden.
WHOLE = ("s[1:]", "s[2]", "s + 'a'", "s * 2", "list(s)", "len(s)", "s < 'b'", "ord(s[0])")


def source(expression: str) -> str:
    return f"def f(s, t):\n    return {expression}\n"


def test_the_table_knows_every_method() -> None:
    assert set(LOOPS) | {"encode", "format", "format_map", "maketrans"} == STRING_METHODS


@pytest.mark.parametrize("expression", sampled(EXPRESSIONS, EXPRESSIONS))
def test_with_a_call_it_is_a_loop_without_any_test_of_a_type(expression: str) -> None:
    made = rewrite_source(source(expression), "methods", calls=[CALL])
    assert made.changed, made.left
    assert "type(" not in made.source
    assert run_call(made.source, CALL) == run_call(source(expression), CALL)


@pytest.mark.parametrize("expression", NAMED)
def test_what_is_no_loop_is_named(expression: str) -> None:
    made = rewrite_source(source(expression), "methods", calls=[CALL])
    assert not made.changed
    assert NAMED[expression] in made.left[0].reason


def test_each_operation_of_a_line_is_named_with_its_reason() -> None:
    made = rewrite_source(source("s.encode(), s.count(''), '%s' % t"), "methods", calls=[CALL])
    assert [one.reason.partition(": ")[0] for one in made.left] == ["'%s' % t", ".count('')", ".encode()"]


@pytest.mark.parametrize("expression", WHOLE)
def test_what_one_step_shows_whole_hides_nothing(expression: str) -> None:
    made = rewrite_source(source(expression), "methods", calls=[CALL])
    assert (made.changed, made.left) == (False, ())


@pytest.mark.parametrize("expression", ["len(s) % 2", "s in t", "1 in {1: s}", "t.index('c')", "t.count('c')"])
def test_what_the_calls_show_to_be_no_text_hides_nothing(expression: str) -> None:
    made = rewrite_source(source(expression), "methods", calls=[CALL])
    assert (made.changed, made.left) == (False, ())
    two = "def f(a, b):\n    return a % b, a in [b]\n"
    assert rewrite_source(two, "methods", calls=["f(5, 2)"]).left == ()
    assert "%" in rewrite_source(two, "methods", calls=["f('%s', 2)"]).left[0].reason
