"""Which lines and branches of a program some calls reach, counted inside the sandbox.

`Lines` is the observer that runs in the worker; `reached` is what asks for it here. A branch is the way from the test
of an if, while or for to its body, or past it, as far as they stand on lines of their own.
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
from corpora.sandbox.execution.call_steps import Text
from corpora.sandbox.values.snapshot import Snapshot

globals()["__builtins__"] = dict(vars(builtins))  # for the observer below; a program may replace its own
_set_trace, _clear, _update = sys.settrace, dict.clear, dict.update
_built_ins, _BUILT_INS = vars(builtins), dict(vars(builtins))
_modules = sys.modules
FILENAME = "<program>"
MOST_STEPS = 300_000
_STEP = re.compile(r"\[(\d{1,9}),(\d{1,9}),(\d{1,9})\]", re.ASCII)


@dataclass(frozen=True)
class Reached:
    """Line numbers of the program's statements, and branches of tests as (line, "never true" | "never false").

    not_branches: those that no call took though it came to the test; branches: how many there are, at tests that
    no call came to as well; taken: how many some call took. first: numbers of the calls that took a step first.
    """

    lines: tuple[int, ...] = ()
    not_lines: tuple[int, ...] = ()
    not_branches: tuple[tuple[int, str], ...] = ()
    note: str = ""
    branches: int = 0
    taken: int = 0
    first: tuple[int, ...] = ()


class _Stop(BaseException):
    """Leaves the program under observation; what handles Exception does not stop it."""


class Lines:
    """Observer: runs every call of options["calls"] on a fresh module and emits each step between lines once.

    Emits "[from, to, number of the call]"; 0 stands for the way into and out of a function.
    Stops counting after `MOST_STEPS`.
    """

    def __init__(self, options: Mapping[str, Any], emit: Callable[[str], None]) -> None:
        self._calls = [Text(call, sequences=True) for call in options["calls"]]
        self._emit = emit
        self._seen: set[tuple[int, int]] = set()
        self._steps = self._number = 0
        self._code: CodeType | None = None

    def compile(self, source: str, filename: str) -> CodeType:
        """The program, under the name by which its lines are told from others."""
        self._code = compile(source, FILENAME, "exec", dont_inherit=True)
        return self._code

    def run(self, entry: Callable[[], object]) -> object:
        """Each call in a module of its own; `entry` is not asked."""
        assert self._code is not None
        for number, call in enumerate(self._calls):
            self._number = number
            _clear(_built_ins)
            _update(_built_ins, _BUILT_INS)
            _modules["sys"] = sys  # from 3.12 on, one that is imported anew has no `modules`
            namespace: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
            _set_trace(self._enter)
            try:
                exec(self._code, namespace)
                self._follow(call, namespace)
            except _Stop:
                self._emit('"stopped"')
                break
            except BaseException:  # noqa: BLE001 - how a call ends is compared elsewhere; here its way counts
                continue
            finally:
                _set_trace(None)
        return None

    def _follow(self, call: Text, namespace: dict[str, Any]) -> None:
        snapshot, named = Snapshot(), dict[str, Any]()
        for step in call.steps:
            try:
                value = step.value(namespace, named, [])
            except Exception:  # noqa: BLE001 - the next call is made all the same
                continue
            if step.name:
                named[step.name] = value
            snapshot.node(value)  # what is lazy runs when it is read

    def _enter(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        if frame.f_code.co_filename != FILENAME:
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
        if self._steps > MOST_STEPS:
            raise _Stop
        if (start, end) not in self._seen:
            self._seen.add((start, end))
            self._emit(f"[{start},{end},{self._number}]")


def reached(source: str, calls: Sequence[str], *, seconds: float = 10.0) -> Reached:
    """What these calls reach of a program that parses. Nothing is run in this process."""
    text = f"{source}\ndef main():\n    pass\n"
    outcome, emitted = run_observed(text, "rewrite.equivalence.coverage:Lines", {"calls": list(calls)}, seconds=seconds)
    note = "" if outcome.status == "ok" and '"stopped"' not in emitted else "counted on the first calls only"
    steps = [_STEP.fullmatch(line) for line in emitted]  # what a program wrote itself says no step
    pairs = {(int(step[1]), int(step[2])) for step in steps if step}
    lines = {end for _, end in pairs if end}
    tree = ast.parse(source)
    own = set(statement_lines(tree))
    tests = list(tests_of(tree))
    missing = {test: untaken(*test, pairs) for test in tests}
    not_taken = sorted((test[0].start, way) for test, ways in missing.items() for way in ways or ())
    taken = sum(2 - len(ways) for ways in missing.values() if ways is not None)
    lines_of = tuple(sorted(own & lines)), tuple(sorted(own - lines))
    first = tuple(sorted({int(step[3]) for step in steps if step and int(step[3]) < len(calls)}))
    return Reached(*lines_of, tuple(not_taken), note, 2 * len(tests), taken, first)


def statement_lines(tree: ast.AST) -> Iterator[int]:
    """First lines of the statements inside functions, without docstrings and declarations."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.stmt) and inner is not node and not _silent(inner):
                    yield inner.lineno


def _silent(node: ast.stmt) -> bool:
    """Statements that make no line event: constants (docstrings), declarations, and the word `try` itself."""
    constant = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return constant or isinstance(node, ast.Global | ast.Nonlocal | ast.Try | ast.FunctionDef | ast.ClassDef)


def tests_of(tree: ast.AST) -> Iterator[tuple[range, range]]:
    """Lines of the test and of the body of every if, while and for whose body stands on lines of its own."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.If | ast.While | ast.For) or node.body[0].lineno == node.lineno:
            continue
        test = node.iter if isinstance(node, ast.For) else node.test
        if not isinstance(test, ast.Constant):
            body = range(node.body[0].lineno, (node.body[-1].end_lineno or 0) + 1)
            yield range(node.lineno, (test.end_lineno or node.lineno) + 1), body


def untaken(test: range, body: range, steps: set[tuple[int, int]]) -> list[str] | None:
    """Which ways from a test no step took; None where no step came to the test."""
    if not any(end in test for _, end in steps):
        return None
    ends = {end for start, end in steps if start in test and end not in test}
    inside = any(end in body for end in ends)
    outside = any(end not in body for end in ends)
    return [*([] if inside else ["never true"]), *([] if outside else ["never false"])]
