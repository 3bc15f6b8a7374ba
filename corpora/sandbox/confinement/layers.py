"""Which layers hold a program at each level, and putting on the inner ones in the child.

A: every layer. B: no namespaces (no bwrap, or a kernel that forbids them): files, other processes and the network are
still closed, but the environment is only emptied by us and paths can be seen to exist. M: macOS, process and limits.
C: process and limits only. A level is what was claimed *and* seen to hold by `corpora.sandbox.workers.selfcheck`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from corpora.program import Isolation
from corpora.sandbox.confinement import landlock, limits, seccomp

OUTER = ("mount", "pid", "net", "ipc", "uts", "environment")
INNER = ("rlimits", "landlock", "seccomp")
CLAIMS: dict[Isolation, tuple[str, ...]] = {
    "A": (*OUTER, "capabilities", *INNER),
    "B": ("capabilities", *INNER),
    "M": ("rlimits",),
    "C": ("rlimits",),
}


@dataclass(frozen=True)
class Confinement:
    """What a worker is told: the level claimed and the layers put on (all that it claims, but in tests)."""

    level: Isolation
    layers: tuple[str, ...]

    @staticmethod
    def of(level: Isolation, without: Collection[str] = ()) -> Confinement:
        """The layers of a level, less those that a test leaves out to see the self-check refuse."""
        return Confinement(level, tuple(layer for layer in CLAIMS[level] if layer not in without))


class InnerLayers:
    """The layers that a child puts on by itself, prepared in the zygote."""

    def __init__(self, layers: Collection[str], readable: Collection[str], tasks: int = 0) -> None:
        self._tasks = tasks
        self._layers = frozenset(layers) & set(INNER)
        self._base = limits.address_space_in_use()
        self._ruleset: landlock.Ruleset | None = None
        self._filter: seccomp.Filter | None = None
        if "landlock" in self._layers:
            self._ruleset = landlock.Ruleset([Path(path) for path in readable], [Path("/dev/null")])
        if "seccomp" in self._layers:
            self._filter = seccomp.Filter()

    def put_on(self, megabytes: int, cpu_seconds: int, stdout_bytes: int, only: str = "") -> None:
        """Confine this process. `only` names the one layer of a probe."""
        chosen = self._layers & {only} if only else self._layers
        if "rlimits" in chosen:
            limits.apply(megabytes, cpu_seconds, stdout_bytes, self._base, self._tasks)
        if "landlock" in chosen and self._ruleset:
            self._ruleset.restrict()
        if "seccomp" in chosen and self._filter:
            self._filter.install()
