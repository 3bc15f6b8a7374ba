"""What a run about each benchmark takes, as `python bench/run_times.py` measured it. Nothing is measured here."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parent / "run_times.json"


def told(name: str) -> str:
    """A phrase for a list of benchmarks; that it was not measured, where it was not."""
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        one = found["benchmarks"][name]
        return (
            f"{one['samples']} samples; median prompt {one['prompt_tokens']:,g} tokens, true trace "
            f"{one['trace_tokens']:,g}; pocket took {one['pocket_seconds']:g} s a sample ({found['machine']})"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return "how long a run takes was not measured"
