"""Run times of the benchmarks, as measured by `python bench/run_times.py`."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parent / "run_times.json"


def describe_run_time(name: str, whole: int | None = None) -> str:
    """One line about the size and run time of a benchmark, or that it was not measured.

    Args:
        name: the benchmark.
        whole: its number of samples, if fewer may have been available for the measurement.
    """
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        one = found["benchmarks"][name]
        size = f"{one['samples']} samples{f' of its {whole}' if whole and one['samples'] < whole else ''}"
        lengths = f"median prompt {one['prompt_tokens']:,g} tokens, reference trace {one['trace_tokens']:,g}"
        took = f"pocket took {one['pocket_seconds']:g} s per sample ({one['asked']} asked, {found['machine']})"
        return f"{size}; {lengths} (of {one['counted']} samples); {took}"
    except (OSError, ValueError, KeyError, TypeError):
        return "run time not measured"
