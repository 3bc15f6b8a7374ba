"""What a step computed is recorded where it belongs, and the program does the same as without the probes."""

from __future__ import annotations

import pytest

from analyze.gold_trace.trace import trace_call
from analyze.risk.steps import Operand, TraceOperations, record_operations
from corpora.execute import run_call, run_observed
from corpora.program import trace_context
from tests.analyze.shared_data import rows

CORNERS = {
    "a method that raises": (
        "def f(s):\n    try:\n        return s.index('z')\n    except ValueError:\n        return -1",
        "f('abc')",
    ),
    "a method of None": ("def f(s):\n    return s.upper()", "f(None)"),
    "arguments after the lookup of the method": ("def f():\n    return None.x(1 / 0)", "f()"),
    "super without arguments": (
        "class A:\n    def g(self):\n        return 1\nclass B(A):\n    def g(self):\n        return super().g() + 1\n"
        "def f():\n    return B().g()",
        "f()",
    ),
    "a builtin that the program replaces": ("def len(x):\n    return 7\ndef f(x):\n    return len(x)", "f('ab')"),
    "locals": ("def f(x):\n    y = x + 1\n    return sorted(locals())", "f(1)"),
    "an augmented text": ("def f(s):\n    s += s.upper()\n    return s", "f('ab')"),
    "a chained comparison": ("def f(x):\n    return 1 < x < 3", "f(2)"),
    "a generator": ("def g(n):\n    for i in range(n):\n        yield i * 2\ndef f():\n    return list(g(3))", "f()"),
    "a match": (
        "def f(x):\n    match x:\n        case {'a': [1, *rest]} if len(rest) > 1:\n            return rest\n"
        "    return None",
        "f({'a': [1, 2, 3]})",
    ),
    "slices of every form": ("def f(x):\n    return x[1:], x[::-1], x[:2], x[-1], x[:]", "f('abcd')"),
    "an f-string": ("def f(x):\n    return f'{x.upper()!r:>8}{x}'", "f('ab')"),
    "operators of the program's own": (
        "class A:\n    def __add__(self, other):\n        return 'add'\n"
        "    def __contains__(self, item):\n        return True\n"
        "def f():\n    return A() + 1, 3 in A()",
        "f()",
    ),
    "comprehensions": (
        "def f(s):\n    return [c.upper() for c in s if c not in 'b'], {c: s.count(c) for c in s}",
        "f('abcb')",
    ),
}


@pytest.mark.parametrize(("source", "call"), CORNERS.values(), ids=CORNERS)
def test_a_probed_program_does_the_same(source: str, call: str) -> None:
    probed, _ = run_observed(trace_context(source, call), "analyze.risk.operations:OperationObserver", {})
    plain = run_call(source, call)
    assert (probed.status, probed.value, probed.exception) == (plain.status, plain.value, plain.exception)


@pytest.mark.parametrize(("source", "call"), CORNERS.values(), ids=CORNERS)
def test_every_frame_has_its_line(source: str, call: str) -> None:
    trace = trace_call(source, call)
    made = record_operations(trace)
    assert made is not None
    texts = trace.context.split("\n")
    assert [texts[(line or 0) - 1] for line in made.lines] == [frame.source.rstrip("\n") for frame in trace.frames]


def test_operations_stand_with_the_frame_that_shows_their_result() -> None:
    made = _made("def f(s):\n    t = s.replace('a', 'b')\n    return t.find('b')", "f('cab')")
    names = [[operation.name for operation in step] for step in made.operations]
    assert names == [[], [], [], [], ["replace"], ["find"], []]
    (replace,) = made.operations[4]
    assert replace.operands == (Operand("str", 3, "cab"), Operand("str", 1, "a"), Operand("str", 1, "b"))
    assert replace.result == Operand("str", 3, "cbb")


WITH_REPR = """\
class S:
    def __init__(self, n):
        self.n = n
        self.items = (i * 2 for i in [n, n])
        self.same = {self: n}
    def __repr__(self):
        for item in self.items: break
        return BODY
    def __format__(self, spec): return 'S' + spec
    def __eq__(self, other): return [self.n][0] == other
    def __hash__(self): return self.n + 1 if hasattr(self, 'items') else 0
    def __len__(self): return self.n * 2
    def __bool__(self): return self.n > 0
def f(n):
    s = S(n)
    a = n + 1
    b = [s, a][1]
    return b
"""


@pytest.mark.parametrize(
    "body",
    [
        "f'<S {self.n + 1:>{self.n}}>'.upper()",
        "'S' + str(len(self)) * bool(self) + format(self, 'x') + str(self == 3) + str(self in self.same)",
        "repr([i + 1 for i in range(self.n)]) + ''.join(c.upper() for c in 'ab')",
        "'<%s>' % next(self.items)",
    ],
)
def test_what_the_tracer_makes_the_program_do_belongs_to_no_step(body: str) -> None:
    made, constant = _made(WITH_REPR.replace("BODY", body), "f(3)"), _made(WITH_REPR.replace("BODY", "'S'"), "f(3)")
    named = [[(one.kind, one.name) for one in step] for step in made.operations]
    assert named == [[(one.kind, one.name) for one in step] for step in constant.operations]
    assert named[-4:] == [[("operator", "Add")], [("item", "")], [], []]


def test_a_generator_that_the_program_resumes_is_the_programs() -> None:
    made = _made("def g(n):\n    yield n + 1\ndef f():\n    return sum(x * 2 for x in g(3))", "f()")
    assert [one.name for step in made.operations for one in step] == ["", "Add", "Mult", "sum"]


def test_types_that_pretend_to_be_others_are_of_no_type() -> None:
    source = (
        "class M(type):\n    __hash__ = lambda c: hash(str)\n    __eq__ = lambda c, o: True\n"
        "class str2(metaclass=M):\n    __module__, __qualname__, __name__ = 'builtins', 'str', 'str'\n"
        "    __class__ = str\n    def upper(self): return self\nstr2.__name__ = 'str'\n"
        "def f():\n    import builtins\n    builtins.type = builtins.repr = lambda x: str\n    return str2().upper()"
    )
    [operation] = [one for step in _made(source, "f()").operations for one in step if one.kind == "method"]
    assert (operation.receiver.type, operation.result.type) == ("", "")


@pytest.mark.medium
def test_a_program_that_does_not_end_has_no_operations() -> None:
    trace = trace_call("def f():\n    while True:\n        pass", "f()", seconds=0.2)
    assert record_operations(trace, seconds=0.2) is None


def test_a_program_that_writes_records_of_its_own_is_not_believed() -> None:
    source = "import os\ndef f(s):\n    os.write(3, b'x')\n    return s.upper()"
    trace = trace_call("def f(s):\n    return s.upper()", "f('a')")
    forged = trace_call(source, "f('a')")
    assert record_operations(trace) is not None
    made = record_operations(forged)
    assert made is None or len(made.operations) == len(forged.frames)


@pytest.mark.slow
def test_nearly_every_program_of_cruxeval_is_recorded_frame_by_frame() -> None:
    found = [trace_call(row["code"], f"f({row['input']})") for row in rows("cruxeval_even.jsonl")[:100]]
    made = [record_operations(trace) for trace in found]
    assert all(one is not None and None not in one.lines for one in made)


def _made(source: str, call: str) -> TraceOperations:
    made = record_operations(trace_call(source, call))
    assert made is not None
    return made
