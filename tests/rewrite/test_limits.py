"""Programs near CPython's limits and beyond the rewriter's: what is written compiles, and nothing kills the caller."""

from __future__ import annotations

import subprocess
import sys

import pytest

from corpora.errors import InputError
from rewrite import Rewritten, rewrite_source
from rewrite.pipeline.compile_check import find_compile_failure
from rewrite.syntax.nesting_depth import find_deep_nesting
from tests.samples import sampled

BLOCKS = 21 if sys.version_info >= (3, 13) else 20  # that CPython takes, one in another


def chain(length: int, test: str = "a.k == {}") -> str:
    elifs = "".join(f"    elif {test.format(number)}:\n        return {number}\n" for number in range(length))
    return f"def f(a):\n    if a.k == -1:\n        return -1\n{elifs}"


def loops(depth: int, inside: str) -> str:
    lines = [f"{'    ' * (level + 1)}for i{level} in x:\n" for level in range(depth)]
    return f"def f(s, x):\n{''.join(lines)}{'    ' * (depth + 1)}{inside}\n    return s\n"


def rewritten(source: str, **options: object) -> Rewritten:
    """The rewrite of a program that compiles; so must the result, also when rewritten once more."""
    compile(source, "<before>", "exec")
    result = rewrite_source(source, **options)  # type: ignore[arg-type]
    compile(result.source, "<after>", "exec")
    return result


@pytest.mark.medium
@pytest.mark.parametrize("release", [False, True])
def test_a_chain_of_elif_stays_flat_where_indentation_ends(release: bool) -> None:
    result = rewritten(chain(150), release=release)
    assert len(result.changes) > 90
    assert result.left
    assert {left.reason for left in result.left} == {
        "nested too deeply to be rewritten: too many levels of indentation"
    }
    assert "elif a.k == 149:\n" in result.source
    names: dict[str, object] = {}
    exec(result.source, names)
    for k in (-1, 0, 50, 97, 98, 99, 149):
        assert names["f"](type("A", (), {"k": k})) == k  # type: ignore[operator]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(a):\n    a = " + "1 if a.k == 1 else " * 99 + "0\n", id="a ternary of 99"),
        pytest.param(loops(BLOCKS, "s.count('a')"), id="a loop in loops"),
        pytest.param(loops(BLOCKS - 1, "y = [a.b + 1 for a in s for c in a.d]"), id="a comprehension in loops"),
        pytest.param("def f(x):\n    return [a24.b + 1 for a0 in x " + "".join(
            f"for a{i} in a{i - 1} " for i in range(1, 25)) + "]\n", id="a comprehension of 25 clauses"),
        pytest.param(loops(BLOCKS, "pass").replace("for i0 in x", "while x.a.b"), id="what only stands near the limit"),
    ],
)  # fmt: skip
def test_what_would_nest_too_deeply_stays_and_is_reported(source: str) -> None:
    result = rewritten(source)
    assert all("nested too deeply to be rewritten" in left.reason for left in result.left)
    assert result.left or "while" in source


def test_only_the_statement_to_blame_stays() -> None:
    result = rewritten(loops(BLOCKS, "s.count('a')").replace("    return s", "    return len(s.a) + 1"))
    assert "s.count('a')" in result.source
    assert "= s.a\n" in result.source
    assert len(result.left) == 1


@pytest.mark.parametrize("options", [{"depth": 2}, {"threshold": 2}, {"kinds": ("operator", "attribute")}, {}])
@pytest.mark.parametrize(
    "statement",
    [
        "if (yield x) and x.y.z.w:\n        pass",
        "if (yield x) or x.y.z.w:\n        pass",
        "while (yield x) and x.y.z.w:\n        pass",
        "while (yield x) or x.y.z.w:\n        pass\n    else:\n        pass",
        "assert (yield x) and x.y.z.w, x.y.z",
        "assert not (yield x) or x.y.z.w",
        "match x:\n        case 1 if (yield x) and x.y.z.w:\n            pass",
        "return ((yield x) if (yield y) else x.a.b.c) or x.d.e.f",
        "x = [a.b.c for a in (yield x)]",
        "x = [a.b.c for a in (yield x) if a.b.c.d and a.e]",
        "x = [a.b.c for a in (lambda: x)() if (b := a.c.d)]",
        "x = (y := x.a.b.c) and (lambda: y.z.w)() or (yield)",
        "return f(*x or y, x.a.b.c)",
        "return f(*(yield x), x.a.b.c, **(yield y))",
        "return [*(x or y), x.a.b.c]",
        "return f(*not x, *x < y, *lambda: y, *x if y else f, x.a.b.c)",
        "return x[y := x.a.b.c], [y := x.a.b, 1], {y := x.a.c}",
        "x[(yield x)] += x.a.b.c",
        "del x[(yield x)].a.b, x.y.z.w",
        "for a in (yield x), x.y.z.w:\n        pass",
        "with (yield x) as a, x.y.z.w() as b:\n        pass",
        "raise (yield x) from x.y.z.w",
    ],
)
def test_parentheses_stay_where_they_are_needed(statement: str, options: dict[str, object]) -> None:
    result = rewritten(f"def g(x, y, f):\n    {statement}\n    yield\n", **options)
    assert not [left for left in result.left if "does not compile" in left.reason]


