"""The level of each operation that a program executes, when every form is applied without a limit on tokens.

An operation has level 2 as well if it stays as it is, models read it well, and the state before its step, or the text
of the step, has its operands: there is nothing to expose. (`lab.exposure.operation_level` grants this to no operation
that a model got wrong.) Otherwise the levels are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyze.diagnosis.answer_comparison import final_answer
from analyze.diagnosis.operation_values import ValuedOperation
from corpora.errors import InputError
from lab.exposure.operation_level import (
    OperationTrace,
    is_read_well,
    record_run,
    replaces,
    signature,
)
from lab.form_coverage.operand_kinds import kind_of_operation
from lab.populations import CalledProgram
from rewrite.evidence.context import RewriteContext
from rewrite.evidence.gather import Evidence, observe_calls
from rewrite.pipeline.driver import rewrite_once

MAX_OPERATIONS = 2_000
"""Operations of a run at most, of the program and of a rewrite; others are not counted."""


@dataclass(frozen=True)
class OperationCoverage:
    """An operation at one place of a program.

    Attributes:
        program: The name of the program.
        kind: Strings, numbers or containers.
        operation: The operation that was executed first there.
        text: The source of its step.
        before: Its lowest level over all executions in the program as it is.
        level: The same, each execution in the best of the rewrites.
        tokens: What the shortest rewrite with this level adds to the trace of the whole program, in tokens; 0 if the
            program has it; None if no single rewrite has it in all executions, or if a trace is not counted.
    """

    program: str
    kind: str
    operation: ValuedOperation
    text: str
    before: int
    level: int
    tokens: int | None = None


REWRITES: tuple[tuple[str, ...], ...] = (
    ("decompose",),
    ("consumed_generator", "elements", "methods", "decompose"),
    ("planned", "decompose"),
)
"""Recipes that are applied one after the other to a whole program."""


def measure_program(program: CalledProgram) -> list[OperationCoverage] | str:
    """The operations of a program on strings, numbers and containers; or why they are not counted.

    Args:
        program: The program.

    Example:
        >>> source = "def f(s):\\n    return s.upper() + '!'\\n"
        >>> [(one.operation.name, one.level) for one in measure_program(CalledProgram("", source, "f('ab')"))]
        [('upper', 2), ('Add', 2)]
    """
    before = record_run(program.source, program.call)
    if before is None:
        return "its operations cannot be recorded"
    if len(before.operations) > MAX_OPERATIONS:
        return f"it executes more than {MAX_OPERATIONS} operations"
    try:
        return list(_measure(program, before))
    except InputError as error:  # LibCST does not parse every indentation that CPython does
        return str(error)


def _measure(program: CalledProgram, before: OperationTrace) -> Iterator[OperationCoverage]:
    runs = [before, *_rewritten_runs(program, before)]
    known = {signature(one) for one in before.operations}
    places: dict[object, list[ValuedOperation]] = {}
    for one in before.operations:
        if kind_of_operation(one):
            places.setdefault((one.position or before.step(one), one.kind, one.name), []).append(one)
    original, *rewritten = (_Levels(run, known) for run in runs)
    for found in places.values():
        different = {signature(one): one for one in found}.values()
        lowest = min(original.level(one) for one in different)
        best = min(max(at.level(one) for at in (original, *rewritten)) for one in different)
        reached = [at.run for at in (original, *rewritten) if min(map(at.level, different)) >= best]
        step = before.step(found[0])
        yield OperationCoverage(
            program.id, kind_of_operation(found[0]), found[0], step, lowest, best, _added(before, reached)
        )


def _added(before: OperationTrace, reached: Sequence[OperationTrace]) -> int | None:
    """The tokens that the shortest of some runs adds to the original's; None if there is none that is counted."""
    tokens = [run.trace.tokens for run in reached if run.trace.tokens is not None]
    return min(tokens) - before.trace.tokens if tokens and before.trace.tokens is not None else None


def _rewritten_runs(program: CalledProgram, before: OperationTrace) -> Iterator[OperationTrace]:
    """The runs of the rewrites; one that cannot be recorded, or does something else, is left out."""
    rewritten: dict[tuple[str, ...], str] = {(): program.source}
    for recipes in REWRITES:
        for count in range(len(recipes)):
            first, more = recipes[:count], recipes[: count + 1]
            if more not in rewritten:
                rewritten[more] = _rewritten(rewritten[first], more[-1], program.call)
        run = record_run(rewritten[recipes], program.call)
        if run is not None and len(run.operations) <= 10 * MAX_OPERATIONS and _answer(run) == _answer(before):
            yield run


def _rewritten(source: str, recipe: str, call: str) -> str:
    """A program by a recipe, with all that a call shows as evidence."""
    [seen] = [one.seen for one in observe_calls(source, [call])]
    options = {"conditions": True} if recipe == "decompose" else {}
    return rewrite_once(source, recipe, RewriteContext("assume", Evidence((call,), seen)), options=options).source


def _answer(run: OperationTrace) -> tuple[object, ...]:
    return run.trace.outcome.status, run.trace.outcome.exception, final_answer(run.trace.frames, "return")


class _Levels:
    """The levels that operations of a program have in one of its rewrites."""

    def __init__(self, run: OperationTrace, known: set[tuple[str, str, tuple[str, ...]]]) -> None:
        self.run = run
        self.same: dict[object, list[ValuedOperation]] = {}
        for one in run.operations:
            self.same.setdefault(signature(one), []).append(one)
        new = [found[0] for key, found in self.same.items() if key not in known]
        self.opaque: dict[object, list[ValuedOperation]] = {}  # by name and by value
        for one in new:
            if not is_read_well(one, run):
                for key in {(one.kind, one.name), *one.operands, one.result}:
                    self.opaque.setdefault(key, []).append(one)

    def level(self, one: ValuedOperation) -> int:
        """The level of an operation of the original."""
        same = self.same.get(signature(one))
        if same:
            return min(map(self._in_place, same))
        near = (new for key in {(one.kind, one.name), *one.operands, one.result} for new in self.opaque.get(key, ()))
        return min((1 if self.run.shows(new) else 0 for new in near if replaces(new, one)), default=2)

    def _in_place(self, one: ValuedOperation) -> int:
        if is_read_well(one, self.run) and self.run.holds(one):
            return 2
        return 1 if self.run.shows(one) else 0
