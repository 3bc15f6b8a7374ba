"""How far a rewrite exposes the operation that a model got wrong, measured on the trace of the rewritten program.

For `bench/planned.py`. A line counts as exposed (`lab.exposure.diverging_line`) even if the wrong operation is
untouched; the level tells these cases apart. It says what the states show, not what a model does with them: whether
level 2 helps a model is not known.
"""

from __future__ import annotations

import ast
import builtins
import io
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from analyze.diagnosis.divergence import diagnose
from analyze.diagnosis.failing_operation import OperationDiagnosis, computed_operands, find_failing_operation, literal
from analyze.diagnosis.operation_values import ValuedOperation, record_values
from analyze.gold_trace.trace import Trace, trace_call

READ_WELL = {
    "call": {
        "list",
        "tuple",
        "len",
        "range",
        "enumerate",
        "zip",
        "iter",
        "next",
        "abs",
        "bool",
        "ord",
        "chr",
        "dict",
        "set",
        "isinstance",
        "type",
    },
    "method": {"append", "extend", "insert", "copy", "get", "keys", "values", "items", "add", "clear", "reverse"},
    "boolean": {"And", "Or"},
}
"""Steps that models read well: they look at what a state shows item by item, at its type, or pass it on. `is_read_well`
adds those that depend on their operands."""
MAX_DIGITS = 4
"""Arithmetic on numbers of at most this many characters is read well."""


def diagnose_operation(source: str, call: str, output: str) -> OperationDiagnosis | None:
    """The operations that may have produced the first wrong value of an output; None if no operation was found."""
    if not output:
        return None
    trace = trace_call(source, call)
    found = find_failing_operation(trace, diagnose(trace, output)) if trace.cut is None else None
    return found if found is not None and found.operations else None


class ExposureLevels(NamedTuple):
    """The levels of the operations that may have failed; the same three if there is one.

    Attributes:
        outermost: The level of the operation that contains the others in the source.
        best: The highest level.
        lowest: The lowest level, which counts.
    """

    outermost: int
    best: int
    lowest: int


@dataclass(frozen=True)
class OperationTrace:
    """The trace of a program with all of its operations."""

    trace: Trace
    operations: tuple[ValuedOperation, ...]

    @cached_property
    def by_frame(self) -> dict[int, list[ValuedOperation]]:
        """The operations that lead to each frame."""
        found: dict[int, list[ValuedOperation]] = {}
        for one in self.operations:
            found.setdefault(one.frame, []).append(one)
        return found

    def step(self, one: ValuedOperation) -> str:
        """The source of the step that performs an operation."""
        return self.trace.frames[one.frame - 1].source.strip()

    def computed(self, one: ValuedOperation) -> set[int]:
        """The indices of the operands that the same step computes."""
        same = self.by_frame[one.frame]
        return {number for number, _ in computed_operands(same, one)}

    def uses(self, one: ValuedOperation) -> bool:
        """Whether the step of an operation goes on with its result."""
        same = self.by_frame[one.frame]
        return any(one in [found for _, found in computed_operands(same, other)] for other in same)

    @cached_property
    def values(self) -> list[set[str]]:
        """For each frame, the values of its state, those behind ".." included."""
        found, shown = [], dict[str, str]()
        for frame in self.trace.frames:
            shown = {} if frame.event == "return" else shown
            shown |= dict(frame.shown)
            found.append({shown[name] for name, _ in frame.state or () if name in shown})
        return found

    def values_before(self, one: ValuedOperation) -> set[str]:
        """The values of the state before the step of an operation."""
        return self.values[one.frame - 1]

    def holds(self, one: ValuedOperation) -> bool:
        """Whether the state before an operation, or the text of its step, has its operands, strings as they are."""
        shown, computed, step = self.values_before(one), self.computed(one), self.step(one)
        literals = {*_literals(step), "None", "True", "False"}
        return all(
            operand in shown
            or (number not in computed and (operand in literals or _is_short(operand) or _is_display(operand, step)))
            for number, operand in enumerate(one.operands)
        )

    def shows(self, one: ValuedOperation) -> bool:
        """Whether the state before an operation, or the text of its step, shows its operands; strings by characters."""
        shown = self.values_before(one)
        literals, computed = set(_literals(self.step(one))), self.computed(one)
        return all(
            _form(operand) in shown or ((operand in literals or _is_short(operand)) and number not in computed)
            for number, operand in enumerate(one.operands)
        )


def exposure_levels(failing: OperationDiagnosis, original: str, source: str, call: str) -> ExposureLevels | None:
    """How far a rewritten program exposes the operations that may have failed.

    Args:
        failing: The operations that may have failed in the original.
        original: The original.
        source: The rewritten program.
        call: The call.

    Returns:
        For each operation one of these levels; None if the operations of a program cannot be recorded.

        2: No step performs it on the same operands any more, and each step that does its work is one that models read
            well (`READ_WELL`), or has operands of single characters. One of several suspects also has level 2 if a step
            of its own performs it on numbers or single characters that a state shows.
        1: A step performs it, or another operation in its place that models do not read well, and the state before the
            step shows the operands; a string by its characters.
        0: Neither.

    Example:
        >>> source = "def f(s):\\n    return s.upper()"
        >>> trace = trace_call(source, "f('ab')")
        >>> failing = diagnose_operation(source, "f('ab')", trace.text.replace("'AB'", "'AC'"))
        >>> characters = "def f(s):\\n    c = list(s)\\n    return s.upper()"
        >>> synonym = "def f(s):\\n    return s.lower().swapcase()"
        >>> loop = "def f(s):\\n    t = ''\\n    for c in s:\\n        t += c.upper()\\n    return t"
        >>> programs = source, synonym, characters, loop
        >>> [exposure_levels(failing, source, program, "f('ab')").lowest for program in programs]
        [0, 0, 1, 2]
    """
    before, after = record_run(original, call), record_run(source, call)
    if before is None or after is None:
        return None
    level_if_shown = 2 if len(failing.operations) > 1 else 1
    found = [_level(one.recorded, before, after, level_if_shown) for one in failing.operations]
    outermost = max(range(len(found)), key=lambda number: _width(failing.operations[number].recorded))
    return ExposureLevels(found[outermost], max(found), min(found))


