"""Execution paths of calls: the steps between lines and the work of each call, and the line and branch coverage.

Work is counted in executed lines, so that
a limit on it does not depend on the machine or its load. A branch leads from the test of an `if`, `while` or `for` into
its body, or past it. Only tests whose body begins on another line are counted.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from corpora.execute import run_observed
from rewrite.equivalence.path_observer import FUNCTION

OBSERVER = "rewrite.equivalence.path_observer:PathObserver"
MAX_WORK = 1_000_000
"""Executed lines after which a call is no longer followed."""
MAX_CPU_SECONDS = 2.0
"""Processor time after which a call is no longer followed: code in C executes no lines."""
WALL_SECONDS = 10.0
"""Wall time after which a call is no longer followed: a call that sleeps takes no processor time."""


class Step(NamedTuple):
    """A step between two lines of one frame.

    Attributes:
        start: The line that it leaves; 0 if it enters the frame.
        end: The line that it comes to; 0 if it leaves the frame.
        scope: What the frame runs: `MODULE` (a class body, too), `FUNCTION` or `LAMBDA`.
        raised: Whether an exception left the line `start`. A step that leaves a frame by an exception is not recorded.
    """

    start: int
    end: int
    scope: int = FUNCTION
    raised: bool = False


@dataclass(frozen=True)
class CallPath:
    """What one call executed.

    Attributes:
        steps: The steps between lines.
        work: The number of executed lines.
        ended: Whether it ended within the limits.
        cpu_seconds: Processor time, as observed.
    """

    steps: frozenset[Step]
    work: int
    ended: bool
    cpu_seconds: float = 0.0


@dataclass(frozen=True)
class Coverage:
    """Line and branch coverage of a program.

    Attributes:
        lines: Line numbers of the statements in functions that were executed.
        missed_lines: Line numbers of those that were not executed.
        missed_branches: (line, "never true" or "never false") for each outcome missing at a test that was executed.
        note: A limitation of the measurement, or "".
        branch_count: The number of branches, including those at tests that were not executed.
        branches_taken: The number of branches taken.
        calls_with_new_steps: Indices of the calls that executed a step between two lines before all others did.
    """

    lines: tuple[int, ...] = ()
    missed_lines: tuple[int, ...] = ()
    missed_branches: tuple[tuple[int, str], ...] = ()
    note: str = ""
    branch_count: int = 0
    branches_taken: int = 0
    calls_with_new_steps: tuple[int, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether no line and no branch is missed."""
        return not self.missed_lines and self.branches_taken == self.branch_count


def observe_paths(
    source: str,
    calls: Sequence[str],
    *,
    max_work: int = MAX_WORK,
    max_total: int | None = None,
    cpu_seconds: float = MAX_CPU_SECONDS,
    wall_seconds: float = WALL_SECONDS,
) -> dict[str, CallPath]:
    """Run calls one after the other until one exceeds a limit, and return their paths.

    Args:
        source: The program, which must parse.
        calls: The calls, each on a fresh module.
        max_work: Limit on the executed lines of each call.
        max_total: Limit on the executed lines of all calls (default: none). Calls after the one that exceeds it are not
            run.
        cpu_seconds: Limit on the processor time of each call.
        wall_seconds: Limit on the wall time of each call.

    Returns:
        The paths of the calls in order, up to the first that did not end within the limits; that call included. A call
        that ends its process, as by `os._exit`, has a path without steps, and no path if the module does it.
    """
    options = {
        "calls": list(calls),
        "max_work": max_work,
        "max_total": max_work * len(calls) if max_total is None else max_total,
        "cpu_seconds": cpu_seconds,
        "wall_seconds": wall_seconds,
    }
    seconds = wall_seconds * (1 + len(calls))
    text = f"{source}\ndef main():\n    pass\n"
    outcome, emitted = run_observed(text, OBSERVER, options, seconds=seconds)
    paths: dict[str, CallPath] = {}
    begun = -1
    for record in map(_read_record, emitted):
        match record:
            case [int(number)] if number == len(paths) < len(calls):
                begun = number
            case [int(number), int(work), bool(ended), float(cpu), list(steps)] if number == len(paths) == begun:
                paths[calls[number]] = CallPath(frozenset(map(_read_step, steps)), work, ended, cpu)
            case _:  # a line that the program wrote itself
                continue
    if len(paths) == begun < len(calls):
        exited = outcome.exit_status is not None
        paths[calls[begun]] = CallPath(frozenset(), 0 if exited else max_work, exited)
    return paths


def _read_record(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_step(step: Any) -> Step:
    match step:
        case [int(start), int(end), int(scope), bool() | int() as raised]:
            return Step(start, end, scope, bool(raised))
    return Step(0, 0)


def measure_coverage(source: str, calls: Sequence[str]) -> Coverage:
    """Measure the coverage of a program under some calls, in the sandbox.

    Args:
        source: The program, which must parse.
        calls: The calls, each on a fresh module. Calls after one that exceeds `MAX_WORK` are not followed.
    """
    paths = observe_paths(source, list(dict.fromkeys(calls)))
    return coverage_of(ast.parse(source), [paths.get(call) for call in calls])


def coverage_of(tree: ast.Module, paths: Sequence[CallPath | None]) -> Coverage:
    """The coverage of a program whose calls have these paths; None for a call whose path is not known."""
    own, tests = set(statement_lines(tree)), list(branch_tests(tree))
    new = {step: number for number, path in reversed(list(enumerate(paths))) if path for step in path.steps}
    pairs = {(step.start, step.end) for step in new}
    lines = {end for _, end in pairs if end}
    missing = {test: missed_outcomes(*test, pairs) for test in tests}
    not_taken = sorted((test[0].start, way) for test, ways in missing.items() for way in ways or ())
    taken = sum(2 - len(ways) for ways in missing.values() if ways is not None)
    note = "" if all(path and path.ended for path in paths) else "measured on the first calls only"
    lines_of = tuple(sorted(own & lines)), tuple(sorted(own - lines))
    return Coverage(*lines_of, tuple(not_taken), note, 2 * len(tests), taken, tuple(sorted(set(new.values()))))


def statement_lines(tree: ast.AST) -> Iterator[int]:
    """Yield the first line of each statement inside a function, except docstrings and declarations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt) and inner is not node and not _has_no_line_event(inner):
                    yield inner.lineno


def _has_no_line_event(node: ast.stmt) -> bool:
    """Whether a statement causes no line event: a constant (docstring), a declaration, or `try` itself."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Global | ast.Nonlocal | ast.Try | ast.FunctionDef | ast.ClassDef)


def branch_tests(tree: ast.AST) -> Iterator[tuple[range, range]]:
    """Yield the line ranges of test and body of each `if`, `while` and `for` whose body begins on another line."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.If | ast.While | ast.For) or node.body[0].lineno == node.lineno:
            continue
        test = node.iter if isinstance(node, ast.For) else node.test
        if not isinstance(test, ast.Constant):
            body = range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)
            yield range(node.lineno, (test.end_lineno or node.lineno) + 1), body


def missed_outcomes(test: range, body: range, steps: set[tuple[int, int]]) -> list[str] | None:
    """The outcomes of a test that no step shows; None if the test was not executed."""
    if not any(end in test for _, end in steps):
        return None
    ends = {end for start, end in steps if start in test and end not in test}
    ways = ("never true", any(end in body for end in ends)), ("never false", any(end not in body for end in ends))
    return [way for way, is_taken in ways if not is_taken]
