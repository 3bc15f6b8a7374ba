"""Speed of the equivalence check: pairs of programs and inputs per second, compared with a plain loop over the calls.

    python bench/bench_equivalence.py

The programs are the originals and the correct rewrites of the corpus of seeded faults, which are harmless. All other
programs run only in the sandbox. Ratios compare measurements of one run.
"""

from __future__ import annotations

import ast
import contextlib
import io
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from corpora import run_calls  # noqa: E402
from rewrite import check_equivalence  # noqa: E402
from rewrite.equivalence.call_inputs import call_strategy as calls_like  # noqa: E402
from rewrite.equivalence.call_inputs import draw_distinct  # noqa: E402
from tests.rewrite.faults import Fault, corpus  # noqa: E402


def bare(source: str, calls: list[str]) -> None:
    """Run each call on a fresh module, as the sandbox does, but without describing results or confining the program."""
    code = compile(source, "bench", "exec")
    for call in calls:
        space: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
            exec(code, space)
            eval(call, space)


def main() -> int:
    pairs = corpus()
    run_calls("def f(): pass", ["f()"])  # start the worker before the measurement

    start = time.perf_counter()
    verdicts = [check_equivalence(pair.before, pair.right, pair.calls) for pair in pairs]
    whole = time.perf_counter() - start
    inputs = sum(verdict.tried for verdict in verdicts)

    start = time.perf_counter()
    drawn = [drawn_calls(pair) for pair in pairs]
    drawing = time.perf_counter() - start

    called = sum(map(len, drawn))
    start = time.perf_counter()
    with contextlib.redirect_stderr(io.StringIO()):
        for pair, calls in zip(pairs, drawn, strict=True):
            if pair.kind != "a patched library":  # the plain loop would patch this process
                bare(pair.before, calls)
                bare(pair.right, calls)
    loop = time.perf_counter() - start

    print(f"pairs of programs          {len(pairs):8}    {len(pairs) / whole:10.1f} pairs/s")
    print(f"inputs compared            {inputs:8}    {inputs / whole:10.0f} inputs/s")
    print(f"  of that, drawing inputs  {called:8}    {drawing / whole:10.0%} of the time")
    print(f"bare loop in this process  {called:8}    {called / loop:10.0f} inputs/s")
    print(f"comparing in the sandbox takes {whole / inputs / (loop / called):.0f} times a bare run of both programs")
    return 0


def drawn_calls(pair: Fault) -> list[str]:
    return [*pair.calls, *draw_distinct(calls_like(ast.parse(pair.before), pair.calls), 100)]


if __name__ == "__main__":
    raise SystemExit(main())
