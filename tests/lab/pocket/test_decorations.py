"""Docstrings, annotations, comments and empty lines: they are there, and programs do what they did."""

from __future__ import annotations

import ast
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyze.gold_trace.trace import trace_call
from corpora.program import Case
from lab.pocket import decorations
from lab.pocket.benchmark_overlap import fingerprints
from lab.pocket.decorations import decorated
from lab.pocket.typed_programs import typed_program

SHARES = ("DOCSTRING", "ANNOTATIONS", "COMMENTS", "EMPTY_LINES")
SOURCE = """
def f(a, b=2):
    def g(x): return x
    c = '''
    d = 1
'''
    if a:
        pass
    elif b: c = 3; d = 4
    return c
"""
CASE = Case("c", SOURCE, "f(1)")


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in SHARES:
        monkeypatch.setattr(decorations, name, 1.0)


@pytest.mark.medium
@given(st.integers(0, 10**9))
def test_the_syntax_tree_stays_but_for_docstrings_annotations_and_an_import(seed: int) -> None:
    case = typed_program(Random(seed))
    found = decorated(case, Random(seed))
    assert (found.call, found.kind) == (case.call, case.kind)
    assert _bare(found.source) == _bare(case.source)
    assert fingerprints(found.source) == fingerprints(case.source)
    assert found == decorated(case, Random(seed))


@pytest.mark.medium
@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("seed", range(8))
def test_a_decorated_program_makes_the_same_steps(seed: int) -> None:
    case = CASE if seed == 0 else typed_program(Random(seed))
    found = decorated(case, Random(seed))
    before, after = (trace_call(one.source, one.call, max_frames=200, stop_at_cut=True) for one in (case, found))
    assert found.source != case.source
    assert [(frame.event, frame.state) for frame in before.frames] == [(one.event, one.state) for one in after.frames]
    assert '"""' not in "".join(frame.source for frame in after.frames)


@pytest.mark.medium
@pytest.mark.usefixtures("always")
def test_everything_is_drawn() -> None:
    text = "\n".join(decorated(typed_program(Random(seed)), Random(seed)).source for seed in range(200))
    for part in (
        '"""Return',
        "'''",
        ">>> f(",
        "from typing import",
        ": List[int]",
        " -> ",
        "  # ",
        "\n    # ",
        "\n\n    ",
    ):
        assert part in text


def test_what_does_not_parse_stays() -> None:
    broken = Case("b", "def f(:", "f()")
    assert all(decorated(broken, Random(seed)) == broken for seed in range(20))


def _bare(source: str) -> str:
    """The syntax tree without docstrings, annotations and the import of their names."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            node.body = node.body[ast.get_docstring(node) is not None :]
        if isinstance(node, ast.arg):
            node.annotation = None
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    return ast.dump(tree)
