"""Speed of a rewrite in lines per second, relative to LibCST parsing, visiting and printing the same files.

Prints the ratio of the times for the recipes `decompose` and `methods`, measured alternately file by file in one run.
"""

from __future__ import annotations

import os
import sysconfig
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import libcst as cst

from rewrite import rewrite_source

MODULES = (
    "argparse ast csv difflib fractions heapq inspect json/decoder pprint shlex statistics tarfile textwrap typing"
)
LIMIT = 2.0


def sources() -> list[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    return [(folder / f"{name}.py").read_text(encoding="utf-8") for name in MODULES.split()]


def floor(source: str) -> None:
    """The minimum work of any tool that preserves formatting."""
    _ = cst.parse_module(source).visit(cst.CSTTransformer()).code


def seconds(work: Callable[[str], object], source: str) -> float:
    start = time.process_time()
    work(source)
    return time.process_time() - start


def main() -> None:
    texts = sources()
    lines = sum(text.count("\n") for text in texts)
    tasks: dict[str, Callable[[str], object]] = {
        "floor": floor,
        "decompose": rewrite_source,
        "methods": lambda text: rewrite_source(text, "methods"),
    }
    spent = dict.fromkeys(tasks, 0.0)
    for text in texts:  # alternating, so that a busy machine slows all tasks equally
        for name, work in tasks.items():
            spent[name] += min(seconds(work, text) for _ in range(2))
    print(f"rewrite: {len(texts)} modules of the standard library, {lines} lines, one core")
    for name, time_spent in spent.items():
        ratio = time_spent / spent["floor"]
        verdict = "" if name == "floor" else f"  (at most {LIMIT}: {'yes' if ratio <= LIMIT else 'NO'})"
        print(f"  {name:10} {lines / time_spent:8,.0f} lines/s  {ratio:5.2f} times the floor{verdict}")
    cores = os.cpu_count() or 1
    start = time.perf_counter()
    with ProcessPoolExecutor(cores) as pool:
        list(pool.map(rewrite_source, texts))
    print(f"  decompose on {cores} cores: {lines / (time.perf_counter() - start):,.0f} lines/s by the wall clock")


if __name__ == "__main__":
    main()
