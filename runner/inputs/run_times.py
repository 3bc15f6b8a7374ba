"""What a run about each benchmark takes, as `python bench/run_times.py` measured it. Nothing is measured here."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parent / "run_times.json"


def told(name: str, whole: int | None = None) -> str:
    """A phrase for a list of benchmarks; that it was not measured, where it was not.

    whole: how many samples the benchmark has, where only a part of them may have been there to be measured.
    """
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        one = found["benchmarks"][name]
        size = f"{one['samples']} samples{_of(one['samples'], whole)}"
        lengths = f"median prompt {one['prompt_tokens']:,g} tokens, true trace {one['trace_tokens']:,g}"
        took = f"pocket took {one['pocket_seconds']:g} s a sample ({one['asked']} asked, {found['machine']})"
        return f"{size}; {lengths} (of {one['counted']} samples); {took}"
    except (OSError, ValueError, KeyError, TypeError):
        return "how long a run takes was not measured"


def _of(samples: int, whole: int | None) -> str:
    return f" of its {whole}" if whole and samples < whole else ""
