"""`corpora.execute`: statuses, values, arguments, globals, observers. Hostile programs are in test_hostile.py."""

import pytest

from corpora.execute import run_call, run_calls, run_observed
from corpora.program import trace_context

EVENTS = "tests.corpora.observers:Events"


@pytest.mark.parametrize(
    ("source", "call", "status", "exception"),
    [
        pytest.param("def f(:", "f()", "raised", "SyntaxError", id="a program that does not parse raises SyntaxError"),
        pytest.param(
            "def f(): pass", "f(", "raised", "SyntaxError", id="a call that does not parse raises SyntaxError"
        ),
        pytest.param("1/0", "f()", "raised", "ZeroDivisionError", id="an error while the module loads is raised"),
        pytest.param("def f(): pass", "g()", "raised", "NameError", id="a function that is not there is a NameError"),
        pytest.param("def f(): raise SystemExit(0)", "f()", "raised", "SystemExit", id="an exit is raised"),
        pytest.param("def f(): f()", "f()", "raised", "RecursionError", id="endless recursion is raised"),
        pytest.param("def f(): input()", "f()", "raised", "EOFError", id="there is no standard input"),
        pytest.param("def f(): return [0] * 10**9", "f()", "memory", None, id="too much memory is its own status"),
        pytest.param("def f():\n while 1: pass", "f()", "timeout", None, id="an endless loop times out"),
        pytest.param(
            "import os\ndef f(): os._exit(0)", "f()", "crashed", None, id="an end without a result is a crash"
        ),
        pytest.param("def f(): return 'x' * 2**21", "f()", "output", None, id="a very long repr is output"),
        pytest.param("x" * (5 << 20), "f()", "refused", None, id="a source of megabytes is refused"),
    ],
)
def test_a_program_that_fails_is_a_status(source: str, call: str, status: str, exception: str | None) -> None:
    outcome = run_call(source, call, seconds=0.5)
    assert (outcome.status, outcome.exception and outcome.exception[0]) == (status, exception)
    assert outcome.value is None


def test_stdout_arguments_and_globals_are_seen_after_the_call() -> None:
    source = (
        "seen = []\nkept = 1\ndef f(x, *, y):\n    print('hi')\n    x.append(1)\n    seen.append(y)\n    return x is x"
    )
    outcome = run_call(source, "f([0], y={1: 2})")
    assert outcome.value == "True"
    assert outcome.stdout == "hi\n"
    assert outcome.arguments == ("[0, 1]", "{1: 2}")
    assert outcome.globals == {"seen": "[{1: 2}]"}


def test_starred_arguments_are_counted_one_by_one() -> None:
    outcome = run_call("def f(*a, **k): return len(a) + len(k)", "f(*[1, 2], 3, **{'x': 4})")
    assert (outcome.value, outcome.arguments) == ("4", ("1", "2", "3", "4"))


def test_a_keyword_given_twice_is_pythons_own_error() -> None:
    outcome = run_call("def f(**k): return k", "f(x=1, **{'x': 2})")
    assert outcome.exception == ("TypeError", "program.f() got multiple values for keyword argument 'x'")


def test_a_call_is_evaluated_in_pythons_order() -> None:
    source = "seen = []\ndef e(x):\n    seen.append(x)\n    return x\ndef f(*a, **k): return list(seen)"
    calls = ["(e(0) or f)(e(1), *[e(2)], k=e(3), *[e(4)], **{'j': e(5)})", "f(e(1)).index(e(1), e(0))"]
    assert [outcome.value for outcome in run_calls(source, calls)] == ["[0, 1, 2, 4, 3, 5]", "0"]


def test_a_class_attribute_that_the_call_changed_is_a_changed_global() -> None:
    source = "class C:\n    count = 0\n    def g(self): C.count += 1\ndef f(n):\n    for _ in range(n): C().g()"
    none, two, three = run_calls(source, ["f(0)", "f(2)", "f(3)"])
    assert (none.globals, two.globals) == ({}, {"C": "<class 'program.C'>"})
    assert two.snapshot != three.snapshot


def test_calls_that_are_no_single_expressions_are_each_their_own_error() -> None:
    calls = ["f(1)", "f(1); f(2)", "x = f(1)", "f(1) \\", "f(", "f('''", "f(2)\n", "(f(\n3))", "f(4)  # four"]
    outcomes = run_calls("def f(x): return x", calls)
    errors = [outcome.exception and outcome.exception[0] for outcome in outcomes]
    assert [outcome.value for outcome in outcomes] == ["1", None, None, None, None, None, "2", "3", "4"]
    assert errors == [None, *["SyntaxError"] * 5, None, None, None]


def test_an_expression_that_is_no_call_is_evaluated() -> None:
    assert run_call("def f(x): return x", "f(1) + f(2)").value == "3"


def test_addresses_are_dropped_from_objects_and_kept_in_strings() -> None:
    assert run_call("def f(): return iter([])", "f()").value == "<list_iterator object>"
    assert run_call("def f(): return [' at 0x1f']", "f()").value == "[' at 0x1f']"


