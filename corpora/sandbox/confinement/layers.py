"""Which layers make up each isolation level, and how the child applies its own layers.

A: every layer. B: no namespaces, because `bwrap` is missing or the kernel forbids them. Files, other processes and the
network are still closed, but only the worker empties the environment, and a program can see that a path exists. M:
macOS, process and resource limits. C: process and resource limits only. A level is in force only after
`corpora.sandbox.workers.selfcheck` has confirmed its layers.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from corpora.program import Isolation
from corpora.sandbox.confinement import landlock, limits, seccomp

OUTER_LAYERS = ("mount", "pid", "net", "ipc", "uts", "environment")
INNER_LAYERS = ("rlimits", "landlock", "seccomp")
LEVEL_LAYERS: dict[Isolation, tuple[str, ...]] = {
    "A": (*OUTER_LAYERS, "capabilities", *INNER_LAYERS),
    "B": ("capabilities", *INNER_LAYERS),
    "M": ("rlimits",),
    "C": ("rlimits",),
}


@dataclass(frozen=True)
class Confinement:
    """The confinement of a worker.

    Attributes:
        level: The isolation level that is claimed.
        layers: The layers that are applied: all layers of the level, except in tests.
    """

    level: Isolation
    layers: tuple[str, ...]

    @staticmethod
    def for_level(level: Isolation, without: Collection[str] = ()) -> Confinement:
        """The layers of a level. Tests leave some out to check that the self-check refuses."""
        return Confinement(level, tuple(layer for layer in LEVEL_LAYERS[level] if layer not in without))


class ChildLayers:
    """The layers that a child applies to itself. The zygote prepares them."""

    def __init__(self, layers: Collection[str], readable: Collection[str], tasks: int = 0) -> None:
        self._tasks = tasks
        self._layers = frozenset(layers) & set(INNER_LAYERS)
        self._base = limits.address_space_in_use()
        self._ruleset: landlock.LandlockRuleset | None = None
        self._filter: seccomp.SeccompFilter | None = None
        if "landlock" in self._layers:
            self._ruleset = landlock.LandlockRuleset([Path(path) for path in readable], [Path("/dev/null")])
        if "seccomp" in self._layers:
            self._filter = seccomp.SeccompFilter()

    def apply(self, megabytes: int, cpu_seconds: int, stdout_bytes: int, only: str = "") -> None:
        """Confine this process. `only` names the single layer that a probe applies."""
        chosen = self._layers & {only} if only else self._layers
        if "rlimits" in chosen:
            limits.apply_limits(megabytes, cpu_seconds, stdout_bytes, self._base, self._tasks)
        if "landlock" in chosen and self._ruleset:
            self._ruleset.restrict()
        if "seccomp" in chosen and self._filter:
            self._filter.install()
