"""The paper's tool does what the paper shows, mistakes included; nothing else of the project uses it."""

from rewrite.paper_baseline import rewrite_as_the_paper
from tests.places import ROOT


def test_the_example_of_appendix_f() -> None:
    source = "def f(nums, output):\n    for n in nums:\n        output.append((nums.count(n), n))\n"
    after = "def f(nums, output):\n    for n in nums:\n        _t0 = nums.count(n)\n        _t1 = _t0, n\n"
    assert rewrite_as_the_paper(source) == after + "        output.append(_t1)\n"


def test_a_published_rewrite_sample_244() -> None:
    source = "def f(text, count):\n    return text.rjust(len(text) + count*2)[:-2]\n"
    after = "def f(text, count):\n    _t0 = len(text) + count * 2\n    _t1 = text.rjust(_t0)\n    _t2 = _t1[:-2]\n"
    assert rewrite_as_the_paper(source) == after + "    return _t2\n"


def test_a_published_rewrite_sample_780() -> None:
    source = "def f(r, counts, i):\n    if counts[i] >= 3:\n        r.append(str(i))\n    return ' '.join(r)\n"
    after = "def f(r, counts, i):\n    _t0 = counts[i] >= 3\n    if _t0:\n        r.append(str(i))\n"
    assert rewrite_as_the_paper(source) == after + "    _t1 = ' '.join(r)\n    return _t1\n"


def test_nothing_of_the_project_uses_it() -> None:
    users = [
        path.relative_to(ROOT).as_posix()
        for package in ("corpora", "analyze", "rewrite", "runner")
        for path in (ROOT / package).rglob("*.py")
        if "paper_baseline import" in path.read_text(encoding="utf-8")
    ]
    assert users == []