def test_every_call_starts_from_a_fresh_module() -> None:
    source = "import random\nseen = []\ndef f(x):\n    seen.append(x)\n    return seen, random.random()"
    values = [outcome.value for outcome in run_calls(source, ["f(1)", "f(1)", "f(2)"])]
    assert values[0] == values[1]
    assert values[2] is not None
    assert values[2].startswith("([2],")


@pytest.mark.medium
def test_calls_after_one_that_ends_its_process_still_run() -> None:
    source = "import os\ndef f(x):\n    print(x)\n    if x == 1: os._exit(3)\n    while x == 2: pass\n    return x"
    outcomes = run_calls(source, ["f(0)", "f(1)", "f(2)", "f(3)"], seconds=0.3)
    assert [outcome.status for outcome in outcomes] == ["ok", "crashed", "timeout", "ok"]
    assert [outcome.stdout for outcome in outcomes] == ["0\n", "", "", "3\n"]
    assert outcomes[1].detail == "ended with exit status 3 without a result"
    assert [outcome.exit_status for outcome in outcomes] == [None, 3, None, None]


def test_a_built_in_that_a_program_replaces_is_replaced_for_it_and_for_no_other_call() -> None:
    source = "import builtins\ndef f(x):\n    if x: builtins.len = lambda held: 99\n    return len([1])"
    assert [outcome.value for outcome in run_calls(source, ["f(0)", "f(1)", "f(0)"])] == ["1", "99", "1"]
    assert (
        run_call(source, "f(1)").snapshot == '{"capped":false,"ok":["int","99"],"arguments":[["int","1"]],"globals":{}}'
    )


def test_an_observer_sees_the_run_of_main() -> None:
    text = trace_context("def f(x):\n    x += 1\n    return x", "f(1)")
    outcome, lines = run_observed(text, EVENTS, {"only": "return"})
    assert outcome.value == "2"
    assert lines == ("return 3", "return 6")


def test_an_observer_that_is_not_there_is_our_error() -> None:
    with pytest.raises(ImportError, match="nowhere"):
        run_observed("def main(): pass", "tests.corpora.nowhere:Nobody", {})


@pytest.mark.medium
def test_the_lines_before_a_timeout_are_kept_in_part() -> None:
    outcome, lines = run_observed("def main():\n    while True:\n        pass\n", EVENTS, {}, seconds=0.3)
    assert outcome.status == "timeout"
    assert lines[:2] == ("call 1", "line 2")


@pytest.mark.medium
def test_a_program_is_an_imported_module() -> None:
    source = "import sys\nclass A: pass\nif __name__ == '__main__':\n    raise SystemExit"
    names = "__name__", "__file__", "__package__", "__doc__", "__spec__.name", "sys.argv"
    shown = [outcome.value for outcome in run_calls(source, list(names))]
    assert shown == ["'program'", "'program.py'", "''", "None", "'program'", "['program.py']"]
    assert run_call(source, "sys.modules[__name__].A is A").value == "True"
    assert run_call(source, "__import__('pickle').loads(__import__('pickle').dumps(A()))").value == "<program.A object>"
    assert run_call(source, "hasattr(__import__('__main__'), 'A')").value == "False"


def test_a_dataclass_with_annotations_as_strings_finds_its_module() -> None:
    source = (
        "from __future__ import annotations\nimport dataclasses, typing\n@dataclasses.dataclass\nclass P:\n"
        "    x: typing.ClassVar[int] = 1\n    y: P | None = None\n"
    )
    outcome = run_call(source, "[field.name for field in dataclasses.fields(P)], typing.get_type_hints(P)['y']")
    assert outcome.value == "(['y'], program.P | None)"


@pytest.mark.parametrize("name", ["exit", "quit", "copyright", "credits", "license", "help"])
def test_built_ins_that_site_adds_are_there(name: str) -> None:
    assert run_call("", f"{name} is __builtins__.{name}").value == "True"


def test_a_program_that_exits_raises_system_exit_with_its_status() -> None:
    assert run_call("def f(n):\n    exit(n)", "f(3)").exception == ("SystemExit", "3")


@pytest.mark.parametrize(
    ("source", "exception"),
    [
        pytest.param("n = int(input())", "EOFError", id="while the module loads"),
        pytest.param("def f(): return input()", "EOFError", id="in the call"),
        pytest.param("import sys\ndef f(): return int(sys.stdin.read())", "ValueError", id="the stream itself"),
        pytest.param("import sys\ndef f(): return next(sys.stdin)", "StopIteration", id="line by line"),
        pytest.param("import sys\ndef f(): return sys.stdin.buffer.read(1)[0]", "IndexError", id="bytes"),
    ],
)
def test_the_reason_names_standard_input_if_it_was_read(source: str, exception: str) -> None:
    outcome = run_call(source, "f()")
    assert outcome.exception and outcome.exception[0] == exception
    assert outcome.detail.endswith("; it read standard input, which is empty")


def test_standard_input_is_not_named_if_it_was_not_read() -> None:
    assert run_call("def f(): return 1 / 0", "f()").detail == "ZeroDivisionError at line 1"
