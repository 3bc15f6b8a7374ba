"""The standard library and installed packages under every setting: comments, lines, and a second rewrite.

With fixed examples in `make test-all`, with fresh ones in `make fuzz`. What programs do is for other tests.
"""

from __future__ import annotations

import warnings
from itertools import product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rewrite.rewriting import rewrite_source
from tests.rewrite.installed import SETTINGS, comments, read, sources, too_long
from tests.samples import sampled


@pytest.mark.slow
@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(path=st.deferred(lambda: st.sampled_from(sources())))
def test_a_module_keeps_its_comments_and_is_rewritten_once_for_all(options: dict[str, object], path: str) -> None:
    source = read(path)
    assume(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = rewrite_source(source, filename=path, **options)  # type: ignore[arg-type]
        compile(result.source, path, "exec", dont_inherit=True)
        again = rewrite_source(result.source, **options)  # type: ignore[arg-type]
    assert comments(result.source) == comments(source)
    assert too_long(source, result.source) == []
    assert again.source == result.source, "a second rewrite changes it again"


COMMENTED = """\
def f(a, b):  # def
    # above
    x = a if b.c else 7  # why
    if (a  # why a
        # alone
        and b.c.d  # why b
    ):  # header
        pass
    y = [  # open
        i.x.y  # element
        for i in a.b  # in
        # before if
        if i.z  # condition
    ]  # end
    foo(  # call
        1,  # one
        a.b.c,  # two
        # three
        *b,  # star
    )  # close
    if a:
        pass
    # elif above
    elif a.b.c > 1:  # elif
        pass
    # else above
    else:  # else
        pass
    with (  # with
        open(a.b.c) as f,  # first
        open(b.c.d) as g,  # second
    ):  # end with
        pass
    if a < b.c() < (  # chain
            b.d.e  # last
        ): return 1  # return
    while (a.b.c  # while
        ): break  # break
    if x: y = a.b.c  # small
    s = (f"{a.b}"  # text
         f"{a.c}")  # text too
    s.find(  # find
        "a",  # what
        x.y,  # where
    )
    return (lambda: a.b.c  # lambda
       )(), (  # tuple
       1)

@deco(a.b.c,  # decorator
  2)  # end of decorator
# after the decorator
def g(x=(1 +  # default
   a.b.c)): pass  # pass
"""


@pytest.mark.parametrize("options", SETTINGS.values(), ids=SETTINGS)
def test_every_comment_survives_once(options: dict[str, object]) -> None:
    result = rewrite_source(COMMENTED, **options)  # type: ignore[arg-type]
    assert comments(result.source) == comments(COMMENTED)
    again = rewrite_source(result.source, **options)  # type: ignore[arg-type]
    assert again.source == result.source


def test_a_comment_beside_a_name_in_parentheses_survives() -> None:
    source = "def f(s):\n    return any(c.isdigit() for c in s) + (  # c\n        all\n    )(c.isalpha() for c in s)\n"
    found = rewrite_source(source, "idioms")
    assert found.changed
    assert comments(found.source) == comments(source)


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("# why", "if _t0:  # why"),
        ("# why a", "if a:  # why a"),
        ("# why b", "_t1 = b.c  # why b"),
        ("# header", "if _t2:  # header"),
        ("# element", "_t6 = i.x  # element"),
        ("# in", "_t3 = a.b  # in"),
        ("# condition", "_t5 = i.z  # condition"),
        ("# first", "_t13 = a.b  # first"),
        ("# second", "_t15 = b.c  # second"),
        ("# end with", "with open(_t16) as g:  # end with"),
    ],
)
def test_a_comment_stays_beside_what_it_spoke_of(comment: str, line: str) -> None:
    lines = [line.strip() for line in rewrite_source(COMMENTED).source.splitlines()]
    assert [found for found in lines if found.endswith(comment)] == [line]


LONG = {
    "a display": "    return [" + ",\n        ".join(f"name_{n}.attribute" for n in range(60)) + "]\n",
    "strings": "    return a.b + (" + "\n        ".join(f"f'{{a.b}} {'x' * 60} {n}'" for n in range(9)) + ")\n",
    "operators": "    return g(" + " +\n        ".join(f"name_{n}" for n in range(60)) + ").x\n",
    "a call": "    x = h(a.b)(" + ",\n        ".join(f"name_{n}=name_{n}" for n in range(60)) + ").y\n",
    "a dict": "    return {" + ",\n        ".join(f"'key {n}': a.b" for n in range(60)) + "}.keys()\n",
    "temporaries": "".join(f"    try: x = g(a.b{n}.c.d)\n    except E: pass\n" for n in range(40)),
    "a condition": "    if g(a.b) and (" + "\n        or ".join(f"name_{n}" for n in range(60)) + "): pass\n",
    "a backslash": "    assert h(a.b) == \\\n        [" + ",\n        ".join(f"name_{n}" for n in range(60)) + "]\n",
    "a comment": "    x = g(\n        a.b,\n        " + "name_1, " * 10 + "name_2)  # " + "why " * 4 + "\n",
}


EACH = list(product(LONG, SETTINGS))


@pytest.mark.parametrize(
    ("body", "options"), sampled([(LONG[case], SETTINGS[name]) for case, name in EACH], map("-".join, EACH))
)
def test_a_line_that_became_too_long_is_broken(body: str, options: dict[str, object]) -> None:
    source = "def f(a, b):\n" + body
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    assert max(map(len, result.source.split("\n"))) <= 120
    assert comments(result.source) == comments(source)
    assert len(result.positions) == result.source.count("\n")
    assert not rewrite_source(result.source, **options).changed  # type: ignore[arg-type]
