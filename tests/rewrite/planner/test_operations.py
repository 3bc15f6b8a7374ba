"""The operations of a program that can have another form: without all of these forms, the program is as it was."""

from __future__ import annotations

import pytest

from rewrite.evidence.gather import gather_evidence
from rewrite.planner.discovery import apply_here
from rewrite.planner.program import NOT_ALONE, PlannedProgram
from rewrite.planner.trace_counter import TraceCounter

HEAD = "def f(a, n):\n"


@pytest.mark.medium
@pytest.mark.parametrize(
    "lines",
    [
        ["return n if n in (0, 1) else n * len(a[n:])"],
        ["a = a[1:].lower() if n else a", "return a"],
        ["n += len(a) * 2 if a else 1", "return n"],
        ["d = {}", "d[a] = d[a] + 1 if a in d else 1", "return d"],
        ["return a[n - 2 if n - 2 >= 0 else 0]"],
        ["r = [n]", "r.append(len(a) + 1 if n > 2 else len(a) - 1)", "return r"],
        ["return [(a and len(c) > 2) or n for c in a.split()]"],
        ["return all(c.isalpha() and len(c) < 2 for c in a)"],
        ["x = n > 2 and len(a) > 3", "return x or a.startswith('b') or len(a) > 9"],
        ["return 0 < n < len(a) + 1"],
    ],
)
def test_without_any_form_the_program_is_unchanged(lines: list[str]) -> None:
    source = HEAD + "".join(f"    {line}\n" for line in lines)
    evidence = gather_evidence(source, ["f('bAd', 2)"])
    counts = TraceCounter(source, evidence.calls, None)
    program = PlannedProgram(source, 8192, evidence, counts, apply_here)
    assert program.variant(frozenset()) == NOT_ALONE
