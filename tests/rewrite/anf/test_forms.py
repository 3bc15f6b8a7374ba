"""What is written for comparisons, `not`, `and`, `or`, conditional and assignment expressions, and unpacked arguments.

The first form is that of `decompose`. The second is condensed, as in plans: a branch shows what needs no temporary.
"""

from textwrap import dedent, indent

import pytest

from rewrite.evidence.context import RewriteContext
from rewrite.pipeline.driver import rewrite_once

FORMS = {
    "chain, value": (
        "x = a < g(b) < c",
        """
        _t0 = g(b)
        _t1 = a < _t0
        if _t1:
            _t1 = _t0 < c
        x = _t1
        """,
        """
        _t0 = g(b)
        x = a < _t0 < c
        """,
    ),
    "chain, if": (
        "if a < g(b) < c:\n    b()",
        """
        _t0 = g(b)
        if a < _t0:
            if _t0 < c:
                b()
        """,
        """
        _t0 = g(b)
        if a < _t0 < c:
            b()
        """,
    ),
    "chain, if and else": (
        "if a < g(b) < c: b()\nelse: c()",
        """
        _t1 = g(b)
        if a < _t1:
            _t0 = _t1 < c
        else:
            _t0 = False
        if _t0: b()
        else: c()
        """,
        """
        _t0 = g(b)
        if a < _t0 < c: b()
        else: c()
        """,
    ),
    "chain, while": (
        "while a < g(b) < c: b()",
        """
        while True:
            _t1 = g(b)
            if a < _t1:
                _t0 = _t1 < c
            else:
                _t0 = False
            if not _t0:
                break
            b()
        """,
        """
        while True:
            _t0 = g(b)
            if not a < _t0 < c:
                break
            b()
        """,
    ),
    "or, value": (
        "x = a or g(b).c",
        """
        _t0 = a
        if not _t0:
            _t1 = g(b)
            _t0 = _t1.c
        x = _t0
        """,
        """
        _t0 = a
        if not _t0:
            _t1 = g(b)
            _t0 = _t1.c
        x = _t0
        """,
    ),
    "and, if": (
        "if a and g(b).c:\n    b()",
        """
        if a:
            _t0 = g(b)
            _t1 = _t0.c
            if _t1:
                b()
        """,
        """
        if a:
            _t0 = g(b)
            if _t0.c:
                b()
        """,
    ),
    "or, if and else": (
        "if a or g(b).c: b()\nelse: c()",
        """
        if a:
            _t0 = True
        else:
            _t1 = g(b)
            _t2 = _t1.c
            _t0 = _t2
        if _t0: b()
        else: c()
        """,
        """
        if a:
            _t0 = True
        else:
            _t1 = g(b)
            _t0 = _t1.c
        if _t0: b()
        else: c()
        """,
    ),
    "conditional expression": (
        "x = g(b).c if a else b",
        """
        if a:
            _t0 = g(b)
            x = _t0.c
        else:
            x = b
        """,
        """
        if a:
            _t0 = g(b)
            x = _t0.c
        else:
            x = b
        """,
    ),
    "chain of names, value": (
        "x = a < b < c",
        """
        _t0 = a < b
        if _t0:
            _t0 = b < c
        x = _t0
        """,
        "x = a < b < c",
    ),
    "chain of names, if": (
        "if a < b < c: b()",
        """
        if a < b:
            if b < c: b()
        """,
        "if a < b < c: b()",
    ),
    "chain of three, if": (
        "if g(a) < b < c(a) != a: b()",
        """
        _t0 = g(a)
        if _t0 < b:
            _t1 = c(a)
            if b < _t1:
                if _t1 != a: b()
        """,
        """
        _t0 = g(a)
        if _t0 < b:
            _t1 = c(a)
            if b < _t1 and _t1 != a: b()
        """,
    ),
    "not, name": (
        "x = not a",
        "x = not a",
        "x = not a",
    ),
    "not, value": (
        "x = not g(b).c",
        """
        _t0 = g(b)
        _t1 = _t0.c
        x = not _t1
        """,
        """
        _t0 = g(b)
        _t1 = _t0.c
        x = not _t1
        """,
    ),
    "not, if": (
        "if not g(b).c: b()",
        """
        _t0 = g(b)
        _t1 = _t0.c
        if not _t1: b()
        """,
        """
        _t0 = g(b)
        if not _t0.c: b()
        """,
    ),
    "not of a chain": (
        "if not (a < g(b) < c): b()",
        """
        _t1 = g(b)
        if a < _t1:
            _t0 = _t1 < c
        else:
            _t0 = False
        if not _t0: b()
        """,
        """
        _t0 = g(b)
        if not (a < _t0 < c): b()
        """,
    ),
    "assignment expression, value": (
        "x = (y := g(b)) + y",
        """
        y = g(b)
        x = y + y
        """,
        """
        y = g(b)
        x = y + y
        """,
    ),
    "assignment expression, if": (
        "if (y := g(b).c): b(y)",
        """
        _t0 = g(b)
        y = _t0.c
        if y: b(y)
        """,
        """
        _t0 = g(b)
        _t1 = _t0.c
        if (y := _t1): b(y)
        """,
    ),
    "call with unpacked items": (
        "x = g(*a(b), c.d)",
        """
        _t0 = g
        _t1 = a(b)
        _t2 = [*_t1]
        _t3 = c.d
        x = _t0(*_t2, _t3)
        """,
        """
        _t0 = g
        _t1 = a(b)
        _t2 = [*_t1]
        _t3 = c.d
        x = _t0(*_t2, _t3)
        """,
    ),
    "call with unpacked keywords": (
        "x = g(**a(b), k=c.d)",
        """
        _t0 = g
        _t1 = a(b)
        x = _t0(**_t1, k=c.d)
        """,
        """
        _t0 = g
        _t1 = a(b)
        x = _t0(**_t1, k=c.d)
        """,
    ),
    "list with unpacked items": (
        "x = [*a(b), c.d]",
        """
        _t0 = a(b)
        _t1 = [*_t0]
        _t2 = c.d
        x = [*_t1, _t2]
        """,
        """
        _t0 = a(b)
        _t1 = [*_t0]
        _t2 = c.d
        x = [*_t1, _t2]
        """,
    ),
    "conditional expression as a condition": (
        "if (a if g(b).c else c): b()",
        """
        _t0 = g(b)
        _t1 = _t0.c
        if _t1:
            _t2 = a
        else:
            _t2 = c
        if _t2: b()
        """,
        """
        _t0 = g(b)
        if _t0.c:
            _t1 = a
        else:
            _t1 = c
        if _t1: b()
        """,
    ),
}


@pytest.mark.parametrize("condensed", [False, True])
@pytest.mark.parametrize(("statement", "plain", "short"), FORMS.values(), ids=FORMS)
def test_what_is_written(statement: str, plain: str, short: str, condensed: bool) -> None:
    source, expected = (
        f"def f(a, b, c):\n{indent(dedent(text).strip(), '    ')}\n"
        for text in (statement, short if condensed else plain)
    )
    assert rewrite_once(source, "decompose", RewriteContext(condensed=condensed), options={}).source == expected
