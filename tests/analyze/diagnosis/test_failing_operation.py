"""Which operation of a step produced the first wrong value."""

import pytest

from analyze import diagnose, trace_call
from analyze.diagnosis import failing_operation
from analyze.diagnosis.failing_operation import OperationDiagnosis, find_failing_operation
from analyze.diagnosis.operation_values import record_values


def found(body: str, call: str, right: str, wrong: str) -> OperationDiagnosis:
    """The failing operation where an output has `wrong` in place of `right`."""
    trace = trace_call(f"def f(s):\n    {body}\n", call)
    assert right in trace.text
    return find_failing_operation(trace, diagnose(trace, trace.text.replace(right, wrong)))


@pytest.mark.parametrize(
    ("body", "call", "right", "wrong", "expected"),
    [
        ("return s.upper()", "f('ab')", "'AB'", "'AC'", (2, 12, "s.upper()", "'AB'", "'AC'")),
        ("return '-'.join(s.split())", "f('a b')", "a-b", "a-c", (2, 21, "s.split()", "['a', 'b']", "['a', 'c']")),
        ("return s.strip()[:2]", "f(' abc')", "'ab'", "'abc'", (2, 12, "s.strip()[:2]", "'ab'", "'abc'")),
        ("return s[0] + s[::-1]", "f('ab')", "aba", "aab", (2, 19, "s[::-1]", "'ba'", "'ab'")),
        ("return [len(s), s.count('a')]", "f('ab')", "[2, 1]", "[2, 2]", (2, 21, "s.count('a')", "1", "2")),
        ("s += 'c'; return s", "f('ab')", "abc", "acb", (2, 5, "s += 'c'", "'abc'", "'acb'")),
        ("s.reverse(); return s", "f([1, 2])", "[2, 1]", "[2, 2]", (2, 5, "s.reverse()", "[2, 1]", "[2, 2]")),
        ("s.append(s[0]); return s", "f([1])", "[1, 1]", "[1, 2]", (2, 14, "s[0]", "1", "2")),
        ("return 'é' + s.upper()", "f('ab')", "AB", "AC", (2, 19, "s.upper()", "'AB'", "'AC'")),
    ],
)
def test_the_operation_is_found(body: str, call: str, right: str, wrong: str, expected: tuple[object, ...]) -> None:
    diagnosed = found(body, call, right, wrong)
    assert diagnosed.reason == ""
    [one] = diagnosed.operations
    assert (one.line, one.column, one.operation, one.reference, one.predicted) == expected


def test_a_number_does_not_tell_which_operation_failed() -> None:
    diagnosed = found("return len(s.strip())", "f('ab ')", '"2"', '"3"')
    assert [one.operation for one in diagnosed.operations] == ["s.strip()", "len(s.strip())"]
    assert [one.predicted for one in diagnosed.operations] == ["", "3"]
    assert diagnosed.reason == failing_operation.SEVERAL


def test_variables_in_another_order_name_no_operation() -> None:
    body = "t = s.upper()\n    return t"
    diagnosed = found(body, "f('ab')", '"s": "..", "t": "\'AB\'"', '"t": "\'AB\'", "s": ".."')
    assert diagnosed == OperationDiagnosis((), failing_operation.KEY_ORDER)


@pytest.mark.parametrize(
    ("body", "call", "right", "wrong", "reason"),
    [
        ("return s", "f('ab')", "\"'ab'\"<|frame_sep|>", "\"'ac'\"<|frame_sep|>", failing_operation.NO_OPERATION),
        ("return s", "f('ab')", "return s", "return t", failing_operation.NO_VALUE),
    ],
)
def test_it_says_why_there_is_none(body: str, call: str, right: str, wrong: str, reason: str) -> None:
    assert found(body, call, right, wrong) == OperationDiagnosis((), reason)


def test_operands_are_recorded_before_the_operation_changes_them() -> None:
    trace = trace_call("def f(s):\n    s.sort()\n    return s\n", "f([2, 1])")
    [one] = record_values(trace) or ()
    assert one.operands == ("[2, 1]",)


@pytest.mark.parametrize("after", ["while True:\n        s += '.'", "1 / 0", "raise SystemExit"])
def test_the_program_is_ended_after_the_frame(after: str) -> None:
    body = "try:\n        s = s.upper() + s.strip()\n    except BaseException:\n        s = 0"
    source = f"def f(s):\n    {body}\n    {after}\n"
    trace = trace_call(source, "f('a ')", max_frames=20, stop_at_cut=True)
    [frame] = [number for number, one in enumerate(trace.frames) if dict(one.state or ()).get("s") == "'A a'"]
    operations = record_values(trace, frame=frame) or ()
    assert [one.result for one in operations] == ["'A '", "'a'", "'A a'"]


def test_values_of_own_classes_have_no_repr() -> None:
    source = "class A:\n    def __repr__(self):\n        1 / 0\n    def g(self):\n        return 1\n"
    trace = trace_call(source + "def f(s):\n    return A().g() + s\n", "f(1)")
    methods = [one for one in record_values(trace) or () if one.kind == "method"]
    assert [(one.operands, one.result) for one in methods] == [(("",), "1")]
