"""Sizes of the benchmarks, as measured by `python bench/benchmark_sizes.py`."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parent / "benchmark_sizes.json"


def describe_size(name: str, whole: int | None = None) -> str:
    """One line about the size of a benchmark, or that it was not measured.

    Args:
        name: the benchmark.
        whole: its number of samples, if fewer may have been available for the measurement.
    """
    try:
        one = json.loads(FILE.read_text(encoding="utf-8"))[name]
        size = f"{one['samples']} samples{f' of its {whole}' if whole and one['samples'] < whole else ''}"
        lengths = f"median prompt {one['prompt_tokens']:,g} tokens, reference trace {one['trace_tokens']:,g}"
        return f"{size}; {lengths} (of {one['counted']} samples)"
    except (OSError, ValueError, KeyError, TypeError):
        return "size not measured"
