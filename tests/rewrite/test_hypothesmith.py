"""Source text drawn from Python's grammar and from its syntax trees: parsed and rewritten, never run.

`SPELLOUT_EXAMPLES=3000 python -m pytest tests/rewrite/test_hypothesmith.py` looks further: so many texts of each kind.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import textwrap

import hypothesmith
import libcst as cst
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from corpora.errors import InputError
from rewrite.pipeline.recipes import recipes
from rewrite.program_grammar.mixed_programs import compiles
from rewrite.rewriting import rewrite_source
from rewrite.syntax.parsing import parse

EXAMPLES = int(os.environ.get("SPELLOUT_EXAMPLES", "40"))
# Kinds of nodes that hypothesmith draws quickly, and of which something is to be spelled out.
NODES: tuple[type[cst.CSTNode], ...] = (
    cst.Assert,
    cst.Assign,
    cst.Attribute,
    cst.AugAssign,
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.Call,
    cst.Comparison,
    cst.FormattedString,
    cst.FunctionDef,
    cst.Lambda,
    cst.List,
    cst.Set,
    cst.Subscript,
    cst.UnaryOperation,
    cst.While,
    cst.With,
)


def in_function(text: str) -> str:
    return "async def f(a, b):\n" + textwrap.indent(text + "\n", "    ")


# Deferred: parsing Python's grammar takes seconds, also where these tests are only collected.
TEXTS: dict[str, st.SearchStrategy[str]] = {
    "a text of the grammar": st.deferred(lambda: hypothesmith.from_grammar(auto_target=False)),
    "a printed module": st.deferred(lambda: hypothesmith.from_node(auto_target=False)),
    "a statement or expression in a function": st.sampled_from(NODES)
    .flatmap(lambda node: hypothesmith.from_node(node, auto_target=False))
    .map(in_function),
}
drawn = settings(
    max_examples=EXAMPLES,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # shrinking takes minutes here
)
HASHED = """
import hashlib, json, sys
from rewrite.rewriting import rewrite_source
texts = [rewrite_source(source, recipe).source for source, recipe in json.load(sys.stdin)]
sys.stdout.write(hashlib.sha256(json.dumps(texts).encode()).hexdigest())
"""
# Much of what is drawn compares literals or has odd escapes, of which the compiler warns, before as after.
pytestmark = [pytest.mark.filterwarnings("ignore"), pytest.mark.slow]


def is_read(source: str) -> bool:
    """Whether LibCST takes it too; the tabs and spaces of some indentations that Python allows it refuses."""
    try:
        parse(source)
    except InputError:
        return False
    return True


@pytest.mark.parametrize("kind", TEXTS)
def test_what_is_drawn_is_rewritten_into_a_program_that_stays(kind: str) -> None:
    @drawn
    @given(TEXTS[kind])
    def check(source: str) -> None:
        assume(compiles(source) and is_read(source))
        for recipe in recipes():
            first = rewrite_source(source, recipe)
            ast.parse(first.source)
            assert compiles(first.source), f"{recipe}: no longer compiles"
            assert rewrite_source(source, recipe) == first, f"{recipe}: not deterministic"
            assert rewrite_source(first.source, recipe).source == first.source, f"{recipe}: not stable"

    check()


def test_the_same_text_comes_out_whatever_the_hash_seed() -> None:
    tasks: list[tuple[str, str]] = []

    @drawn
    @given(TEXTS["a statement or expression in a function"])
    def collect(source: str) -> None:
        if compiles(source) and is_read(source):
            tasks.extend((source, recipe) for recipe in recipes())

    collect()
    assert len(tasks) > EXAMPLES
    assert len({hashed(tasks, seed) for seed in ("0", "1", "17")}) == 1


def hashed(tasks: list[tuple[str, str]], seed: str) -> str:
    """A digest of all rewritten texts, worked out in a process with this hash seed."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HASHED],
        input=json.dumps(tasks),
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
