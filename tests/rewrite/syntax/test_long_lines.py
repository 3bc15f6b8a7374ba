"""Long lines are folded into the same program, whatever statement stands on them."""

from __future__ import annotations

import ast

import pytest

from rewrite import rewrite_source
from rewrite.syntax import long_lines
from rewrite.syntax.long_lines import fold_long_lines

SHORT = 24
FOLDED = {
    "chained assignment": "first = second = third = fourth + fifth + sixth",
    "chained assignment of one name": "first = second = third = fourth = fifth_is_last",
    "assignment to a slice": "first[a:b] = second[c:d] = fourth + fifth + sixth",
    "lambda with a default": "first = lambda second=1, third=2: fourth + fifth",
    "annotated": "first: dict[str, int] = second + third + fourth",
    "augmented": "first += yield_of_it + third + fourth",
    "starred": "first, *second = *third_of_them, *fourth_of_them, fifth",
    "walrus": "while second := first_of_them + third + fourth:\n    pass",
    "walrus under if": "if x:\n    if second := first_of_them + third + fourth:\n        pass",
    "elif of a lambda": "if x:\n    pass\nelif (lambda a=1: a) + first_of_them + third:\n    pass",
    "if of a lambda": "if lambda a=1: first_of_them + third + third:\n    pass",
    "return of a tuple": "def f():\n    return first, second, third, *fourth, fifth",
    "return of a lambda": "def f():\n    return lambda a=1: first + second + third",
    "yield": "def f():\n    x = yield first, second, third, fourth",
    "decorator": "@first(second, third, fourth, fifth)\ndef f(): pass",
    "adjacent strings": "first = 'aaaaaaaaaa' 'bbbbbbbbbbb' 'ccccc'",
    "formatted string": "first = f'{a + b}aaaa' + f'{c = }' + f'{d!r:>{e}}'",
    "comment": "first = second + third + fourth  # and why",
    "comment in brackets": "first = [\n    second + third + fourth,  # and why\n]",
    "pragma": "first = [second + third, fourth]  # noqa: X (y)",
    "call": "print(first, second, third, file=fourth)",
    "with": "with first(second, third, fourth) as fifth:\n    pass",
    "import": "from first import (second, third, fourth, fifth)",
    "import with added brackets": "from first import second, third as third_of_them, fourth",
    "annotations": "def f(first: int = 1, second: int = 2, *third) -> int: pass",
    "class": "class First(second, third, metaclass=fourth): pass",
    "carriage return": "first = second + third + fourth + fifth\r",
}
LEFT = {
    "one line under a walrus": "while second := first_of_them + third + fourth: pass_ = 1",
    "semicolon": "first = 1; second = third + fourth + fifth",
    "one line under if": "if x: first = lambda: second + third + fourth",
    "one line under a test of a lambda": "if lambda: x: second = third + fourth + fifth",
    "end of a string": 'x = """a\nfirst""" + second + third + fourth + fifth',
    "comment behind the end of a string": 'x = """a\nfirst""" + second  # third and fourth',
    "comment behind a continued line": "x = 1 + \\\n    second_of_them + third  # fourth",
    "text that ends in a bracket": 'x = f(first, """second\nthird, fourth, fifth, a)\n""")',
    "delete": "del first, second, third, fourth, fifth",
    "global": "def f():\n    global first, second, third, fourth",
    "assert": "assert first + second + third, fourth",
    "import without brackets": "import first, second, third, fourth, fifth",
    "import of everything": "from a_module_whose_name_is_longer_than_that import *",
    "annotation with a lambda": "x: lambda a=1, b=2: first = second_of_all + third",
}


@pytest.mark.parametrize("text", FOLDED.values(), ids=FOLDED)
@pytest.mark.parametrize("limit", range(SHORT - 4, SHORT + 16, 3))
def test_a_folded_line_is_the_same_program(text: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lines, "ROOM", 0)
    monkeypatch.setattr(long_lines, "_is_same_program", lambda before, after: True)  # the folding itself is held
    folded = fold_long_lines(f"{text}\n", limit)
    assert folded is not None or limit > SHORT
    if folded is not None:
        assert ast.dump(ast.parse(folded[0])) == ast.dump(ast.parse(text))


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
@pytest.mark.parametrize("limit", range(SHORT - 4, SHORT + 16, 3))
def test_a_line_that_cannot_be_folded_stays(text: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lines, "ROOM", 0)
    monkeypatch.setattr(long_lines, "_is_same_program", lambda before, after: True)
    folded = fold_long_lines(f"{text}\n", limit)
    assert folded is None or ast.dump(ast.parse(folded[0])) == ast.dump(ast.parse(text))


def test_what_is_another_program_when_folded_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_lines, "_in_parentheses", lambda line, tokens, limit: (f"({line}", tokens))
    assert fold_long_lines(f"{FOLDED['call']}\n", SHORT) is None


@pytest.mark.parametrize("options", [{}, {"names": "readable"}], ids=str)
def test_a_long_chained_assignment_that_moves_deeper_compiles(options: dict[str, object]) -> None:
    chain = " = ".join(f"a_name_of_{n}_characters" for n in range(5))
    source = f"def f(x, y):\n    if x:\n        {chain} = 0\n    elif x.a.b > y.c:\n        {chain} = None\n"
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    assert result.changed
    compile(result.source, "<after>", "exec")
