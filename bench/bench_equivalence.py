"""The comparison of two programs, compared with a plain loop over the same calls, and with drawing the inputs.

Also with peers on some pairs, if the extra `symbolic` is installed.

The programs are the originals and the correct rewrites of the corpus of seeded faults, which are harmless. All other
programs run only in the sandbox.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from compare_checkers import crosshair, ghostwriter, spellout, varied_calls
from measured_row import Row, seconds, timed

from corpora import run_calls
from rewrite import check_equivalence
from tests.rewrite.faults import Fault, corpus

PEERS = {"Hypothesis ghostwriter": ("black", ghostwriter), "CrossHair diffbehavior": ("crosshair", crosshair)}
"""By name: the package that the peer needs, and its verdict on a pair."""
PEER_PAIRS = 8


def rows() -> Iterator[Row]:
    """Yield the seconds for each input, with those of a bare run of both programs and of drawing the input."""
    pairs = [pair for pair in corpus() if pair.kind != "a patched library"]  # the plain loop would patch this process
    run_calls("def f(): pass", ["f()"])  # start the worker before the measurement
    inputs, taken = timed(lambda: sum(map(inputs_tried, pairs)))
    drawn, drawing = timed(lambda: list(map(varied_calls, pairs)))
    loop = seconds(lambda: run_bare(pairs, drawn))
    whole = taken / inputs
    yield Row("check_equivalence, an input", whole, "bare run of both programs", loop / sum(map(len, drawn)), None)
    yield Row("check_equivalence, an input", whole, "drawing it", drawing / inputs, None)
    some = pairs[:: len(pairs) // PEER_PAIRS]
    for name, (package, peer) in PEERS.items():
        if importlib.util.find_spec(package):
            yield Row("check_equivalence, a pair", a_pair(spellout, some), name, a_pair(peer, some), None)


def inputs_tried(pair: Fault) -> int:
    """Return the number of inputs on which a program and its correct rewrite are compared."""
    return check_equivalence(pair.before, pair.right, pair.calls, inputs="any").tried


def a_pair(check: Callable[[Fault, str], object], pairs: Sequence[Fault]) -> float:
    """Return the seconds that a checker takes for a correct rewrite."""
    return sum(seconds(partial(check, pair, pair.right)) for pair in pairs) / len(pairs)


def run_bare(pairs: Sequence[Fault], drawn: Sequence[Sequence[str]]) -> None:
    """Run both programs of each pair on their calls, without standard error."""
    with contextlib.redirect_stderr(io.StringIO()):
        for pair, calls in zip(pairs, drawn, strict=True):
            bare(pair.before, calls)
            bare(pair.right, calls)


def bare(source: str, calls: Sequence[str]) -> None:
    """Run each call on a fresh module, as the sandbox does, but without describing results or confining the program."""
    code = compile(source, "bench", "exec")
    for call in calls:
        space: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            exec(code, space)
            eval(call, space)
