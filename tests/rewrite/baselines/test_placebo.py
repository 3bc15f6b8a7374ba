"""The placebo renames what nobody else can see, and leaves alone whatever somebody might."""

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from rewrite import rewrite_source
from rewrite.baselines import PLACEBO
from rewrite.equivalence.call_inputs import BACKEND
from rewrite.testing import Program, assert_equivalent, programs

ALL_NEW = settings(backend=BACKEND, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])


def renamed(source: str) -> str:
    return rewrite_source(source, PLACEBO).source


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(text):\n    return text\n", id="a parameter, which callers may name"),
        pytest.param("x = 1\ndef f():\n    return x\n", id="a variable of the module"),
        pytest.param("class A:\n    x = 1\n    y = x\n", id="a variable of a class"),
        pytest.param("def f():\n    global x\n    x = 1\n", id="a global one"),
        pytest.param("def f():\n    x = 1\n    def g():\n        nonlocal x\n        x = 2\n", id="a nonlocal one"),
        pytest.param("def f():\n    x = 1\n    return locals()\n", id="locals() shows it"),
        pytest.param("def f():\n    x = 1\n    return eval('x')\n", id="eval reads it"),
        pytest.param("def f():\n    x = 1\n    return x\nn = f.__code__.co_varnames\n", id="the code object shows it"),
        pytest.param("def f():\n    x = 1\n    return f'{x=}'\n", id="an f-string prints it"),
        pytest.param("def f():\n    x = 1\n    return f'{(lambda: x)()=}'\n", id="an f-string prints it from a lambda"),
        pytest.param("def f(c):\n    if c:\n        x = 1\n    return x\n", id="an error may name it"),
        pytest.param("def f():\n    x = 1\n    del x\n", id="it is deleted"),
        pytest.param("def f():\n    import re\n    return re\n", id="an import"),
        pytest.param("def f():\n    def g():\n        pass\n    return g\n", id="a function, whose name it is"),
        pytest.param("class A:\n    def f(self):\n        __x = 1\n        return __x\n", id="a class mangles it"),
        pytest.param("def f():\n    ﬁ = 1\n    return fi\n", id="it is written in two forms"),
        pytest.param("from m import *\ndef f():\n    x = 1\n    return x\n", id="another module's names"),
    ],
)
def test_what_somebody_may_see_keeps_its_name(source: str) -> None:
    found = rewrite_source(source, PLACEBO)
    assert not found.changed and found.source == source and found.left


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param(
            "def f():\n    x = 1\n    return x\n", "def f():\n    c = 1\n    return c\n", id="a local variable"
        ),
        pytest.param(
            "def f(n):\n    return [x for x in range(n) if x]\n",
            "def f(n):\n    return [c for c in range(n) if c]\n",
            id="of a comprehension",
        ),
        pytest.param(
            "def f(n):\n    x = n\n    return [x for x in range(x)]\n",
            "def f(n):\n    c = n\n    return [c for c in range(c)]\n",
            id="one name in two scopes stays one name",
        ),
        pytest.param(
            "def f(a):\n    x = a\n    return a.x + g(x=x)\n",
            "def f(a):\n    k = a\n    return a.x + g(x=k)\n",
            id="attributes and keywords are no variables",
        ),
        pytest.param(
            "def f():\n    x = 1\n    return lambda y=x: x + y\n",
            "def f():\n    c = 1\n    return lambda y=c: c + y\n",
            id="closures follow",
        ),
        pytest.param(
            "def f(u):\n    x = u\n    return f'{x:>{x}}'\n",
            "def f(u):\n    s = u\n    return f'{s:>{s}}'\n",
            id="no name that is there already",
        ),
        pytest.param(
            "def f():\n    word_count = 1\n    return word_count\n",
            "def f():\n    item_value = 1\n    return item_value\n",
            id="underscores stay",
        ),
    ],
)
def test_what_nobody_sees_is_renamed(source: str, expected: str) -> None:
    assert renamed(source) == expected


@pytest.mark.parametrize(
    ("source", "call"),
    [
        pytest.param("def f(x):\n    return x\n", "f(x=1)", id="the call names it"),
        pytest.param("def f(x):\n    return x\n", "f(**{'x': 1})", id="a dictionary may name it"),
        pytest.param("def f(x):\n    return x\ndef g():\n    return f(x=1)\n", "f(1)", id="the program names it"),
        pytest.param("@decorate\ndef f(x):\n    return x\n", "f(1)", id="a decorator sees it"),
        pytest.param("class A:\n    def f(self):\n        return self\n", "A().f()", id="a method"),
        pytest.param("def f(x, y=[]):\n    return y.append(x)\n", "f(1)", id="a default that it changes"),
        pytest.param("z = []\ndef f(x, y=z):\n    return y.append(x)\n", "f(1)", id="a default with a name"),
        pytest.param("def f(x):\n    return x\nf.n = 0\n", "f(1)", id="a function with attributes"),
        pytest.param("def f():\n    def g(x):\n        return x\n    return g\n", "f()", id="a function is the result"),
        pytest.param("def f():\n    return lambda x: x\n", "f()", id="a lambda is the result"),
        pytest.param("def f(x: int):\n    return x\nf.__annotations__\n", "f(1)", id="the annotations name it"),
    ],
)
def test_parameters_that_somebody_may_see_stay(source: str, call: str) -> None:
    assert not rewrite_source(source, PLACEBO, calls=[call]).changed


def test_parameters_that_no_call_names_are_renamed() -> None:
    source = "def f(x, *rest, key=0, **more):\n    return [x, rest, key, more, (lambda x: x)(x)]\n"
    expected = "def f(c, *item, key=0, **temp):\n    return [c, item, key, temp, (lambda x: x)(c)]\n"
    assert rewrite_source(source, PLACEBO, calls=["f(1, key=2)"]).source == expected


def test_it_says_what_it_renamed_and_where() -> None:
    (change,) = rewrite_source("def f():\n    # one\n    x = 1\n    return x\n", PLACEBO).changes
    assert (change.intervention, change.line, change.column, change.expression) == (PLACEBO, 3, 5, "x → c")


@pytest.mark.medium
@pytest.mark.hypothesis
@pytest.mark.parametrize("examples", [8, pytest.param(20, marks=pytest.mark.exhaustive)])
def test_a_renamed_program_is_the_same_and_has_the_same_lines(examples: int) -> None:
    @settings(ALL_NEW, max_examples=examples)
    @given(programs())
    def check(program: Program) -> None:
        after = rewrite_source(program.source, PLACEBO, calls=program.calls).source
        assert_equivalent(program.source, renamed(program.source), calls=program.calls)
        assert len(after.split("\n")) == len(program.source.split("\n"))
        assert_equivalent(program.source, after, calls=program.calls)

    check()
