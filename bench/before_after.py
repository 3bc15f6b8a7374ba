"""Prints functions before and after rewriting, with their calls, for people to read, as Markdown.

    python bench/before_after.py > build/before_after.md

For each recipe ten programs are drawn (seed 0) from those that the model answered wrongly (published failures)
and that the recipe changes. Long strings are shortened in print, not in the rewrite.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice

from harness import command, population

from lab.hidden_values import is_hidden
from lab.populations import CalledProgram
from lab.published_data import add_data_option
from rewrite import Rewritten, check_equivalence, recipe_names, rewrite_source

PER_RECIPE = 10
PAPER = "paper"
"""The paper's own tool, which assumes types without evidence: the only recipe whose rewrites may differ."""
HEAD = """\
# Before and after

This page shows real functions before and after `spellout rewrite --call … --recipe R`. For each recipe, ten programs
are drawn at random from those that the model answered wrongly and that the recipe changes. For each, the page lists the
trace tokens, the assumptions of the rewrite, and the expressions that were not changed, with the reason.
`python bench/before_after.py` generates it and compares each rewrite with its original on its call and on 50 inputs
that meet the assumptions; only those of `paper`, the published tool, differ from it, and the page says where. Long
strings are shortened. `spellout plan --explain` lists what a plan left unchanged, and why.
A plan keeps the names `_t0`, `_t1` where readable ones would cost too many tokens.
"""


def sections(answers: Sequence[CalledProgram], recipe: str) -> str:
    """The sections of ten programs that the recipe changes, as Markdown."""
    drawn = random.Random(0).sample(answers, len(answers))
    made = ((one, rewrite_source(one.source, recipe=recipe, calls=[one.call])) for one in drawn)
    changed = islice((pair for pair in made if pair[1].changed), PER_RECIPE)
    return "\n".join([f"## {recipe}\n", *(line for pair in changed for line in _section(*pair, recipe))])


def _section(program: CalledProgram, made: Rewritten, recipe: str) -> Iterator[str]:
    source, call = program.source, program.call
    verdict = check_equivalence(source, made.source, [call], examples=50, inputs="any", assumes=made.assumes)
    assert verdict.equivalent is not False or recipe == PAPER, verdict.counterexample
    ratio = f"{made.tokens / made.original_tokens:.2f}" if made.tokens and made.original_tokens else "?"
    yield from (f"### `{call}`", "", f"{made.original_tokens} → {made.tokens} tokens (× {ratio}).", "")
    for text in (source, made.source):
        yield from ("```python", _short(text), "```", "")
    if made.assumes:
        shown = ", ".join(f"`{one.expression}` {one.what} (line {one.line})" for one in made.assumes)
        yield from (f"Assumed: {shown}.", "")
    if verdict.counterexample:
        yield from ("Not equivalent:", "", "```", str(verdict.counterexample), "```", "")
    # A plan rejects dozens of candidates; `spellout plan --explain` lists them.
    for line, reason in filter(is_hidden, made.left) if recipe != "planned" else ():
        yield from (f"Not changed in line {line}: {reason}.", "")


def _short(source: str) -> str:
    """The source with the first line of each long string."""
    lines = source.encode().split(b"\n")
    long = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.end_lineno != node.lineno
    ]
    for node in sorted(long, key=lambda one: -one.lineno):
        assert node.end_lineno is not None
        assert isinstance(node.value, str)
        first = next(filter(None, map(str.strip, node.value.split("\n"))), "")
        before, after = lines[node.lineno - 1][: node.col_offset], lines[node.end_lineno - 1][node.end_col_offset :]
        lines[node.lineno - 1 : node.end_lineno] = [before + f'"""{first} …"""'.encode() + after]
    return b"\n".join(lines).decode().strip("\n")


def main() -> None:
    data = command(__doc__, add_data_option).parse_args().data
    with ProcessPoolExecutor() as pool:
        drawn = pool.map(partial(sections, population("wrong answers", data)), recipe_names())
        print("\n".join([HEAD, *drawn]), end="")


if __name__ == "__main__":
    main()
