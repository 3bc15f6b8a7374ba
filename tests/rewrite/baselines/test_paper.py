"""The paper's tool does what the paper shows, mistakes included; it is no recipe of interventions."""

import ast
import json

import pytest

from corpora.errors import InputError
from rewrite import recipe_names, rewrite_source
from rewrite.baselines.paper import rewrite_like_paper
from rewrite.pipeline.recipes import find_recipe, recipes
from tests.places import ROOT

FAILURES = ROOT.parent / "shared" / "data" / "cwm_failures_even.jsonl"


def rewritten(source: str) -> str:
    return rewrite_source(source, "paper").source


def test_the_example_of_appendix_f() -> None:
    source = "def f(nums, output):\n    for n in nums:\n        output.append((nums.count(n), n))\n"
    after = "def f(nums, output):\n    for n in nums:\n        _t0 = nums.count(n)\n        _t1 = _t0, n\n"
    assert rewritten(source) == after + "        output.append(_t1)\n"


def test_the_example_of_appendix_f1() -> None:
    source = "def f(text):\n    pos = text.index('-')\n    return pos\n"
    assert rewritten(source) == (
        "def f(text):\n    _t0 = list(text)\n    _t1 = -1\n    for _t2 in range(len(_t0)):\n"
        "        if _t0[_t2] == '-':\n            _t1 = _t2\n            break\n    if _t1 == -1:\n"
        "        raise ValueError('substring not found')\n    pos = _t1\n    return pos\n"
    )


@pytest.mark.parametrize(
    "expression",
    [
        "s.find('a')",
        "s.rfind('a')",
        "s.index('a')",
        "s.rindex('a')",
        "s.count('a')",
        "s.replace('a', 'xy')",
        "'a' in s",
    ],
)
def test_every_operation_of_appendix_f1_gives_what_it_gave(expression: str) -> None:
    source = f"def f(s):\n    return {expression}\n"
    after = rewritten(source)
    assert "for _t2 in range" in after
    for text in ("", "banana", "xyz", "a"):
        results = []
        for program in (source, after):
            names: dict[str, object] = {}
            exec(program, names)
            try:
                results.append(names["f"](text))  # type: ignore[operator]
            except ValueError as error:
                results.append(str(error))
        assert results[0] == results[1]


def test_a_published_rewrite_sample_244() -> None:
    source = "def f(text, count):\n    return text.rjust(len(text) + count*2)[:-2]\n"
    after = "def f(text, count):\n    _t0 = len(text) + count * 2\n    _t1 = text.rjust(_t0)\n    _t2 = _t1[:-2]\n"
    assert rewritten(source) == after + "    return _t2\n"


def test_a_published_rewrite_sample_780() -> None:
    source = "def f(r, counts, i):\n    if counts[i] >= 3:\n        r.append(str(i))\n    return ' '.join(r)\n"
    after = "def f(r, counts, i):\n    _t0 = counts[i] >= 3\n    if _t0:\n        r.append(str(i))\n"
    assert rewritten(source) == after + "    _t1 = ' '.join(r)\n    return _t1\n"


@pytest.mark.medium
def test_most_published_rewrites_come_out_the_same() -> None:
    if not FAILURES.is_file():
        pytest.skip("the published rewrites are not here")
    rows = [json.loads(line) for line in FAILURES.read_text(encoding="utf-8").splitlines()]
    published = [row for row in rows if row["benchmark"] == "cruxeval" and row["paper_rewrite"]]
    plain = [row for row in published if "for _t" not in rewritten(row["code"])]
    same = [ast.dump(ast.parse(r["paper_rewrite"])) == ast.dump(ast.parse(rewritten(r["code"]))) for r in plain]
    assert (len(published), len(plain), sum(same)) == (64, 57, 54)


def test_it_says_what_it_extracted_and_where_lines_come_from() -> None:
    result = rewrite_like_paper("import os\n\ndef f(a):\n    b = 1\n    return g(a[0].x + b)\n")
    assert [(change.intervention, change.line, change.expression) for change in result.changes] == [
        ("paper", 5, "g(a[0].x + b)"),
        ("paper", 5, "a[0].x + b"),
    ]
    lines = result.source.splitlines()
    assert [result.origin(n + 1) for n, line in enumerate(lines) if "_t" in line] == [5, 5, 5]
    assert result.origin(lines.index("    b = 1") + 1) == 4


def test_what_astor_cannot_print_is_left_alone_and_said() -> None:
    source = "def f(a):\n    match a:\n        case 1:\n            return a.b.c(1)\n    return a.b.c(a.d(1))\n"
    result = rewrite_source(source, "paper")
    assert not result.changed and result.source == source
    assert "astor" in result.left[0].reason


def test_it_is_a_recipe_by_name_but_none_of_interventions() -> None:
    assert "paper" in recipe_names() and "paper" not in recipes()
    assert find_recipe("paper").takes == {"threshold"}
    assert rewrite_source("def f(a):\n    return a.b(1)\n", "paper", threshold=9).changed is False
    with pytest.raises(InputError, match="takes no option 'names'"):
        rewrite_source("x = 1\n", "paper", names="readable")
    with pytest.raises(InputError, match="takes threshold"):
        rewrite_source("x = 1\n", "paper", depth=2)
