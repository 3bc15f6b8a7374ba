"""Models that tests ask."""

from pathlib import Path

SMALL_TRACER = Path(__file__).parent / "small_tracer"
"""A folder with weights of CWM's architecture: small, fast and deterministic, and it writes traces."""
