"""Limits the work of generated inputs, so that a comparison does not wait for runs that take long or never end.

Work is counted in executed lines of the original, not in seconds, so that machine and load do not change which inputs
are compared. Inputs are tried in the order of their size. One that exceeds the limit is cut, and inputs that are at
least as large in every argument are not tried. A limit on processor time covers code in C, which executes no lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rewrite.equivalence.call_templates import CallTemplate, sequence_template
from rewrite.equivalence.coverage import MAX_CPU_SECONDS, MAX_WORK, CallPath, observe_paths
from rewrite.equivalence.shrinking import complexity

FACTOR = 10
"""A generated input may take this many times the work of the given calls."""
MIN_WORK = 10_000
"""The lowest limit, in executed lines; the highest is that of an observed run."""
MIN_CPU_SECONDS = 0.25
"""The lowest limit on processor time."""
MAX_TOTAL = 2_000_000
"""Executed lines of all generated inputs together. Larger inputs are not tried after it is reached."""
MAX_CUT = 10
"""After this many inputs were cut, only inputs that are simpler than all of them are tried."""


class WorkLimit:
    """Measures the paths of calls in one program, and selects the generated calls that stay within the limit.

    Attributes:
        paths: The paths of the calls that were measured.
        cut: Calls that exceed the limit, each with the reason.
        not_tried: The number of calls that were not tried because they are larger than one that was cut.
    """

    def __init__(self, source: str, wall_seconds: float) -> None:
        self._source, self._wall_seconds = source, wall_seconds
        self.paths: dict[str, CallPath] = {}
        self.cut: dict[str, str] = {}
        self.not_tried = 0
        self._total = 0
        self._most, self._cpu_seconds = MIN_WORK, MIN_CPU_SECONDS
        self._cut_templates: list[CallTemplate] = []

    def measure_given(self, calls: Sequence[str]) -> None:
        """Measure given calls, which are not cut. The limit for generated calls follows from their work."""
        queue = [call for call in calls if call not in self.paths]
        while queue:
            found = self._observed(queue, MAX_WORK, MAX_CPU_SECONDS)
            if not found:
                break
            queue = queue[len(found) :]
            self._most = max(self._most, *(min(FACTOR * path.work, MAX_WORK) for path in found.values()))
            cpu = max(path.cpu_seconds for path in found.values())
            self._cpu_seconds = max(self._cpu_seconds, min(FACTOR * cpu, MAX_CPU_SECONDS))

    def admitted(self, calls: Sequence[str]) -> list[str]:
        """The calls that stay within the limit, in their order. The others are counted."""
        queue = sorted((call for call in dict.fromkeys(calls) if call not in self.paths), key=_size)
        while queue:
            kept = self._tried(queue)
            self.not_tried += len(queue) - len(kept)
            found = self._observed(kept, self._most, self._cpu_seconds, MAX_TOTAL - self._total)
            if not found:  # the program ends its process: what it does is compared, and not measured
                return [call for call in calls if call not in self.cut and (call in kept or self._is_within(call))]
            self._total += sum(path.work for path in found.values())
            for call, path in found.items():
                if not path.ended:
                    self.cut[call] = self._reason(path)
                    self._cut_templates.append(sequence_template(call)[1])
            queue = kept[len(found) :]
        return [call for call in calls if self._is_within(call)]

    def note(self) -> str:
        """What was cut, in words; "" if nothing was."""
        if not self.cut and not self.not_tried:
            return ""
        more = f", and {self.not_tried} larger ones were not tried" if self.not_tried else ""
        what = "1 input was" if len(self.cut) == 1 else f"{len(self.cut)} inputs were"
        return f"{what} cut, over {self._most:,} executed lines or {self._cpu_seconds:.2g} s{more}"

    def _observed(
        self, calls: Sequence[str], most: int, cpu_seconds: float, total: int | None = None
    ) -> Mapping[str, CallPath]:
        limits = {"cpu_seconds": cpu_seconds, "wall_seconds": self._wall_seconds}
        found = observe_paths(self._source, calls, max_work=most, max_total=total, **limits) if calls else {}
        self.paths |= found
        return found

    def _is_within(self, call: str) -> bool:
        return call in self.paths and call not in self.cut

    def _reason(self, path: CallPath) -> str:
        if path.work > self._most:
            return f"cut: it executes more than {self._most:,} lines"
        return f"cut: it takes more than {self._cpu_seconds:.2g} s of processor time, or does not end by itself"

    def _tried(self, queue: Sequence[str]) -> list[str]:
        """The calls of a queue that are smaller than those that were cut."""
        if self._total > MAX_TOTAL:
            return []
        if not self._cut_templates:
            return list(queue)
        kept = [call for call in queue if not self._is_larger(sequence_template(call)[1])]
        if len(self.cut) >= MAX_CUT:
            least = min(complexity(known.values) for known in self._cut_templates)
            kept = [call for call in kept if _size(call) < least]
        return kept

    def _is_larger(self, tried: CallTemplate) -> bool:
        """Whether a call is at least as large, in every argument, as one of the same form that was cut."""
        return any(
            known.pieces == tried.pieces and all(map(_is_as_large, tried.values, known.values))
            for known in self._cut_templates
        )


def _size(call: str) -> tuple[int, int]:
    return complexity(sequence_template(call)[1].values)


def _is_as_large(value: Any, other: Any) -> bool:
    """Whether a value is at least as large as another one of the same type and sign."""
    if type(value) is not type(other):
        return False
    if isinstance(value, int | float):
        return (value < 0) == (other < 0) and bool(abs(value) >= abs(other))
    sizes = zip(complexity(value), complexity(other), strict=True)
    return len(value) >= len(other) if isinstance(value, str | bytes) else all(mine >= its for mine, its in sizes)
