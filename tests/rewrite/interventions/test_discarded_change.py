"""A discarded change: a statement that may change something else, or fail, stays; then it is left out."""

import pytest

from rewrite import check_equivalence, rewrite_source


def rewritten(body: str, call: str) -> str:
    source = f"def f(a, n):\n    {body}\n    return a\n"
    made = rewrite_source(source, "discarded_change", calls=[call])
    assert (
        check_equivalence(source, made.source, [call], examples=30, assumes=made.assumes, inputs="any").equivalent
        is not False
    )
    return "\n".join(line[4:] for line in made.source.splitlines()[1:-1])


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("a[n].reverse()", "f([[1, 2]], 0)"),
        ("m = slice(1)\n    for m in [0]:\n        a[m].clear(); n = m", "f([[1]], 1)"),
        ("a[n].reverse()", "f([1, 2], slice(1))"),
        ("m = slice(n)\n    a[m].reverse()", "f([1, 2], 1)"),
        ("m = slice('x')\n    a[m].append(1)", "f([], 1)"),
        ("m = slice(0) if n else 0\n    a[m].clear()", "f([1, 2], 1)"),
        ("if n:\n        m = slice(1)\n    a[m].clear()", "f([1, 2], 1)"),
        ("if n:\n        m = 1\n    a[1:].append(m)", "f([1, 2], 1)"),
        ("a[n:].reverse()", "f(bytearray(b'ab'), 1)"),
        ("a[::n].reverse()", "f([1, 2], 1)"),
        ("a[1:].sort()", "f([1, 2], 1)"),
        ("a[1:].append(print('x'))", "f([1, 2], 1)"),
        ("a[1:][0].clear()", "f([1, [2]], 1)"),
        ("a[1:] += [n]", "f([1, 2], 1)"),
        ("if n:\n        a[1:].clear()", "f([1, 2], 1)"),
    ],
)
def test_what_may_change_something_else_or_fail_stays(body: str, call: str) -> None:
    assert rewritten(body, call) == body.replace("\n    ", "\n")


@pytest.mark.medium
@pytest.mark.parametrize("body", ["a[n:].reverse()", "a[:-1].append(n)", "m = slice(1, None)\n    a[m].clear()"])
def test_a_change_of_a_copy_is_left_out(body: str) -> None:
    assert rewritten(body, "f([1, 2, 3], 1)") == body.replace("\n    ", "\n").rpartition("a[")[0].rstrip("\n")
