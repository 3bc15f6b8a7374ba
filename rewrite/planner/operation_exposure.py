"""How far a rewrite exposes the operation that a model got wrong, measured on the trace of the rewritten program.

For `bench/planned.py`. A line counts as exposed (`rewrite.planner.exposure`) even if the wrong operation is untouched;
the level tells these cases apart.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from analyze.diagnosis.answers import value_in_force
from analyze.diagnosis.divergence import diagnose
from analyze.diagnosis.failing_operation import OperationDiagnosis, find_failing_operation
from analyze.diagnosis.operation_values import ValuedOperation, record_values
from analyze.gold_trace.trace import Trace, trace_call

MAX_SHORT = 4
"""A number of at most so many characters is one token."""


def diagnose_operation(source: str, call: str, output: str) -> OperationDiagnosis | None:
    """The operations that may have produced the first wrong value of an output; None if no operation was found."""
    if not output:
        return None
    trace = trace_call(source, call)
    found = find_failing_operation(trace, diagnose(trace, output)) if trace.cut is None else None
    return found if found is not None and found.operations else None


def exposure_level(failing: OperationDiagnosis, source: str, call: str) -> int | None:
    """How far a rewritten program exposes an operation. With several suspects, the lowest level counts.

    Args:
        failing: The operations that may have failed in the original.
        source: The rewritten program.
        call: The call.

    Returns:
        2: no step performs the operation on the same operands any more, because it is split, or works on elements.
        1: some step performs it, and a state before it shows each operand; a string by its characters.
        0: neither. None if the operations of the rewritten program cannot be recorded.

    Example:
        >>> source = "def f(s):\\n    return s.upper()"
        >>> trace = trace_call(source, "f('ab')")
        >>> failing = diagnose_operation(source, "f('ab')", trace.text.replace("'AB'", "'AC'"))
        >>> characters = "def f(s):\\n    c = list(s)\\n    return s.upper()"
        >>> loop = "def f(s):\\n    t = ''\\n    for c in s:\\n        t += c.upper()\\n    return t"
        >>> [exposure_level(failing, program, "f('ab')") for program in (source, characters, loop)]
        [0, 1, 2]
    """
    trace = trace_call(source, call)
    names = sorted({one.recorded.name for one in failing.operations})
    operations = record_values(trace, names) if trace.cut is None else None
    if operations is None:
        return None
    return min(_level(one.recorded, trace, operations) for one in failing.operations)


def _level(failed: ValuedOperation, trace: Trace, operations: Sequence[ValuedOperation]) -> int:
    same = [one for one in operations if _key(one) == _key(failed)]
    return min((int(_shows_operands(one, trace)) for one in same), default=2)


def _key(one: ValuedOperation) -> tuple[str, str, tuple[str, ...]]:
    return one.kind, one.name, one.operands


def _shows_operands(one: ValuedOperation, trace: Trace) -> bool:
    """Whether the last state before an operation shows its operands.

    A character and a value of few characters, such as a small number, counts as shown: it is one token.
    """
    index = one.frame - 1
    names = [name for name, _ in trace.frames[index].state or ()]
    shown = {value_in_force(trace.frames, index, name) for name in names}
    return all(_form(operand) in shown or _is_short(operand) for operand in one.operands)


def _form(operand: str) -> str:
    """The repr that exposes a value: a string is a list of characters, because tokens hide them."""
    return repr(list(ast.literal_eval(operand))) if operand[:1] in ("'", '"') else operand


def _is_short(operand: str) -> bool:
    if operand[:1] in ("'", '"'):
        return len(ast.literal_eval(operand)) <= 1
    return len(operand) <= MAX_SHORT
