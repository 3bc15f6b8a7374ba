"""`# spellout: leave`: what the comment keeps, and what it does not."""

from __future__ import annotations

import pytest

from rewrite import rewrite_source

REASON = "protected by a comment"


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("def f(a):\n    return len(a) + 1  # spellout: leave\n", [2]),
        ("def f(a):\n    return (len(a)  # spellout: leave, it is fast\n        + 1)\n", [2]),
        ("def f(a):\n    return (len(a)\n        + 1)  #spellout:leave\n", [2]),
        ("def f(a):\n    # spellout: leave\n    return len(a) + 1\n", [3]),
        ("def f(a):  # spellout: leave\n    a = len(a) + 1\n    return len(a) + 1\n", [2, 3]),
        ("class A:  # spellout: leave\n    a = len('ab') + 1\n", [2]),
        ("x = len('ab') + 1  # spellout: leave\n", [1]),
        ("def f(a):\n    if a.b: return a.b + 1  # spellout: leave\n    return a\n", [2, 2]),
    ],
)
def test_a_line_is_left_alone_and_reported(source: str, left: list[int]) -> None:
    result = rewrite_source(source)
    assert result.source == source
    assert [line for line, reason in result.left if reason == REASON] == left


def test_of_a_statement_with_blocks_only_the_line_stays() -> None:
    source = (
        "def f(a):\n    if a.b.c:  # spellout: leave\n        return len(a) + 1\n"
        "    elif a.d.e:  # spellout: leave\n        return a\n    for x in a.b.c:  # spellout: leave\n"
        "        a(x.y + 1)\n    return a.b.c\n"
    )
    assert rewrite_source(source).source == (
        "def f(a):\n    if a.b.c:  # spellout: leave\n        _t0 = len(a)\n        return _t0 + 1\n"
        "    elif a.d.e:  # spellout: leave\n        return a\n    for x in a.b.c:  # spellout: leave\n"
        "        _t1 = x.y\n        _t2 = _t1 + 1\n        a(_t2)\n    _t3 = a.b\n    return _t3.c\n"
    )


@pytest.mark.parametrize("text", ['"# spellout: leave"', "0  # spellout: leaves", "0  # no spellout: leave"])
def test_what_only_looks_like_the_comment_leaves_nothing(text: str) -> None:
    result = rewrite_source(f"x = len(y) + {text}\n")
    assert result.changed
    assert not result.left
