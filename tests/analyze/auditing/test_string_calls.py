"""String operations found in a program's text, and those whose operands are not known."""

from __future__ import annotations

import ast

import pytest

from analyze.auditing.string_calls import StringOperation, cut_positions, find_literals, find_operations
from analyze.hazards.batch import StringQuestion


def found(source: str) -> list[StringOperation]:
    return list(find_operations(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(text):\n    return text.find('a')", id="a parameter"),
        pytest.param("text = 'x'\ntext = g()\ntext.find('a')", id="a name bound twice"),
        pytest.param("text = 'x'\ntext += 'y'\ntext.find('a')", id="a name that is added to"),
        pytest.param("text = 'x'\ndef f():\n    global text\n    text = 'y'\n    return text.find('a')", id="a global"),
        pytest.param("text = 'x'\nfor text in g():\n    text.find('a')", id="a loop variable"),
        pytest.param("text = 'x'\ndef f(text):\n    return text.find('a')", id="a parameter that hides a known name"),
        pytest.param("'x-y'.find('a', g())", id="a window"),
        pytest.param("'x-y'.split('-', g())", id="a limit that is not known"),
        pytest.param("'x-y'.split(sep=g())", id="a keyword"),
        pytest.param("'x-y'.split(g())", id="a pattern that is not known"),
        pytest.param("'x-y'.find(*g())", id="starred arguments"),
    ],
)
def test_an_operand_that_is_not_known_leaves_the_text_out(source: str) -> None:
    (operation,) = [entry for entry in found(source) if entry.method in {"find", "split"}]
    assert not operation.known
    assert operation.question.text == ""
    assert operation.question.pattern in {"a", "-", None}


@pytest.mark.parametrize("source", ["x.append(1)", "x[0]", "a == b", "a < b in c", "x.y.z", "f(split)"])
def test_what_is_no_string_operation(source: str) -> None:
    assert found(source) == []


@pytest.mark.parametrize(
    ("source", "question"),
    [
        ("'a-.-.b'.rsplit('-.')", StringQuestion("a-.-.b", "-.", "rsplit")),
        ("t = 'a-b'\nt.split('-', 1)", StringQuestion("a-b", "-", "split", limit=1)),
        ("sep = '-'\ndef f():\n    return 'a-b'.count(sep)", StringQuestion("a-b", "-", "count")),
        ("'a' in 'abc'", StringQuestion("abc", "a", "in")),
        ("'abc'.replace('a', 'bb')", StringQuestion("abc", "a", "replace", result="bbbc")),
        ("'abc'.upper()", StringQuestion("abc", None, "upper", result="ABC")),
        ("'abc'[-1]", StringQuestion("abc", None, "[]", cuts=(2,))),
        ("'abcdef'[1:3]", StringQuestion("abcdef", None, "[]", cuts=(1, 2))),
        ("', '.join(x)", StringQuestion("", ", ", "join")),
    ],
)
def test_what_is_known_from_the_text(source: str, question: StringQuestion) -> None:
    assert [entry.question for entry in found(source)] == [question]


def test_receiver_method_and_pattern_as_written() -> None:
    (operation,) = found("def f(text, sep):\n    return text.strip().rsplit(sep, 1)")[:1]
    assert (operation.line, operation.method, operation.receiver, operation.pattern) == (
        2,
        "rsplit",
        "text.strip()",
        "sep",
    )


@pytest.mark.parametrize(("index", "size", "cuts"), [(3, 3, ()), (-4, 3, ()), (-1, 3, (2,)), (slice(9, None), 3, ())])
def test_an_index_outside_cuts_nothing(index: int | slice, size: int, cuts: tuple[int, ...]) -> None:
    assert cut_positions(index, size) == cuts


def test_literals_with_their_lines() -> None:
    entries = [(entry.line, entry.value) for entry in find_literals(ast.parse("a = 'x'\nb = f'{a}yz'"))]
    assert entries == [(1, "x"), (2, "yz")]
