"""Cases by name: the benchmarks of `corpora`, and three that belong to the embedded model.

`pocket`: generated programs of the kinds that it was taught, none of which it was trained on. `pocket-goals`: so many
of each kind, for the model card. `demo`: a part of HumanEval, then `pocket`. Other models can be asked about them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from corpora import Case, load, names
from runner.pocket import goals
from runner.pocket.data import unseen

# Sized for two cores: the demo is to end within minutes.
DEMO_HUMANEVAL = 24
DEMO_POCKET = 240


OWN = ("demo", "pocket", goals.NAME)
"""Benchmarks that belong to the embedded model; `corpora` knows the others."""


def benchmark_names() -> list[str]:
    """Every name that `benchmark_cases` knows, sorted."""
    return sorted([*names(), *OWN])


def benchmark_cases(name: str, limit: int | None) -> list[Case]:
    """The first `limit` cases of a benchmark, or all. Raises InputError for an unknown name."""
    if name == "pocket":
        return unseen(limit or DEMO_POCKET)
    if name == goals.NAME:
        return list(islice(goals.cases(), limit))
    return list(islice(_demo() if name == "demo" else load(name), limit))


def _demo() -> Iterator[Case]:
    """The first assertion of HumanEval's first problems, then programs of pocket's own kinds."""
    yield from islice(load("humaneval", per_problem=1), DEMO_HUMANEVAL)
    yield from unseen(DEMO_POCKET)