def _width(one: ValuedOperation) -> tuple[int, int]:
    place = one.position or (0, 0, 0, 0)
    return place[2] - place[0], place[3] - place[1]


def record_run(source: str, call: str) -> OperationTrace | None:
    """A run with all of its operations; None if they cannot be recorded."""
    trace = trace_call(source, call)
    operations = record_values(trace) if trace.cut is None else None
    return None if operations is None else OperationTrace(trace, operations)


def _level(failed: ValuedOperation, before: OperationTrace, after: OperationTrace, level_if_shown: int) -> int:
    """The level of one suspect, without steps of the original that the model got right before.

    Args:
        failed: The suspect.
        before: The original.
        after: The rewritten program.
        level_if_shown: The level of an operation whose operands a state shows with all their elements.
    """
    key = signature(failed)
    right = {before.step(one) for one in before.operations if signature(one) == key and one.frame < failed.frame}
    right -= {before.step(failed)}
    same = [one for one in after.operations if signature(one) == key and after.step(one) not in right]
    if same:
        shown = level_if_shown if all(map(shows_elements, (*failed.operands, failed.result))) else 1
        return min(shown if after.shows(one) else 0 for one in same)
    known = {signature(one) for one in before.operations}
    instead = [one for one in after.operations if signature(one) not in known and replaces(one, failed)]
    opaque = [one for one in instead if not is_read_well(one, after)]
    return min((1 if after.shows(one) else 0 for one in opaque), default=2)


def signature(one: ValuedOperation) -> tuple[str, str, tuple[str, ...]]:
    """What an operation does, and on which values."""
    return one.kind, one.name, one.operands


def replaces(one: ValuedOperation, failed: ValuedOperation) -> bool:
    """Whether an operation may do the work of another: it has its name, or shares a value that has elements."""
    values = {text for text in (*failed.operands, failed.result) if _has_elements(text)}
    return (one.kind, one.name) == (failed.kind, failed.name) or not values.isdisjoint((*one.operands, one.result))


def is_read_well(one: ValuedOperation, run: OperationTrace) -> bool:
    """Whether models read a step well, given what its states show."""
    values = [literal(text) for text in one.operands]
    if all(isinstance(value, str) and len(value) <= 1 for value in values):
        return True  # an operation on single characters
    if one.kind == "item":  # by key, or counted from the start; a character of a string in a step of its own
        is_counted_back = isinstance(values[-1], int) and values[-1] < 0
        return not is_counted_back and not (isinstance(values[0], str) and run.uses(one))
    if one.kind == "slice" and isinstance(values[0], str) and len(values[0]) <= 1:
        return True
    if one.kind == "slice":
        return one.operands[0][:1] not in ("'", '"') and all(text in ("None", "0", "1") for text in one.operands[1:])
    if one.kind in ("operator", "augmented"):
        return _is_plain_operator(one, values)
    if one.kind == "method" and one.name == "join":  # of a list that a state shows
        return one.operands[-1][:1] == "["
    if one.kind == "method" and one.name == "pop":
        return one.operands[0][:1] in ("[", "{")
    if one.kind == "call" and not hasattr(builtins, one.name):
        return True  # a function of the program has steps of its own
    return one.name in READ_WELL.get(one.kind, ()) and not (one.name == "len" and isinstance(values[0], str))


def _is_plain_operator(one: ValuedOperation, values: list[object]) -> bool:
    if one.name in ("In", "NotIn"):  # of an item in a list or set; in a string, its characters are searched
        return not isinstance(values[-1], str)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return all(len(text) <= MAX_DIGITS for text in one.operands)
    if all(isinstance(value, bool) for value in values):
        return True
    return one.name in ("Add", "Not", "Is", "IsNot", "Eq", "NotEq")


def _literals(step: str) -> Iterator[str]:
    """The reprs of the strings and numbers that a step has in its text."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(step).readline):
            if token.type in (tokenize.STRING, tokenize.NUMBER):
                yield repr(ast.literal_eval(token.string))
    except (tokenize.TokenError, IndentationError, SyntaxError, ValueError):
        return


def _is_display(operand: str, step: str) -> bool:
    return operand[:1] in ("[", "(", "{") and operand.replace(" ", "") in step.replace(" ", "")


def _has_elements(text: str) -> bool:
    value = literal(text)
    return isinstance(value, str | list | tuple | dict | set) and len(value) > 1


def shows_elements(value: str) -> bool:
    """Whether a state that has a value shows its elements; tokens hide those of a string."""
    return _has_no_strings(literal(value))


def _has_no_strings(known: object) -> bool:
    if isinstance(known, list | tuple | set | frozenset):
        return all(map(_has_no_strings, known))
    if isinstance(known, dict):
        return all(map(_has_no_strings, (*known, *known.values())))
    return known is None or isinstance(known, int | float) or (isinstance(known, str) and len(known) == 1)


def _form(operand: str) -> str:
    """The repr that exposes a value: a string is a list of characters, because tokens hide them."""
    return repr(list(ast.literal_eval(operand))) if operand[:1] in ("'", '"') else operand


def _is_short(operand: str) -> bool:
    if operand[:1] in ("'", '"'):
        return len(ast.literal_eval(operand)) <= 1
    return len(operand) <= MAX_DIGITS or operand == "False"
