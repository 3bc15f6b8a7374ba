"""Line and branch coverage of a program under given calls, measured inside the sandbox.

`LineObserver` runs in the worker; `measure_coverage` runs here and asks for it. A branch leads from the test of an
`if`, `while` or `for` into its body, or past it. Only tests whose body begins on another line are counted.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from corpora.execute import run_observed
from corpora.sandbox.execution.call_steps import ParsedCall
from corpora.sandbox.execution.program_module import import_module
from corpora.sandbox.values.snapshot import Snapshot

globals()["__builtins__"] = dict(vars(builtins))  # the observer needs its own: a program may replace builtins
_set_trace, _clear, _update = sys.settrace, dict.clear, dict.update
_built_ins, _BUILT_INS = vars(builtins), dict(vars(builtins))
_modules = sys.modules
MAX_STEPS = 300_000
_STEP = re.compile(r"\[(\d{1,9}),(\d{1,9}),(\d{1,9})\]", re.ASCII)


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


class _StepLimitReached(BaseException):
    """Leaves the observed program. It is not an Exception, so that handlers in the program do not catch it."""


class LineObserver:
    """Sandbox observer: runs each call on a fresh module and emits each step between two lines once.

    It emits "[from, to, index of the call]". Line 0 stands for entering or leaving a function. It stops after
    `MAX_STEPS` steps.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._calls = [ParsedCall(call, sequences=True) for call in options["calls"]]
        self._emit = emit
        self._seen: set[tuple[int, int]] = set()
        self._steps = self._number = 0
        self._filename = ""
        self._code: CodeType | None = None

    def compile(self, source: str, filename: str) -> CodeType:
        """Compile the program."""
        self._filename = filename
        self._code = compile(source, filename, "exec", dont_inherit=True)
        return self._code

    def run(self, entry: Callable[[], object]) -> object:
        """Run each call in a fresh module; `entry` is not used."""
        assert self._code is not None
        for number, call in enumerate(self._calls):
            self._number = number
            _clear(_built_ins)
            _update(_built_ins, _BUILT_INS)
            _modules["sys"] = sys  # since Python 3.12, a newly imported `sys` has no `modules`
            namespace = import_module().__dict__
            _set_trace(self._enter)
            try:
                exec(self._code, namespace)
                self._follow(call, namespace)
            except _StepLimitReached:
                self._emit('"stopped"')
                break
            except BaseException:  # noqa: BLE001 - outcomes are compared elsewhere; only the path counts here
                continue
            finally:
                _set_trace(None)
        return None

    def _follow(self, call: ParsedCall, namespace: dict[str, Any]) -> None:
        snapshot, named = Snapshot(), dict[str, Any]()
        for step in call.steps:
            try:
                value = step.value(namespace, named, [])
            except Exception:  # noqa: BLE001 - the next call of the sequence follows
                continue
            if step.name:
                named[step.name] = value
            snapshot.node(value)  # reading a lazy value runs its code

    def _enter(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != self._filename:
            return None
        latest, raising = 0, False

        def follow(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            nonlocal latest, raising
            if event == "line":
                self._step(latest, frame.f_lineno)
                latest, raising = frame.f_lineno, False
            elif event == "exception":
                raising = True
            elif event == "return" and not raising:
                self._step(latest, 0)
            return follow

        return follow

    def _step(self, start: int, end: int) -> None:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise _StepLimitReached
        if (start, end) not in self._seen:
            self._seen.add((start, end))
            self._emit(f"[{start},{end},{self._number}]")


def measure_coverage(source: str, calls: Sequence[str], *, seconds: float = 10.0) -> Coverage:
    """Measure the coverage of a program under some calls, in the sandbox.

    Args:
        source: The program, which must parse.
        calls: The calls, each on a fresh module.
        seconds: Time limit for all calls together.
    """
    text = f"{source}\ndef main():\n    pass\n"
    observer = "rewrite.equivalence.coverage:LineObserver"
    outcome, emitted = run_observed(text, observer, {"calls": list(calls)}, seconds=seconds)
    note = "" if outcome.status == "ok" and '"stopped"' not in emitted else "measured on the first calls only"
    steps = [_STEP.fullmatch(line) for line in emitted]  # ignore lines that the program wrote itself
    pairs = {(int(step[1]), int(step[2])) for step in steps if step}
    lines = {end for _, end in pairs if end}
    tree = ast.parse(source)
    own = set(statement_lines(tree))
    tests = list(branch_tests(tree))
    missing = {test: missed_outcomes(*test, pairs) for test in tests}
    not_taken = sorted((test[0].start, way) for test, ways in missing.items() for way in ways or ())
    taken = sum(2 - len(ways) for ways in missing.values() if ways is not None)
    lines_of = tuple(sorted(own & lines)), tuple(sorted(own - lines))
    first = tuple(sorted({int(step[3]) for step in steps if step and int(step[3]) < len(calls)}))
    return Coverage(*lines_of, tuple(not_taken), note, 2 * len(tests), taken, first)


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
