"""The comparison of two programs, compared with a plain loop over the same calls, and with drawing the inputs.

Also with peers on some pairs, if the extra `symbolic` is installed.

The programs are the originals and the correct rewrites of the corpus of seeded faults, which are harmless. All other
programs run only in the sandbox.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from compare_checkers import crosshair, ghostwriter, spellout
from measured_row import Row

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from corpora import run_calls  # noqa: E402
from rewrite import check_equivalence  # noqa: E402
from rewrite.equivalence.call_inputs import call_strategy as calls_like  # noqa: E402
from rewrite.equivalence.call_inputs import draw_distinct  # noqa: E402
from tests.rewrite.faults import Fault, corpus  # noqa: E402

PEERS = {"Hypothesis ghostwriter": ("black", ghostwriter), "CrossHair diffbehavior": ("crosshair", crosshair)}
"""By name: the package that the peer needs, and its verdict on a pair."""
PEER_PAIRS = 8


def rows() -> Iterator[Row]:
    """Yield the seconds for each input, with those of a bare run of both programs and of drawing the input."""
    pairs = [pair for pair in corpus() if pair.kind != "a patched library"]  # the plain loop would patch this process
    run_calls("def f(): pass", ["f()"])  # start the worker before the measurement
    start = time.perf_counter()
    inputs = sum(check_equivalence(pair.before, pair.right, pair.calls, inputs="any").tried for pair in pairs)
    whole = (time.perf_counter() - start) / inputs
    start = time.perf_counter()
    drawn = [drawn_calls(pair) for pair in pairs]
    drawing = (time.perf_counter() - start) / inputs
    start = time.perf_counter()
    with contextlib.redirect_stderr(io.StringIO()):
        for pair, calls in zip(pairs, drawn, strict=True):
            bare(pair.before, calls)
            bare(pair.right, calls)
    loop = (time.perf_counter() - start) / sum(map(len, drawn))
    yield Row("check_equivalence, an input", whole, "bare run of both programs", loop, None)
    yield Row("check_equivalence, an input", whole, "drawing it", drawing, None)
    some = pairs[:: len(pairs) // PEER_PAIRS]
    for name, (package, peer) in PEERS.items():
        if importlib.util.find_spec(package):
            yield Row("check_equivalence, a pair", a_pair(spellout, some), name, a_pair(peer, some), None)


def a_pair(check: Callable[[Fault, str], object], pairs: Sequence[Fault]) -> float:
    """Return the seconds that a checker takes for a correct rewrite."""
    start = time.perf_counter()
    for pair in pairs:
        check(pair, pair.right)
    return (time.perf_counter() - start) / len(pairs)


def bare(source: str, calls: list[str]) -> None:
    """Run each call on a fresh module, as the sandbox does, but without describing results or confining the program."""
    code = compile(source, "bench", "exec")
    for call in calls:
        space: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            exec(code, space)
            eval(call, space)


def drawn_calls(pair: Fault) -> list[str]:
    """Return the calls of a pair, and calls drawn like them."""
    return [*pair.calls, *draw_distinct(calls_like(ast.parse(pair.before), pair.calls), 100)]
