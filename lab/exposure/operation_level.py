"""How far a rewrite exposes the operation that a model got wrong, measured on the trace of the rewritten program.

For `bench/planned.py`. A line counts as exposed (`rewrite.planner.exposure`) even if the wrong operation is untouched;
the level tells these cases apart.
"""

from __future__ import annotations

import ast

from analyze.diagnosis.answers import value_in_force
from analyze.diagnosis.divergence import diagnose
from analyze.diagnosis.failing_operation import OperationDiagnosis, computed_operands, find_failing_operation, literal
from analyze.diagnosis.operation_values import ValuedOperation, record_values
from analyze.gold_trace.trace import Trace, trace_call

Recorded = tuple[Trace, tuple[ValuedOperation, ...]]
MAX_SHORT = 4
"""A value whose repr has at most this number of characters counts as shown; models rarely misread it."""


def diagnose_operation(source: str, call: str, output: str) -> OperationDiagnosis | None:
    """The operations that may have produced the first wrong value of an output; None if no operation was found."""
    if not output:
        return None
    trace = trace_call(source, call)
    found = find_failing_operation(trace, diagnose(trace, output)) if trace.cut is None else None
    return found if found is not None and found.operations else None


def exposure_level(failing: OperationDiagnosis, original: str, source: str, call: str) -> int | None:
    """How far a rewritten program exposes an operation. With several suspects, the lowest level counts.

    Args:
        failing: The operations that may have failed in the original.
        original: The original.
        source: The rewritten program.
        call: The call.

    Returns:
        2: no step performs the operation on the same operands any more, because it is split, or works on elements. One
            of several suspects also has level 2 if a state before it shows each operand, and operands and result are
            numbers, single characters, or containers of these: a step of its own performs it on shown elements.
        1: some step performs it, and a state before it shows each operand; a string by its characters.
        0: neither.
        None: the operations of the rewritten program cannot be recorded.

    Example:
        >>> source = "def f(s):\\n    return s.upper()"
        >>> trace = trace_call(source, "f('ab')")
        >>> failing = diagnose_operation(source, "f('ab')", trace.text.replace("'AB'", "'AC'"))
        >>> characters = "def f(s):\\n    c = list(s)\\n    return s.upper()"
        >>> loop = "def f(s):\\n    t = ''\\n    for c in s:\\n        t += c.upper()\\n    return t"
        >>> [exposure_level(failing, source, program, "f('ab')") for program in (source, characters, loop)]
        [0, 1, 2]
    """
    before, after = _recorded(failing, original, call), _recorded(failing, source, call)
    if before is None or after is None:
        return None
    level_if_shown = 2 if len(failing.operations) > 1 else 1
    return min(_level(one.recorded, before, after, level_if_shown) for one in failing.operations)


def _recorded(failing: OperationDiagnosis, source: str, call: str) -> Recorded | None:
    trace = trace_call(source, call)
    names = sorted({one.recorded.name for one in failing.operations})
    operations = record_values(trace, names) if trace.cut is None else None
    return None if operations is None else (trace, operations)


def _level(failed: ValuedOperation, before: Recorded, after: Recorded, level_if_shown: int) -> int:
    """The level of one suspect, without steps of the original that the model got right before.

    Args:
        failed: The suspect.
        before: The original.
        after: The rewritten program.
        level_if_shown: The level of an operation whose operands a state shows with all their elements.
    """
    right = {_step(one, before) for one in before[1] if _key(one) == _key(failed) and one.frame < failed.frame}
    right -= {_step(failed, before)}
    same = [one for one in after[1] if _key(one) == _key(failed) and _step(one, after) not in right]
    shown = level_if_shown if all(map(_shows_elements, (*failed.operands, failed.result))) else 1
    return min((shown if _shows_operands(one, after[0]) else 0 for one in same), default=2)


def _step(one: ValuedOperation, recorded: Recorded) -> str:
    return recorded[0].frames[one.frame - 1].source.strip()


def _key(one: ValuedOperation) -> tuple[str, str, tuple[str, ...]]:
    return one.kind, one.name, one.operands


def _shows_elements(value: str) -> bool:
    """Whether a state that has a value shows its elements; tokens hide those of a string."""
    return _has_no_strings(literal(value))


def _has_no_strings(known: object) -> bool:
    if isinstance(known, list | tuple | set | frozenset):
        return all(map(_has_no_strings, known))
    if isinstance(known, dict):
        return all(map(_has_no_strings, (*known, *known.values())))
    return known is None or isinstance(known, int | float) or (isinstance(known, str) and len(known) == 1)


def _shows_operands(one: ValuedOperation, trace: Trace) -> bool:
    """Whether the last state before an operation shows its operands.

    A single character, and any other value of at most `MAX_SHORT` characters, counts as shown, unless the same step
    computes it.
    """
    index = one.frame - 1
    names = [name for name, _ in trace.frames[index].state or ()]
    shown = {value_in_force(trace.frames, index, name) for name in names}
    computed = dict(computed_operands(record_values(trace, frame=one.frame) or (one,), one))
    return all(
        _form(operand) in shown or (_is_short(operand) and number not in computed)
        for number, operand in enumerate(one.operands)
    )


def _form(operand: str) -> str:
    """The repr that exposes a value: a string is a list of characters, because tokens hide them."""
    return repr(list(ast.literal_eval(operand))) if operand[:1] in ("'", '"') else operand


def _is_short(operand: str) -> bool:
    if operand[:1] in ("'", '"'):
        return len(ast.literal_eval(operand)) <= 1
    return len(operand) <= MAX_SHORT