def test_a_cell_that_awaits_at_its_top_level_must_still_do_so_and_no_more() -> None:
    before = "x = await f(g(1) + 2)\n"
    assert rewrite_source(before).changed
    assert find_compile_failure(before, "x = await f(1)\n") is None
    found = find_compile_failure(before, "if x:\nawait f(1)\n")
    assert found is not None and found.line == 2
    assert (
        find_compile_failure("from __future__ import annotations\n", "x = 1\nfrom __future__ import annotations\n")
        is not None
    )
    assert find_compile_failure("return 1\n", "return 2\n") is None


DEEP = {
    "and": "x" + " and x" * 20_000,
    "not": "not " * 1500 + "x",
    "attributes": "x" + ".a" * 900,
    "calls": "x" + "()" * 9000,
    "brackets": "(" * 3000 + "x" + ")" * 3000,
    "unclosed": "[" * 100_000,
    "f-string": "f'{x" + ".a" * 9000 + "}'",
    "lambdas": "lambda a, b: " * 9000 + "x",
    "clauses": "[x " + "for a, b in x " * 9000 + "]",
    "strings": "x = (" + "'a' " * 20_000 + ")",
    "elif": "if x: pass\n" + "elif x: pass\n" * 20_000,
    "patterns": "match x:\n case " + "[" * 30 + "x" + "]" * 30 + ": pass",
    "del": "del " + "(" * 40 + "x" + ",)" * 40,
    "import": "import a" + ".a" * 20_000,
}


@pytest.mark.medium
@pytest.mark.parametrize("source", sampled(DEEP.values(), DEEP))
def test_what_libcst_does_not_survive_is_refused_in_one_line(source: str) -> None:
    """In a process of its own, so that a crash is told from a failure; an exit status of 3 is the refusal."""
    program = (
        "import sys\nfrom corpora.errors import InputError\nfrom rewrite import rewrite_source\n"
        "try:\n    rewrite_source('y = 1\\n' + sys.stdin.read())\nexcept InputError as error:\n"
        "    sys.exit(3 if len(str(error).splitlines()) == 1 else 4)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input=source + "\n", text=True, timeout=60, check=False)
    assert done.returncode == 3


def test_what_is_too_deep_is_named_with_its_line() -> None:
    with pytest.raises(InputError, match=r"a\.py:3:1: nested too deeply: more than 500 operations"):
        rewrite_source("x = '''\n'''\ny = x" + ".a" * 600 + "\n", filename="a.py")


@pytest.mark.parametrize(
    "source",
    [
        "x = [" + "a.b + 1, " * 5000 + "]\n",
        "x = {" + "'a': lambda a, b: a.b, " * 300 + "}\n",
        "x = f'''" + "a.b - c {{ x }} " * 900 + "{x.a}'''\n",
        "x = (" + "1.5, -2, " * 9000 + ")\n# " + "." * 9000 + "\n",
        "case(" * 8 + "x" + ")" * 8 + "\n",
        "match x:\n    case {'a': [1, (2 | 3), A(b=c)]} if f(g(h(i(j(k(l(m(n(o(1)))))))))): pass\n",
    ],
)
def test_what_is_long_but_not_deep_is_taken(source: str) -> None:
    assert find_deep_nesting(source) is None


def test_names_are_read_however_deep_the_tree_is() -> None:
    source = "ſ = 1\nx = [" + " ".join(["'a'"] * 400) + "]\n"
    assert rewrite_source(source).source == source
