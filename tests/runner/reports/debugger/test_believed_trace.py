"""An output beside its reference trace: outputs without frames, skipped calls, other notations, exceptions."""

from analyze import Trace, diagnose, trace_call
from runner.reports.debugger.believed_trace import BelievedTrace, Variable, believed_trace

SOURCE = "def g(n):\n    return n + 1\n\ndef f(n):\n    m = g(n)\n    return m\n"
TRACE = trace_call(SOURCE, "f(1)")
CALL_OF_G = 4
FLAT = trace_call("def f(n):\n    m = n + 1\n    k = 0\n    return m\n", "f(1)")


def believed(output: str, trace: Trace = TRACE) -> BelievedTrace:
    return believed_trace(trace, output, diagnose(trace, output))


def without_special_tokens(text: str) -> str:
    for token in ("call_sep", "line_sep", "return_sep", "exception_sep", "action_sep", "arg_sep", "frame_sep"):
        text = text.replace(f"<|{token}|>", "")
    return text


def test_an_output_without_frames_has_those_of_the_reference() -> None:
    shown = believed("It returns 2.")
    assert len(shown.pairs) == len(TRACE.frames)
    assert shown.frames(2) == (None, TRACE.frames[2]) and shown.lines(2) == [4]
    assert shown.variables(2) == [Variable("n", None, "1", is_written=False)]


def test_a_source_line_that_the_program_does_not_have_has_no_number() -> None:
    shown = believed(TRACE.text.replace("    m = g(n)", "    m = h(n)"))
    assert shown.lines(3) == [] and shown.pairs[3].kind == "action"


def test_lines_with_the_same_text_are_all_named_where_the_reference_does_not_decide() -> None:
    source = "def f(n):\n    n += 1\n    n += 1\n    return n\n"
    trace = trace_call(source, "f(1)")
    output = trace.text.replace("    return n\n", "    n += 1\n")
    shown = believed(output, trace)
    assert shown.lines(3) == [2] and shown.lines(5) == [2, 3]


def test_a_decorated_or_resumed_function_has_its_name() -> None:
    decorators = "def same(f):\n    return f\n\n"
    source = decorators + "@same\ndef g(n):\n    yield n\n    yield n\n\ndef f(n):\n    return list(g(n))\n"
    shown = believed("nothing", trace_call(source, "f(1)"))
    calls = dict.fromkeys(call for stack in shown.stacks for call in stack)
    assert [(shown.source(call), shown.function(call)) for call in calls][2:] == [
        ("@same\n", "g"),
        ("    yield n\n", "g"),
        ("    yield n\n", "g"),
    ]


def test_a_decorator_of_two_functions_does_not_decide() -> None:
    source = "def same(f):\n    return f\n\n@same\ndef g():\n    return 1\n\n@same\ndef f():\n    return g()\n"
    trace = trace_call(source, "f()")
    call = "".join(frame.text for frame in trace.frames if frame.source == "@same\n")
    shown = believed(trace.text + call, trace)
    assert shown.function(len(shown.pairs) - 1) == "@same"


def test_calls_are_found_in_an_output_without_special_tokens() -> None:
    for output in (TRACE.text, without_special_tokens(TRACE.text)):
        shown = believed(output)
        assert [shown.function(call) for call in shown.stacks[CALL_OF_G]] == ["main", "f", "g"]
        assert [len(stack) for stack in shown.stacks] == [1, 1, 2, 2, 3, 3, 3, 2, 2, 1]


def test_an_exception_ends_its_call_once_without_special_tokens() -> None:
    source = "def g():\n    return [][0]\n\ndef f():\n    try:\n        g()\n    except IndexError:\n        return 1\n"
    trace = trace_call(source, "f()")
    stripped = believed(without_special_tokens(trace.text), trace)
    assert stripped.diagnosis.kind == "none"
    assert stripped.stacks == believed(trace.text, trace).stacks and len(stripped.stacks[-1]) == 1


def test_a_wrong_value_stays_wrong_where_the_output_calls_it_unchanged() -> None:
    shown = believed(FLAT.text.replace('"m": "2"', '"m": "3"'), FLAT)
    assert shown.diagnosis.frame == 4 and shown.pairs[5].kind is None
    assert shown.variables(5)[1] == Variable("m", "3", "2", is_written=False)


def test_another_notation_of_the_same_value_is_shown_where_it_is_the_divergence() -> None:
    shown = believed(FLAT.text.replace('"m": ".."', '"m": "2"'), FLAT)
    assert shown.diagnosis.frame == 5
    assert shown.variables(5)[1] == Variable("m", "2", "..", is_written=True)


def test_addresses_do_not_differ_as_in_the_diagnosis() -> None:
    trace = trace_call("def f():\n    g = lambda: 1\n    return g()\n", "f()")
    shown = believed(trace.text.replace("<lambda>>", "<lambda> at 0x7f2f6f8b8b80>"), trace)
    values = [one for index in range(len(shown.pairs)) for one in shown.variables(index)]
    assert shown.diagnosis.kind == "none"
    assert any(one.predicted != one.reference for one in values) and not any(one.differs for one in values)


def test_a_value_that_is_returned_is_a_variable() -> None:
    assert believed(TRACE.text).variables(6) == [Variable("return value", "2", "2", is_written=True)]
